import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createReadStream } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { axe, launchBrowser, type TestBrowser, type TestPage } from '@gatefold/tests/browser'
import { closeAfterTest } from '@gatefold/tests/closeAfterTest'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { buildBook } from './src/build.ts'
import { startBook, type RunningBook } from './src/server.ts'

// Runs the production build in Chromium, without the rest of the stack.

let browser: TestBrowser
let book: RunningBook

beforeAll(async () => {
  await buildBook()
  book = await startBook({ port: 0, env: {} })
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await book?.stop()
})

/** Opens a page and waits for hydration. */
async function open(options?: Parameters<TestBrowser['newPage']>[0], from = book, path = '/') {
  const tab = closeAfterTest(await browser.newPage(options))
  await tab.page.goto(`${from.url}${path}`)
  await hydrated(tab)
  return tab
}

/** Waits for hydration: React adds props to the DOM nodes it has hydrated. */
async function hydrated({ page }: TestPage) {
  await page.waitForFunction(() =>
    Object.keys(document.querySelector('.film-toggle') ?? {}).some((key) =>
      key.startsWith('__reactProps'),
    ),
  )
}

const state = ({ page }: TestPage) =>
  page.locator('video').evaluate((video: HTMLVideoElement) => ({
    playing: !video.paused && video.currentTime > 0,
    muted: video.muted,
    loop: video.loop,
  }))

const films = ({ requests }: TestPage) => requests.filter((url) => /\/film\.(webm|mp4)/.test(url))

describe('the film', () => {
  test('§1.6.1 plays muted in a loop over the whole screen, behind overlay and text', async () => {
    const tab = await open({ width: 1024, height: 700 })
    await expect.poll(async () => (await state(tab)).playing).toBe(true)
    expect(await state(tab)).toEqual({ playing: true, muted: true, loop: true })
    expect(await tab.page.locator('video').boundingBox()).toEqual({
      x: 0,
      y: 0,
      width: 1024,
      height: 700,
    })
    const onTop = await tab.page.evaluate(() => document.elementFromPoint(512, 20)?.className)
    expect(onTop).not.toBe('film')
    const h1 = await tab.page.locator('h1').boundingBox()
    expect((h1?.x ?? 0) + (h1?.width ?? 0) / 2).toBeCloseTo(512, 0)
  })

  test('is not loaded with reduced motion', async () => {
    const tab = await open({ reducedMotion: 'reduce' })
    await tab.page.getByRole('button', { name: 'Play the film' }).waitFor()
    await idle(tab)
    expect(films(tab)).toEqual([])
    expect((await state(tab)).playing).toBe(false)
  })

  test('with Save-Data, is not loaded until the visitor plays it', async () => {
    const tab = closeAfterTest(await browser.newPage())
    await tab.page.addInitScript(() => {
      Object.defineProperty(navigator, 'connection', { value: { saveData: true } })
    })
    await tab.page.goto(book.url)
    await hydrated(tab)
    await idle(tab)
    expect(films(tab)).toEqual([])
    await tab.page.getByRole('button', { name: 'Play the film' }).click()
    await tab.page.getByRole('button', { name: 'Pause the film' }).click()
    expect(films(tab).length).toBeGreaterThan(0)
    expect((await state(tab)).playing).toBe(false)
  })
})

describe('the page', () => {
  test.each([
    [767, 0],
    [768, 3],
    [1440, 3],
  ])('§1.6.2 at %i px shows %i footer links', async (width, count) => {
    const tab = await open({ width, height: 800, reducedMotion: 'reduce' })
    expect(await tab.page.locator('footer a:visible').count()).toBe(count)
  })

  test.each([
    [320, 568],
    [390, 844],
    [844, 390],
    [1440, 900],
  ])('§2.2.1 at %i × %i fills the screen and never scrolls', async (width, height) => {
    const tab = await open({ width, height, reducedMotion: 'reduce' })
    const body = await tab.page.evaluate(() => ({
      overflow: getComputedStyle(document.body).overflow,
      height: document.body.offsetHeight,
      scrolls: document.documentElement.scrollHeight > innerHeight,
      wide: document.documentElement.scrollWidth > innerWidth,
    }))
    expect(body).toEqual({ overflow: 'hidden', height, scrolls: false, wide: false })
    const button = await tab.page.getByTestId('connect').boundingBox()
    expect(button?.height).toBeGreaterThanOrEqual(44)
    expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThan(height)
  })

  test('hydrates without errors and sends requests only to its own server', async () => {
    const tab = await open()
    await expect.poll(async () => (await state(tab)).playing).toBe(true)
    expect(tab.consoleErrors).toEqual([])
    expect(tab.pageErrors).toEqual([])
    expect(tab.failedRequests).toEqual([])
    expect([...tab.hosts]).toEqual([`localhost:${book.port}`])
  })

  test.each(['/', '/nowhere'])('has no accessibility violations at %s', async (path) => {
    const tab = await open({ reducedMotion: 'reduce' }, book, path)
    expect(await axe(tab.page)).toEqual([])
  })

  test('§2.1.2 of an unknown path keeps the background and links home', async () => {
    const tab = await open({ reducedMotion: 'reduce' }, book, '/nowhere')
    expect(await tab.page.locator('h1').textContent()).toBe('404')
    expect(await tab.page.locator('video').count()).toBe(1)
    await tab.page.getByRole('link', { name: 'Back to the book' }).click()
    await tab.page.getByRole('heading', { name: 'Book of Ethereum' }).waitFor()
    expect(new URL(tab.page.url()).pathname).toBe('/')
  })

  test('§2.15.3 opens a modal with the accent and border radius of the Book', async () => {
    const tab = await open({ reducedMotion: 'reduce' })
    await tab.page.getByTestId('connect').click()
    const card = tab.page.getByRole('dialog')
    await card.waitFor()
    const theme = await card.evaluate((element) => {
      const style = getComputedStyle(element)
      return ['--gf-accent', '--gf-border-radius-master'].map((name) =>
        style.getPropertyValue(name).trim().toLowerCase(),
      )
    })
    expect(theme).toEqual(['#cd9d6a', '10px'])
  })
})

