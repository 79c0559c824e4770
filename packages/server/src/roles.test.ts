import { afterEach, describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { createContext } from './context.ts'
import { createAnswers } from './http/answers.ts'
import { createApp } from './http/createApp.ts'
import { createPreflight } from './http/cors.ts'
import { createMonitor } from './http/monitor.ts'
import type { ListenerName, Role } from './http/Role.ts'
import { closeRoles, selectListener, selectRoles, startRoles } from './roles.ts'
import { saveProject } from './storage/projects.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

/** Creates an app with some roles, and a project for each id. */
async function start(
  names: string[],
  projectIds: string[] = [],
  more: Record<string, Role> = {},
  listener: ListenerName = 'main',
) {
  const context = await createContext({
    ...readConfig(),
    logLevel: 'silent',
    dataDir: ':memory:',
    rpcUrls: {},
  })
  for (const id of projectIds)
    await saveProject(
      context.storage.db,
      {
        id,
        name: id,
        allowedOrigins: [],
        defaultOrigins: true,
        features: {},
        domains: [],
        zone: null,
        analytics: true,
        confirmDevices: false,
        recovery: [],
        passkeyLogin: false,
        active: true,
        createdAt: 1,
      },
      1,
    )
  const running = await startRoles(names, context)
  for (const [name, role] of Object.entries(more)) running.set(name, role)
  cleanups.push(async () => {
    await closeRoles(running, 0)
    await context.storage.close()
  })
  const main = selectListener(running, 'main')
  for (const [name, role] of Object.entries(more)) {
    main.running.set(name, role)
    main.paths[name] = Object.keys(role.routes)
  }
  const own = [createMonitor(context, [...running.values()])]
  const app = createApp(
    context,
    listener === 'main' ? { ...main, own } : selectListener(running, 'frame'),
  )
  return async (path: string, method = 'GET') => {
    const response = await app.request(path, { method })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
}

/** Project ids that equal the first segment of one of the server's paths. */
const takenIds = ['getWallets', 'e', 'v1', 'v3', 'rpc', 'health', 'metrics', 'attestation']

describe('a path belongs to one role', () => {
  const all = ['frame', 'gateway', 'money', 'relay', 'verify']

  test.each<[string, string, number, string]>([
    ['GET', '/getWallets', 200, '"count"'],
    ['GET', '/getWallets/more', 404, 'there is nothing at /getWallets/more'],
    ['GET', '/health', 200, '"status":"ok"'],
    ['GET', '/health/more', 404, 'there is nothing at /health/more'],
    ['GET', '/v1', 426, 'JSON-RPC'],
    ['GET', '/v1/supported-chains', 200, '"http"'],
    ['GET', '/v1/unknown', 404, 'there is nothing at /v1/unknown'],
    ['GET', '/v1/identity/0x', 400, 'address is not an account'],
    ['POST', '/v1/identity/0x', 405, 'supported methods: GET'],
    ['GET', '/v1/convert/unknown', 404, 'there is nothing at /v1/convert/unknown'],
    ['GET', '/v3', 404, 'there is nothing at /v3'],
    ['GET', '/v3/public-key', 200, '"publicKey"'],
    ['POST', '/rpc', 401, '"jsonrpc"'],
    ['GET', '/rpc', 405, 'supported methods: POST'],
    ['GET', '/e', 405, 'supported methods: POST'],
    ['GET', '/unknown', 404, 'there is nothing at /unknown'],
    ['GET', '/', 404, 'there is nothing at /'],
    ['GET', '/harbor', 200, '<!doctype html>'],
  ])('with all roles: %s %s', async (method, path, status, text) => {
    const send = await start(all, [...takenIds, 'harbor'])
    const answer = await send(path, method)
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(text)])
  })

  test.each<[string, string, number, string]>([
    ['GET', '/getWallets', 404, 'the role gateway, which answers this path, does not run here'],
    ['GET', '/e', 404, 'the role gateway'],
    ['GET', '/health', 200, '"status":"ok"'],
    ['GET', '/metrics', 401, 'only this machine may read metrics'],
    ['GET', '/v1', 404, 'the role gateway'],
    ['GET', '/v1/supported-chains', 404, 'the role gateway'],
    ['GET', '/v1/identity/0x', 404, 'the role money, which answers this path, does not run here'],
    ['GET', '/v1/convert/unknown', 404, 'the role money'],
    ['POST', '/rpc', 404, 'the role relay'],
    ['GET', '/rpc', 404, 'the role relay'],
    ['GET', '/v3/public-key', 200, '"publicKey"'],
    ['GET', '/v3/unknown', 404, 'there is nothing at /v3/unknown'],
    ['GET', '/attestation', 405, 'supported methods: POST'],
    ['GET', '/unknown', 404, 'there is nothing at /unknown'],
    ['POST', '/harbor', 404, 'there is nothing at /harbor'],
    ['GET', '/harbor', 200, '<!doctype html>'],
  ])('with only the verify role: %s %s', async (method, path, status, text) => {
    const send = await start(['verify'], [...takenIds, 'harbor'])
    const answer = await send(path, method)
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(text)])
  })
})

test('two roles share the first segment of their paths', async () => {
  const send = await start(['money'], [])
  expect((await send('/v1/identity/0x')).status).toBe(400)
  expect((await send('/v1')).text).toContain('the role gateway')
  expect((await send('/v1/unknown')).text).toContain('the role gateway')
})

test('each role responds to requests on its paths with its own headers', async () => {
  const headers = { 'access-control-allow-origin': 'https://frame.example', 'x-role': 'frame' }
  const answers = createAnswers(headers)
  const frame: Role = {
    routes: {
      '/frame/account': {
        GET: () => {
          throw new Error('broken')
        },
      },
    },
    answers,
    preflight: createPreflight({ headers, methods: 'GET', allowHeaders: 'x-frame' }),
    close() {},
  }
  const send = await start(['gateway', 'verify'], [], { account: frame })
  const seen = await Promise.all([
    send('/frame/account'),
    send('/frame/account', 'POST'),
    send('/frame/unknown'),
    send('/frame/account', 'OPTIONS'),
    send('/v1/unknown'),
    send('/v3/attestation', 'OPTIONS'),
  ])
  expect(
    seen.map(({ status, headers }) => [
      status,
      headers.get('x-role'),
      headers.get('access-control-allow-origin'),
      headers.get('access-control-allow-methods'),
    ]),
  ).toEqual([
    [500, 'frame', 'https://frame.example', null],
    [405, 'frame', 'https://frame.example', null],
    [404, 'frame', 'https://frame.example', null],
    [204, 'frame', 'https://frame.example', 'GET'],
    [404, null, '*', null],
    [204, null, '*', 'GET, HEAD'],
  ])
})

describe('the selection of roles', () => {
  test('contains all roles by default, and is in the order of the table', () => {
    expect(selectRoles(undefined)).toEqual(['frame', 'gateway', 'money', 'relay', 'verify'])
    expect(selectRoles(['verify', 'gateway'])).toEqual(['gateway', 'verify'])
  })

  test('error: the message names an unknown role', () => {
    expect(() => selectRoles(['gateway', 'relais'])).toThrow(
      'GATEFOLD_ROLES names “relais”; expected a comma-separated list of frame, gateway, money, relay, verify.',
    )
  })
})
