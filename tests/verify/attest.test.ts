import { randomBytes } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createMemoryStore } from '../../packages/sign/src/storage/createMemoryStore.ts'
import { systemClock } from '../../packages/sign/src/systemClock.ts'
import { createVerify } from '../../packages/sign/src/verify/createVerify.ts'
import { launchBrowser, type TestBrowser } from '../browser.ts'
import { servePage } from './page/serve.ts'
import { startService } from './startService.ts'

const secureService = 'https://verify.example'

/** Two new messages for each test. */
let id: string
let decryptedId: string
beforeEach(() => {
  id = randomBytes(32).toString('hex')
  decryptedId = randomBytes(32).toString('hex')
})

let browser: TestBrowser
let host: Awaited<ReturnType<typeof servePage>>
let service: Awaited<ReturnType<typeof startService>>
beforeAll(async () => {
  const args = ['--host-resolver-rules=MAP *.test 127.0.0.1']
  ;[browser, host, service] = await Promise.all([
    launchBrowser({ args }),
    servePage(),
    startService(),
  ])
})
afterAll(async () => {
  await browser.close()
  await Promise.all([host.stop(), service.stop()])
})

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
  for (const name of Object.keys(host.headers)) delete host.headers[name]
  host.pages.clear()
})

/** Opens the test page under a host name of this machine. */
async function visit(name: string) {
  const { page } = await browser.newPage()
  cleanups.push(() => page.context().close())
  await page.goto(`http://${name}:${host.port}/`)
  await page.waitForFunction(() => 'verifyParts' in window)
  return page
}

/**
 * Aborts the POST requests of the service's page, as if the service had stopped. @returns uncaught errors
 */