describe('with a wallet', () => {
  /** Connects the announced test wallet. */
  async function connect() {
    const networks = [
      {
        id: 31337,
        name: 'Nowhere, a network with a name that no phone has room for',
        rpcUrl: 'http://chain.invalid',
      },
    ]
    const env = {
      BOOK_NETWORKS: JSON.stringify(networks),
      BOOK_GATEWAY_URL: 'http://gate.invalid',
    }
    const running = await startBook({ port: 0, env })
    onTestFinished(() => running.stop())
    const tab = closeAfterTest(await browser.newPage({ reducedMotion: 'reduce' }))
    await tab.page.addInitScript(announcePaperWallet)
    await tab.page.goto(running.url)
    await hydrated(tab)
    await tab.page.getByTestId('connect').click()
    await tab.page.getByRole('dialog').getByText('Paper Wallet').click()
    await tab.page.getByTestId('account').waitFor()
    return { ...tab, running }
  }

  test('§2.2.1 a toast is amber, has no progress bar and disappears', async () => {
    const { page } = await connect()
    const toast = page.locator('.toasts').getByText('Connected to Paper Wallet. Welcome.')
    await toast.waitFor()
    expect(await toast.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe(
      'rgb(245, 198, 107)',
    )
    expect(await page.locator('.toasts').locator('progress, [role=progressbar]').count()).toBe(0)
    await page.mouse.move(0, 0)
    await toast.waitFor({ state: 'detached' })
  })

  test('§9.12.3 the server renders the connected account', async () => {
    const { context, running, page } = await connect()
    const html = await (await context.request.get(running.url)).text()
    expect(textOf(html)).toContain('0xf39F…2266')
    expect(textOf(html)).not.toContain('Connect Wallet')
    expect(await page.getByTestId('account').innerText()).toContain('0xf39F…2266')
  })

  test('the account and a long network name fit at 320 px', async () => {
    const { page } = await connect()
    await page.setViewportSize({ width: 320, height: 568 })
    for (const pill of await page.locator('main button').all()) {
      const box = await pill.boundingBox()
      expect(box?.x).toBeGreaterThanOrEqual(0)
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(320)
      expect(box?.height).toBeGreaterThanOrEqual(44)
    }
  })

  test('error: without a server, names what couldn’t be loaded, at the same height as the placeholders', async () => {
    const { page } = await connect()
    const spread = page.locator('.at-hand')
    const heightOf = () => spread.evaluate((element: HTMLElement) => element.offsetHeight)
    for (const width of [1280, 320]) {
      await page.setViewportSize({ width, height: 720 })
      await page.reload()
      await spread.locator('[aria-busy=true]').first().waitFor()
      await expect.poll(heightOf).toBeGreaterThan(0)
      const height = await heightOf()
      await spread
        .getByRole('alert')
        .filter({ hasText: 'Your tokens couldn’t be loaded.' })
        .waitFor()
      await spread
        .getByRole('alert')
        .filter({ hasText: 'Your activity couldn’t be loaded.' })
        .waitFor()
      expect(await heightOf()).toBe(height)
      expect(await spread.getByRole('button', { name: 'Try again' }).count()).toBe(2)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      expect(await axe(page, 'main')).toEqual([])
    }
  })

  test('signing shows the signature, or says that the visitor declined', async () => {
    const { page, consoleErrors, pageErrors } = await connect()
    await page.getByRole('button', { name: 'Sign a message' }).click()
    await page.getByRole('textbox', { name: 'Message' }).fill('yes')
    await page.getByRole('button', { name: 'Sign', exact: true }).click()
    await page.getByText('0xababab…ababab').waitFor()
    await page.getByRole('textbox', { name: 'Message' }).fill('no')
    await page.getByRole('button', { name: 'Sign', exact: true }).click()
    await page.getByRole('status').getByText('You declined the request in Paper Wallet.').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(await axe(page, 'main')).toEqual([])
    await page.keyboard.press('Escape')
    const back = page.getByRole('button', { name: 'Sign a message' })
    await back.waitFor()
    expect(await back.evaluate((button) => button === document.activeElement)).toBe(true)
    expect(pageErrors).toEqual([])
    // Ignores errors caused by the configured chain and server, which do not exist.
    expect(
      consoleErrors.filter(
        (text) => !/^Failed to load resource|^Gatefold: Server Not Reachable/.test(text),
      ),
    ).toEqual([])
  })
})

describe('fonts', () => {
  test('§2.2.3 §7.21 load from the configured service only', async () => {
    const service = await startFontService()
    const styled = await startBook({ port: 0, env: { BOOK_FONT_CSS: `${service.url}/fonts.css` } })
    onTestFinished(() => styled.stop())
    const tab = await open({ reducedMotion: 'reduce' }, styled)
    await expect.poll(() => service.served).toEqual(['/fonts.css', '/serif.woff2'])
    expect([...tab.hosts]).toEqual([`localhost:${styled.port}`, new URL(service.url).host])
    expect(tab.consoleErrors).toEqual([])
  })

  test('§7.21 fall back to the bundled ones if the service does not respond', async () => {
    const silent = await startFontService({ silent: true })
    const styled = await startBook({ port: 0, env: { BOOK_FONT_CSS: `${silent.url}/fonts.css` } })
    onTestFinished(() => styled.stop())
    const { page } = closeAfterTest(await browser.newPage({ reducedMotion: 'reduce' }))
    await page.goto(styled.url, { waitUntil: 'commit' })
    await vi.waitFor(async () => {
      expect(await page.evaluate(paintState)).toEqual({ painted: true, bundled: true })
    }, 10_000)
    expect(silent.served).toEqual([])
  })
})

/** Runs in the page: announces a wallet that approves every request it supports, except signing “no”. */
function announcePaperWallet() {
  const account = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
  const answers: Record<string, (parameters: unknown[]) => unknown> = {
    eth_requestAccounts: () => [account],
    eth_accounts: () => [account],
    eth_chainId: () => '0x7a69',
    personal_sign: ([text]) => {
      if (text !== '0x6e6f') return `0x${'ab'.repeat(65)}`
      throw Object.assign(new Error('User rejected the request.'), { code: 4001 })
    },
  }
  const provider = {
    async request({ method, params = [] }: { method: string; params?: unknown[] }) {
      const answer = answers[method]
      if (!answer) throw Object.assign(new Error(`No ${method} here.`), { code: 4200 })
      return answer(params)
    },
    on() {},
    removeListener() {},
  }
  const info = {
    uuid: '6f1d1b5e-0000-4000-8000-000000000001',
    name: 'Paper Wallet',
    icon: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>',
    rdns: 'dev.gatefold.paper',
  }
  const detail = Object.freeze({ info, provider })
  const announce = () =>
    window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  window.addEventListener('eip6963:requestProvider', announce)
  announce()
}

/** The text of a document. */
function textOf(html: string) {
  return html
    .replace(/<script[\s\S]*?<\/script>|<!--.*?-->/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
}

/** Runs in the page: returns whether it has painted and loaded the bundled title font. */
function paintState() {
  const painted = performance.getEntriesByName('first-contentful-paint').length > 0
  const loaded = [...document.fonts].filter(({ status }) => status === 'loaded')
  return { painted, bundled: loaded.some(({ family }) => /Newsreader Variable/.test(family)) }
}

/** Waits for two idle callbacks. */
function idle({ page }: TestPage) {
  return page.evaluate(
    () =>
      new Promise<void>((done) => {
        requestIdleCallback(() => requestIdleCallback(() => done()))
      }),
  )
}

/** Starts a font service with one family. With `silent`, it does not respond. */
async function startFontService({ silent = false } = {}) {
  const served: string[] = []
  const font = fileURLToPath(
    import.meta.resolve('@fontsource-variable/newsreader/files/newsreader-latin-wght-normal.woff2'),
  )
  const css = `@font-face { font-family: Newsreader; src: url(serif.woff2); font-weight: 200 800; }`
  const server: Server = createServer((request, response) => {
    if (silent) return
    served.push(request.url ?? '')
    response.setHeader('Access-Control-Allow-Origin', '*')
    if (request.url === '/fonts.css') response.setHeader('Content-Type', 'text/css').end(css)
    else createReadStream(font).pipe(response.setHeader('Content-Type', 'font/woff2'))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const stop = () => {
    server.close()
    server.closeAllConnections()
  }
  onTestFinished(stop)
  return { url: `http://localhost:${port}`, served }
}
