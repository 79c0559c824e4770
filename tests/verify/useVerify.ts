import { randomBytes } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { createMemoryStore } from '../../packages/sign/src/storage/createMemoryStore.ts'
import { systemClock } from '../../packages/sign/src/systemClock.ts'
import { createVerify } from '../../packages/sign/src/verify/createVerify.ts'
import { launchBrowser, type TestBrowser } from '../browser.ts'
import { servePage } from './page/serve.ts'
import { startService } from './startService.ts'

/** The service's https URL, for pages that `visitSecure` opens. */
export const secureService = 'https://verify.example'

/**
 * Starts the verify service, a server for the test page, and a browser for a test file. Pages and
 * servers that a test opens are closed after the test.
 */
export function useVerify() {
  /** Hashes of a message before and after encryption, new for each test. */
  const ids = { encryptedId: '', decryptedId: '' }
  beforeEach(() => {
    ids.encryptedId = randomBytes(32).toString('hex')
    ids.decryptedId = randomBytes(32).toString('hex')
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
    await page.waitForFunction(() => 'verifyApi' in window)
    return page
  }

  /**
   * Aborts the POST requests that the attestation page sends, as if the service had stopped.
   * @returns the uncaught errors
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
        const request = route.request()
        const url = request.url().replace(origin, target)
        // Chromium adds these headers after the interception.
        const isNavigation = request.isNavigationRequest()
        const headers = {
          ...request.headers(),
          'sec-fetch-dest': isNavigation ? 'iframe' : 'empty',
          'sec-fetch-mode': isNavigation ? 'navigate' : 'cors',
          'sec-fetch-site': isNavigation ? 'cross-site' : 'same-origin',
        }
        await route.fulfill({ response: await route.fetch({ url, headers }) })
      })
    await page.goto(`https://${name}/`)
    await page.waitForFunction(() => 'verifyApi' in window)
    return page
  }

  function attest(page: Page, verifyUrl = service.verifyUrl, projectId = 'harbor') {
    return page.evaluate(
      async ({ verifyUrl, projectId, ids }) => {
        const start = performance.now()
        const verify = window.verifyApi.open(verifyUrl, projectId)
        const attestation = await verify.attest(ids)
        const tookMs = performance.now() - start
        return { attestation, tookMs, frames: document.querySelectorAll('iframe').length }
      },
      { verifyUrl, projectId, ids },
    )
  }

  /** The attestation page's URL, as official clients build it. */
  const path = (origin: string) => {
    const { encryptedId: id, decryptedId } = ids
    const query = new URLSearchParams({ projectId: 'harbor', id, decryptedId, origin })
    return `${service.verifyUrl}/attestation?${query}`
  }

  /** Verifies an attestation as a wallet. */
  async function check(attestation: string | undefined, peerUrl: string) {
    const verify = createVerify({
      verifyUrl: service.verifyUrl,
      storage: createMemoryStore(),
      clock: systemClock,
    })
    const parameters = { attestation, ...ids, peerUrl }
    const { verified } = await verify.check(parameters)
    verify.close()
    return verified
  }

  /** Starts a server that is stopped after the test. */
  async function serve(listener: RequestListener) {
    const server = createServer(listener)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    cleanups.push(() => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    })
    return `http://localhost:${(server.address() as AddressInfo).port}`
  }

  return {
    ids,
    host: () => host,
    service: () => service,
    visit,
    visitSecure,
    loseService,
    attest,
    path,
    check,
    serve,
  }
}