async function loseService(page: Page) {
  const uncaught: string[] = []
  page.context().on('weberror', (error) => uncaught.push(String(error.error())))
  await page.route(`${service.url}/**`, (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  )
  return uncaught
}

/** Opens the page under https, with the service under https too: Playwright routes replace TLS. */
async function visitSecure(name: string) {
  const { page } = await browser.newPage()
  cleanups.push(() => page.context().close())
  const targets = {
    [`https://${name}`]: `http://127.0.0.1:${host.port}`,
    [secureService]: service.url,
  }
  for (const [origin, target] of Object.entries(targets))
    await page.route(`${origin}/**`, async (route) => {
      const url = route.request().url().replace(origin, target)
      await route.fulfill({ response: await route.fetch({ url }) })
    })
  await page.goto(`https://${name}/`)
  await page.waitForFunction(() => 'verifyParts' in window)
  return page
}

function attest(page: Page, verifyUrl = service.verifyUrl, projectId = 'harbor') {
  return page.evaluate(
    async ({ verifyUrl, projectId, ids }) => {
      const start = performance.now()
      const verify = window.verifyParts.open(verifyUrl, projectId)
      const attestation = await verify.attest(ids)
      const took = performance.now() - start
      return { attestation, took, frames: document.querySelectorAll('iframe').length }
    },
    { verifyUrl, projectId, ids: { encryptedId: id, decryptedId } },
  )
}

/** The URL of the attestation page, as official clients build it. */
const path = (origin: string) =>
  `${service.verifyUrl}/attestation?${new URLSearchParams({ projectId: 'harbor', id, decryptedId, origin })}`

/** Verifies an attestation as a wallet. */
async function check(attestation: string | undefined, peerUrl: string) {
  const verify = createVerify({
    verifyUrl: service.verifyUrl,
    storage: createMemoryStore(),
    clock: systemClock,
  })
  const parameters = { attestation, encryptedId: id, decryptedId, peerUrl }
  const { verified } = await verify.check(parameters)
  verify.close()
  return verified
}

/** Starts a server that stops after the test. */
async function serve(listener: RequestListener) {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

describe('§7.12.5, §3.19.5 a page of the project', () => {
  test('gets an attestation that is VALID for its own origin only, and removes the frame', async () => {
    const page = await visit('localhost')
    const { attestation, took, frames } = await attest(page)
    expect(took).toBeLessThan(3_000)
    expect(frames).toBe(0)
    const origin = `http://localhost:${host.port}`
    expect(await check(attestation, `${origin}/app`)).toEqual({
      verifyUrl: service.verifyUrl,
      validation: 'VALID',
      origin,
      isScam: false,
    })
    expect(await check(attestation, 'https://harbor.example')).toMatchObject({
      validation: 'INVALID',
    })
    // Older wallets can look it up once.
    expect(await check(undefined, origin)).toMatchObject({ validation: 'VALID', origin })
    expect(await check(undefined, origin)).toMatchObject({ validation: 'UNKNOWN' })
  })

  test.each(['harbor.example', 'app.harbor.example'])('https://%s', async (name) => {
    const { attestation } = await attest(await visitSecure(name), `${secureService}/v3`)
    expect(await check(attestation, `https://${name}/x`)).toMatchObject({ validation: 'VALID' })
  })

  test.each([
    ['sends no referrer', { 'referrer-policy': 'no-referrer' }],
    [
      'is cross-origin isolated',
      {
        'cross-origin-embedder-policy': 'require-corp',
        'cross-origin-opener-policy': 'same-origin',
      },
    ],
    [
      'has a strict content security policy',
      { 'content-security-policy': "default-src 'self'; frame-src http://localhost:*" },
    ],
  ])('that %s', async (_, headers) => {
    Object.assign(host.headers, headers)
    const { attestation } = await attest(await visit('localhost'))
    const origin = `http://localhost:${host.port}`
    expect(await check(attestation, origin)).toMatchObject({ validation: 'VALID' })
  })

  test('that sends no referrer, with a client that does not set a referrer policy', async () => {
    host.headers['referrer-policy'] = 'no-referrer'
    const page = await visit('localhost')
    const origin = `http://localhost:${host.port}`
    const sent = await page.evaluate((url) => window.verifyParts.frame(url, 5_000), path(origin))
    const { attestation } = JSON.parse(sent!.data) as { attestation: string }
    expect(await check(attestation, origin)).toMatchObject({ validation: 'VALID' })
  })

  test('sends one request per message, even for several calls', async () => {
    const page = await visit('localhost')
    const { frames, same } = await page.evaluate(
      async ({ verifyUrl, ids, other }) => {
        const verify = window.verifyParts.open(verifyUrl, 'harbor')
        const all = [verify.attest(ids), verify.attest(ids), verify.attest(other)]
        const frames = document.querySelectorAll('iframe').length
        const [first, second, third] = await Promise.all(all)
        return { frames, same: [first === second, first === third] }
      },
      {
        verifyUrl: service.verifyUrl,
        ids: { encryptedId: id, decryptedId },
        other: { encryptedId: decryptedId, decryptedId: id },
      },
    )
    expect([frames, same]).toEqual([2, [true, false]])
  })
})

describe('a page that claims another origin', () => {
  test('error: a page of another origin cannot frame the attestation page', async () => {
    const page = await visit('evil.test')
    const { attestation, frames } = await attest(page)
    expect([attestation, frames]).toEqual([undefined, 0])
  })

  test('error: nor can a page of the project inside a page of another origin', async () => {
    const evil = await visit('evil.test')
    const inner = `http://localhost:${host.port}/`
    await evil.evaluate((url) => {
      const frame = document.createElement('iframe')
      frame.src = url
      document.body.append(frame)
    }, inner)
    await expect.poll(() => evil.frames().some((frame) => frame.url() === inner)).toBe(true)
    const frame = evil.frames().find((candidate) => candidate.url() === inner)!
    await frame.waitForFunction(() => 'verifyParts' in window)
    const attestation = await frame.evaluate(
      ({ url, ids }) => window.verifyParts.open(url, 'harbor').attest(ids),
      { url: service.verifyUrl, ids: { encryptedId: id, decryptedId } },
    )
    expect(attestation).toBeUndefined()
  })

  test('a query that names another origin gets an unverified attestation', async () => {
    const page = await visit('127.0.0.1')
    const claimed = `http://localhost:${host.port}`
    const sent = await page.evaluate((url) => window.verifyParts.frame(url, 5_000), path(claimed))
    const { attestation } = JSON.parse(sent!.data) as { attestation: string }
    const claims = JSON.parse(
      Buffer.from(attestation.split('.')[1]!, 'base64url').toString(),
    ) as unknown
    expect(claims).toMatchObject({ isVerified: false, origin: `http://127.0.0.1:${host.port}` })
    expect(await check(attestation, claimed)).toMatchObject({ validation: 'UNKNOWN' })
    expect(await check(undefined, claimed)).toMatchObject({ validation: 'UNKNOWN' })
  })

  test('error: no other page can read a ticket or submit one', async () => {
    const page = await visit('127.0.0.1')
    const read = (url: string, init: { method?: string; body?: string }) =>
      page.evaluate(
        ({ url, init }) =>
          fetch(url, init).then(
            (answer) => answer.text(),
            () => 'refused',
          ),
        { url, init },
      )
    expect(await read(path('x'), {})).toBe('refused')
    const body = JSON.stringify({ ticket: 'x' })
    const handIn = await read(`${service.verifyUrl}/attestation`, { method: 'POST', body })
    expect(handIn).toContain('only pages of this service may send here')
  })
})

describe('messages that the page receives', () => {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  /** A token in the form of an attestation; pages do not verify its signature. */
  const tokenFor = (hash: string) =>
    [{ alg: 'ES256' }, { id: hash, exp: 9e9, origin: 'x', isVerified: true }, {}]
      .map(encode)
      .join('.')
  const postScript = (message: string) => `<script>parent.postMessage(${message}, '*')</script>`
  const post = (attestation: string | null) =>
    postScript(JSON.stringify(JSON.stringify({ type: 'verify_attestation', attestation })))

  test('messages of another frame with the service’s origin are ignored', async () => {
    const url = await serve(({ url }, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(url === '/other' ? post(tokenFor(id)) : '')
    })
    const page = await visit('localhost')
    const result = await page.evaluate(
      async ({ url, ids }) => {
        const verify = window.verifyParts.open(`${url}/v3`)
        const attesting = verify.attest(ids)
        const message = await window.verifyParts.frame(`${url}/other`, 5_000)
        const first = await Promise.race([attesting, Promise.resolve('waits')])
        verify.close()
        return { message: message?.origin, first, end: await attesting }
      },
      { url, ids: { encryptedId: id, decryptedId } },
    )
    expect(result).toEqual({ message: url, first: 'waits', end: undefined })
  })

  test('messages of the frame are ignored once it has navigated to another origin', async () => {
    host.pages.set('/evil.html', post(tokenFor(id)))
    const url = await serve((_, response) => {
      response.writeHead(302, { location: `http://127.0.0.1:${host.port}/evil.html` }).end()
    })
    const page = await visit('localhost')
    expect((await attest(page, `${url}/v3`)).attestation).toBeUndefined()
  })

  test.each<[string, () => string, boolean]>([
    ['an attestation for the message', () => post(tokenFor(id)), true],
    ['no attestation', () => post(null) + post(tokenFor(id)), false],
    [
      'an invalid attestation, then a valid one',
      () => post(`e30.${encode({ id })}.e30`) + post('x') + post(tokenFor(id)),
      true,
    ],
    [
      'one for another message, then the right one',
      () => post(tokenFor(decryptedId)) + post(tokenFor(id)),
      true,
    ],
    [
      'other messages, then an attestation',
      () => postScript(`'{'`) + postScript('{}') + postScript(`'{}'`) + post(tokenFor(id)),
      true,
    ],
  ])('the service posts %s', async (_, body, isAccepted) => {
    const url = await serve((_, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(body())
    })
    const { attestation, took } = await attest(await visit('localhost'), `${url}/v3`)
    expect(attestation).toBe(isAccepted ? tokenFor(id) : undefined)
    expect(took).toBeLessThan(3_000)
  })
})

describe('a service that does not respond', () => {
  test.each([
    ['hangs', () => serve(() => {})],
    ['closes the connection', () => serve(({ socket }) => socket.destroy())],
    ['answers 404', () => serve((_, response) => void response.writeHead(404).end('{}'))],
    ['is not running', async () => 'http://localhost:1'],
    ['has an unknown host', async () => 'nowhere'],
  ])(
    'and %s: the page continues within 3 s, and sends no request for a minute',
    async (_, open) => {
      const url = await open()
      const page = await visit('localhost')
      const { first, tookMs, second, frames } = await page.evaluate(
        async ({ url, ids }) => {
          const verify = window.verifyParts.open(`${url}/v3`)
          const start = performance.now()
          const first = await verify.attest(ids)
          const tookMs = performance.now() - start
          const again = verify.attest({ ...ids, encryptedId: ids.decryptedId })
          const frames = document.querySelectorAll('iframe').length
          return { first, tookMs, second: await again, frames }
        },
        { url, ids: { encryptedId: id, decryptedId } },
      )
      expect([first, second, frames]).toEqual([undefined, undefined, 0])
      // The timeout is 3 s; the rest allows for a busy machine.
      expect(tookMs).toBeLessThan(4_500)
    },
  )

  test('and stops before it answers: the page has no uncaught error', async () => {
    const page = await visit('localhost')
    const uncaught = await loseService(page)
    expect(await attest(page)).toMatchObject({ attestation: undefined, frames: 0 })
    expect(uncaught).toEqual([])
  })

  test('close ends the request immediately and removes the frame', async () => {
    const url = await serve(() => {})
    const page = await visit('localhost')
    const { took, frames } = await page.evaluate(
      async ({ url, ids }) => {
        const verify = window.verifyParts.open(`${url}/v3`)
        const attesting = verify.attest(ids)
        const start = performance.now()
        verify.close()
        await attesting
        await verify.attest(ids)
        return {
          took: performance.now() - start,
          frames: document.querySelectorAll('iframe').length,
        }
      },
      { url, ids: { encryptedId: id, decryptedId } },
    )
    expect(frames).toBe(0)
    expect(took).toBeLessThan(1_000)
  })
})

describe('the enclave of older clients', () => {
  test('registers the hash of a page’s message with the page’s origin', async () => {
    const page = await visit('localhost')
    const origin = `http://localhost:${host.port}`
    const message = await page.evaluate(
      (url) => window.verifyParts.frame(url, 5_000),
      `${service.url}/harbor`,
    )
    expect(message).toEqual({ data: 'verify_ready', origin: service.url })
    await page.evaluate((hash) => window.frames[0]!.postMessage(hash, '*'), decryptedId)
    await expect.poll(() => check(undefined, origin)).toMatchObject({ validation: 'VALID', origin })
  })

  test('error: ignores messages of windows other than its parent', async () => {
    host.pages.set(
      '/sibling.html',
      `<script>
        parent.frames[0].postMessage('${decryptedId}', '*')
        parent.postMessage('sent', '*')
      </script>`,
    )
    const page = await visit('localhost')
    const posted: string[] = []
    page.on('request', (request) => posted.push(request.method()))
    await page.evaluate((url) => window.verifyParts.frame(url, 5_000), `${service.url}/harbor`)
    const sibling = `http://127.0.0.1:${host.port}/sibling.html`
    await page.evaluate((url) => window.verifyParts.frame(url, 5_000), sibling)
    // The page's own message is sent later, and is the only one that the enclave handles.
    const own = id
    const answered = page.waitForResponse((response) => response.request().method() === 'POST')
    await page.evaluate((hash) => window.frames[0]!.postMessage(hash, '*'), own)
    const request = (await answered).request()
    expect(request.postDataJSON()).toEqual({
      attestationId: own,
      origin: `http://localhost:${host.port}`,
    })
    expect(posted.filter((method) => method === 'POST')).toHaveLength(1)
  })

  test('error: a stopped service causes no uncaught error in the page', async () => {
    const page = await visit('localhost')
    const uncaught = await loseService(page)
    await page.evaluate((url) => window.verifyParts.frame(url, 5_000), `${service.url}/harbor`)
    const failed = page.waitForEvent('requestfailed')
    await page.evaluate((hash) => window.frames[0]!.postMessage(hash, '*'), id)
    await failed
    expect(await page.frames()[1]!.evaluate('document.readyState')).toBe('complete')
    expect(uncaught).toEqual([])
  })

  test('error: another origin cannot frame it', async () => {
    const page = await visit('evil.test')
    const message = await page.evaluate(
      (url) => window.verifyParts.frame(url, 1_000),
      `${service.url}/harbor`,
    )
    expect(message).toBeUndefined()
  })
})
