import { brotliCompressSync, constants } from 'node:zlib'
import type { SignClient } from '@gatefold/sign'
import type { BrowserContext, Page, Response } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { launchBrowser, type TestBrowser } from '../browser.ts'
import { openPage } from './openPage.ts'
import { account, requested, granted, next, startClients } from './clients.ts'
import { servePage } from './page/serve.ts'

let browser: TestBrowser
let server: Awaited<ReturnType<typeof servePage>>
beforeAll(async () => {
  ;[browser, server] = await Promise.all([
    launchBrowser({ args: ['--host-resolver-rules=MAP *.test 127.0.0.1'] }),
    servePage(new URL('app/', import.meta.url)),
  ])
})
afterAll(async () => {
  await browser.close()
  await server.stop()
})

let relay: Awaited<ReturnType<typeof startClients>>
beforeEach(async () => {
  relay = await startClients([`http://app.test:${server.port}`])
})
afterEach(() => relay.end())

async function load(page: Page, url = server.url) {
  await page.goto(url)
  await page.waitForFunction(() => 'openApp' in window)
  await page.evaluate(([relayUrl, verifyUrl]) => window.openApp(relayUrl, verifyUrl), [
    relay.relayUrl,
    relay.verifyUrl,
  ] as const)
}

/** Connects the page with a wallet in this process. @returns the session topic */
async function connect(page: Page, wallet: SignClient) {
  const proposed = next<{ id: number }>((listener) => wallet.on('session_proposal', listener))
  const uri = await page.evaluate(async (optionalNamespaces) => {
    const { uri, approval } = await window.app.client.connect({ optionalNamespaces })
    window.app.approval = approval()
    return uri
  }, requested)
  await wallet.pair({ uri: uri ?? '' })
  const { id } = await proposed
  const { topic, acknowledged } = await wallet.approve({ id, namespaces: granted })
  await Promise.all([page.evaluate(() => window.app.approval), acknowledged()])
  return topic
}

/** Sends a request from the page. */
async function sign(page: Page, wallet: SignClient, topic: string) {
  const stop = wallet.on('session_request', ({ id }) => {
    void wallet.respond({ topic, response: { id, jsonrpc: '2.0', result: '0xsigned' } })
  })
  const request = { method: 'personal_sign', params: ['0x68656c6c6f', account.split(':')[2]] }
  const answer = await page.evaluate((request) => window.app.client.request(request), {
    topic,
    chainId: 'eip155:1',
    request,
  })
  stop()
  return answer
}

/** Records the scripts that a context loads. */
function watchScripts(context: BrowserContext) {
  const scripts = new Map<string, Response>()
  context.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (pathname.endsWith('.js')) scripts.set(pathname, response)
  })
  return {
    names: () => [...scripts.keys()].toSorted(),
    async brotli() {
      let sum = 0
      for (const response of scripts.values())
        sum += brotliCompressSync(await response.body(), {
          params: { [constants.BROTLI_PARAM_QUALITY]: 11 },
        }).length
      return sum
    },
  }
}

test('an app loads at most 30 KB of scripts (brotli), all of them with the page; §7.14.3 it contacts only configured hosts; §9.10.2/2 it logs nothing', async () => {
  const { page, context, requests, hosts, pageErrors } = await openPage(browser)
  const logged: string[] = []
  context.on('console', (message) => logged.push(message.text()))
  const scripts = watchScripts(context)
  await load(page)
  const atFirst = scripts.names()

  const wallet = relay.create('wallet')
  const topic = await connect(page, wallet)
  expect(await sign(page, wallet, topic)).toBe('0xsigned')
  const event = { name: 'accountsChanged', data: [account] }
  await wallet.emit({ topic, chainId: 'eip155:1', event })
  await (await wallet.update({ topic, namespaces: granted })).acknowledged()
  await (await wallet.extend({ topic })).acknowledged()
  await expect
    .poll(() => page.evaluate(() => window.app.emitted))
    .toEqual(['session_event', 'session_update', 'session_extend'])
  await page.evaluate((topic) => window.app.client.ping({ topic }), topic)

  await load(page)
  const restored = await page.evaluate(() => window.app.client.sessions())
  expect(restored).toMatchObject([{ topic, namespaces: granted }])
  expect(await sign(page, wallet, topic)).toBe('0xsigned')
  const second = await context.newPage()
  await load(second)
  expect(await sign(second, wallet, topic)).toBe('0xsigned')
  const deleted = next((listener) => wallet.on('session_delete', listener))
  await second.evaluate((topic) => window.app.client.disconnect({ topic }), topic)
  await deleted
  await expect.poll(() => page.evaluate(() => window.app.client.sessions())).toEqual([])

  expect(requests.some((url) => url.startsWith(`${relay.verifyUrl}/attestation`))).toBe(true)
  const given = [server.url, relay.relayUrl, relay.verifyUrl].map((url) => new URL(url).host)
  expect([...hosts].toSorted()).toEqual([...new Set(given)].toSorted())
  expect([pageErrors, logged]).toEqual([[], []])
  expect(scripts.names()).toEqual(atFirst)
  const size = await scripts.brotli()
  expect(size).toBeLessThanOrEqual(30_000)
  // A smaller size would mean that a script was not counted.
  expect(size).toBeGreaterThan(20_000)
})

test('a page without TLS, which has no WebCrypto, connects with curves from @noble/curves', async () => {
  const { page, context, pageErrors } = await openPage(browser)
  const scripts = watchScripts(context)
  await load(page, `http://app.test:${server.port}`)
  expect(await page.evaluate(() => [isSecureContext, 'subtle' in crypto])).toEqual([false, false])
  expect(scripts.names().join()).toContain('createNobleCurves')
  const wallet = relay.create('wallet')
  const topic = await connect(page, wallet)
  expect(await sign(page, wallet, topic)).toBe('0xsigned')
  await load(page, `http://app.test:${server.port}`)
  expect(await sign(page, wallet, topic)).toBe('0xsigned')
  expect(pageErrors).toEqual([])
})
