import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { chainData, smartAccounts, sponsor } from '@gatefold/chain'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type RunningServer } from '../main.ts'
import { networks } from '../money/chainData/networks.ts'
import { openStorage } from '../storage/openStorage.ts'
import { saveProject } from '../storage/projects.ts'
import { createTestFrame } from '../testing/createTestFrame.ts'
import { createDatabase, type TestDatabase } from '../testing/databases.ts'
import { startTcpProxy } from '../testing/startTcpProxy.ts'
import { testProject } from '../testing/testProject.ts'

let database: TestDatabase
let proxy: Awaited<ReturnType<typeof startTcpProxy>>
let server: RunningServer
let site: string
let time = Date.now()

beforeAll(async () => {
  database = await createDatabase('postgres')
  const storage = await openStorage(database.config)
  for (const project of [
    testProject({ id: 'harbor', allowedOrigins: ['https://harbor.example'] }),
    testProject({ id: 'inactive', active: false }),
    testProject({ id: 'empty', allowedOrigins: [] }),
  ])
    await saveProject(storage.db, project, 1)
  await storage.close()
  site = mkdtempSync(join(tmpdir(), 'gatefold-site-'))
  mkdirSync(join(site, 'assets'))
  writeFileSync(join(site, 'assets', 'main.js'), '')
  writeFileSync(join(site, 'assets', 'main.js.br'), brotliCompressSync(''))
  writeFileSync(join(site, 'index.html'), '%GATEFOLD_CONFIG%')
  writeFileSync(join(site, 'page.html'), '<!doctype html>')
  const url = new URL(database.config.databaseUrl!)
  proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) })
  url.port = String(proxy.port)
  server = await startServer(
    {
      port: 0,
      logLevel: 'silent',
      rpcUrls: { 'eip155:1': ['http://127.0.0.1:9'] },
      dataDir: database.config.dataDir,
      databaseUrl: url.href,
      frameSite: site,
    },
    { now: () => time },
  )
})
afterAll(async () => {
  await server?.stop()
  await proxy?.stop()
  await database?.remove()
  rmSync(site, { recursive: true })
})

async function load(path: string) {
  const response = await fetch(server.frameUrl + path)
  const policy = response.headers.get('content-security-policy') ?? ''
  return [response.status, /frame-ancestors ([^;]*)/.exec(policy)?.[1]]
}

test.each<[string, string, number, string]>([
  ['a project', '/sdk?projectId=harbor', 200, 'https://harbor.example'],
  ['attack: an unknown project', '/sdk?projectId=unknown', 404, "'none'"],
  ['attack: an impossible project id', '/sdk?projectId=%00%27%3B', 404, "'none'"],
  ['attack: an inactive project', '/sdk?projectId=inactive', 404, "'none'"],
  ['attack: a project without origins', '/sdk?projectId=empty', 200, "'none'"],
  ['attack: the settings of a project', '/settings?projectId=harbor', 200, "'none'"],
  ['attack: the approval window of a project', '/approve?projectId=harbor', 200, "'none'"],
  ['attack: the settings of an unknown project', '/settings?projectId=unknown', 404, "'none'"],
  ['attack: a script', '/assets/main.js', 200, "'none'"],
  ['attack: an unknown page', '/other', 404, "'none'"],
  ['attack: the API', '/api/user', 405, "'none'"],
])('which pages may frame %s', async (_, path, status, ancestors) => {
  expect(await load(path)).toEqual([status, ancestors])
})

test('without a project id, the pages of the default project', async () => {
  const ofDefault = await load('/sdk?projectId=default')
  expect(ofDefault).toEqual([200, expect.stringContaining('http://localhost:*')])
  expect(await load('/sdk')).toEqual(ofDefault)
  expect(await load('/sdk?projectId=')).toEqual(ofDefault)
})

test('a cache keeps the compressed and the plain form of a script apart', async () => {
  const forms = await Promise.all(
    ['br', 'identity'].map(async (encoding) => {
      const headers = { 'accept-encoding': encoding }
      const response = await fetch(`${server.frameUrl}/assets/main.js`, { headers })
      return ['content-encoding', 'vary'].map((name) => response.headers.get(name))
    }),
  )
  expect(forms).toEqual([
    ['br', 'accept-encoding'],
    [null, 'accept-encoding'],
  ])
})

test('the document has the contracts of swaps of each network', async () => {
  const response = await fetch(`${server.frameUrl}/sdk?projectId=harbor`)
  const { uniswap, zeroEx, oneInch } = networks['eip155:1']!
  expect(await response.json()).toMatchObject({
    chains: [
      {
        uniswap: { router: uniswap!.router, wrapped: networks['eip155:1']!.wrapped },
        zeroEx,
        oneInch,
      },
    ],
  })
})

test.each([
  ['without its key', undefined, false],
  ['with its key', sponsor.privateKey, true],
])('the document names the paymaster %s', async (_, paymasterKey, hasPaymaster) => {
  const id = 'eip155:31337'
  const urls = { [id]: ['http://127.0.0.1:9'] }
  const frame = await createTestFrame({
    frameSite: site,
    rpcUrls: urls,
    bundlerUrls: urls,
    chains: chainData,
    smartAccounts,
    paymasterKey,
  })
  const response = await frame.send('/sdk')
  expect(await response.json()).toMatchObject({ chains: [{ smartAccount: { hasPaymaster } }] })
  await frame.stop()
})

test('attack: while the projects cannot be read, no page may frame the document of one that was never read', async () => {
  await load('/sdk?projectId=harbor')
  proxy.cut()
  time += 60_000
  expect(await load('/sdk?projectId=never-read')).toEqual([503, "'none'"])
  // The origins that were read last still apply, so that pages keep working.
  expect(await load('/sdk?projectId=harbor')).toEqual([200, 'https://harbor.example'])
  proxy.mend()
})
