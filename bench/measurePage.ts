import { untilIdle, type TestBrowser } from '@gatefold/tests/browser'

import { inPage } from './inPage.ts'
import type { Site } from './serveSite.ts'

/**
 * A measured page. `list` is a selector for the dialog that contains its wallet list.
 */
export type Measured = {
  site: Site
  list: string
  query?: string
  /** Simulates Save-Data, so that the kit loads the modal only on the first hover, focus or click. */
  saveData?: boolean
}

declare global {
  /** Opens a view of the modal on the page with Gatefold. */
  var openView: (name: string) => void
}

declare const stopwatch: {
  clicked: number
  requested: number
  untilPainted(selector: string, text: string): Promise<number>
}

const wallet = 'Bench Wallet'
const connect = '[data-testid="connect"]'

async function openPage(browser: TestBrowser, { site, query = '', saveData }: Measured) {
  const opened = await browser.newPage()
  await opened.page.addInitScript(inPage)
  if (saveData)
    await opened.page.addInitScript(() => {
      Object.defineProperty(navigator, 'connection', { value: { saveData: true } })
    })
  await opened.page.goto(`${site.url}/${query}`)
  await untilIdle(opened.page)
  return opened
}

async function clickUntilPainted(
  page: Awaited<ReturnType<typeof openPage>>['page'],
  list: string,
): Promise<number> {
  const painted = page.evaluate(([selector, text]) => stopwatch.untilPainted(selector, text), [
    list,
    wallet,
  ] as const)
  await page.locator(connect).click()
  return painted
}

/**
 * Counts the JS and CSS bytes of the first load, and of everything until the wallet list is shown
 * and the chunks for the next click have been prefetched. Also counts the requests before the
 * click.
 */
export async function measureBytes(browser: TestBrowser, measured: Measured) {
  const { page, context, requests } = await openPage(browser, measured)
  const firstLoad = bytesOf(measured, await initialRequests(page))
  const requestsBefore = requests.filter((url) => !url.startsWith('data:')).length
  await clickUntilPainted(page, measured.list)
  await untilIdle(page)
  const untilOpen = bytesOf(measured, requests)
  await context.close()
  return { firstLoad, untilOpen, requestsBefore }
}

/**
 * Measures the JS and CSS that a QR code adds to the open list, in bytes after Brotli compression, and the
 * time from the click until the code is painted, in ms. No relay responds, because the page shows the code
 * without one.
 */
export async function measureCode(browser: TestBrowser, measured: Measured, runs = 9) {
  const times: number[] = []
  let added = 0
  for (let run = 0; run < runs; run++) {
    const { page, context, requests } = await openPage(browser, {
      ...measured,
      query: '?relay=http://127.0.0.1:9',
    })
    await clickUntilPainted(page, measured.list)
    await untilIdle(page)
    const before = bytesOf(measured, requests)
    const painted = page.evaluate(
      (selector) => stopwatch.untilPainted(selector, ''),
      `${measured.list} svg[role="img"]`,
    )
    await page.locator(measured.list).getByText('WalletConnect').click()
    times.push(await painted)
    await untilIdle(page)
    added = bytesOf(measured, requests).brotli - before.brotli
    await context.close()
  }
  return { added, painted: median(times) }
}

/** The views whose code is measured beyond that of Account. */
const measuredViews = ['Swap', 'WalletSend', 'OnRampProviders', 'ChooseAccountName'] as const

/** The limits of the views' code, in KB: for Account beyond the connect view, and for the others beyond Account. */
export const viewLimitsKb = {
  Account: 25,
  Swap: 15,
  WalletSend: 15,
  OnRampProviders: 15,
  ChooseAccountName: 15,
}

/**
 * Counts the JS and CSS bytes, after Brotli compression, that opening Account adds to the connect view, and that further
 * views add to Account. Each count includes connecting, and the chunks for the next click.
 */
export async function measureViews(browser: TestBrowser, measured: Measured) {
  const added = { Account: 0, Swap: 0, WalletSend: 0, OnRampProviders: 0, ChooseAccountName: 0 }
  for (const view of measuredViews) {
    const { page, context, requests } = await openPage(browser, measured)
    const openView = async (name: string) => {
      const before = bytesOf(measured, requests).brotli
      await page.evaluate((opened) => globalThis.openView(opened), name)
      await page.locator(`${measured.list}[data-view="${name}"]:not([aria-busy])`).waitFor()
      await untilIdle(page)
      return bytesOf(measured, requests).brotli - before
    }
    await clickUntilPainted(page, measured.list)
    await untilIdle(page)
    const connect = bytesOf(measured, requests).brotli
    await page.locator(measured.list).getByText(wallet).first().click()
    await page.locator('[data-testid="account"]').waitFor()
    await openView('Account')
    added.Account = bytesOf(measured, requests).brotli - connect
    await page.keyboard.press('Escape')
    added[view] = await openView(view)
    await context.close()
  }
  return added
}

/** Requests that a page sends before the end of its load event. The kit prefetches after that. */
function initialRequests(page: Awaited<ReturnType<typeof openPage>>['page']): Promise<string[]> {
  return page.evaluate(() => {
    const navigation = performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming
    return performance
      .getEntriesByType('resource')
      .filter(({ startTime }) => startTime < navigation.loadEventEnd)
      .map(({ name }) => name)
  })
}

/** Compressed bytes of the JS and CSS that a page requested from its own origin. */
function bytesOf(measured: Measured, requests: readonly string[]) {
  const total = { gzip: 0, brotli: 0 }
  const own = [...new Set(requests)].filter((url) => url.startsWith(measured.site.url))
  for (const url of own) {
    const path = new URL(url).pathname
    if (!/\.(js|css)$/.test(path)) continue
    const size = measured.site.size(path)
    total.gzip += size?.gzip ?? 0
    total.brotli += size?.brotli ?? 0
  }
  return total
}

/**
 * Measures cold first opens, each in a new browser context, in ms.
 *
 * @param parameters.restMs - how long the pointer hovers over the button before the click. With 0, it clicks
 * within a few ms of reaching the button, faster than a person could
 */
export async function measureFirstOpen(
  browser: TestBrowser,
  measured: Measured,
  parameters: { runs: number; restMs?: number },
) {
  const { runs, restMs = 0 } = parameters
  const times: number[] = []
  for (let run = 0; run < runs; run++) {
    const { page, context } = await openPage(browser, measured)
    if (restMs > 0) {
      await page.locator(connect).hover()
      await page.waitForTimeout(restMs)
    }
    times.push(await clickUntilPainted(page, measured.list))
    await context.close()
  }
  return median(times)
}

/** Measures later opens in the same page, in ms. */
export async function measureSecondOpen(browser: TestBrowser, measured: Measured, runs = 9) {
  const { page, context } = await openPage(browser, measured)
  const times: number[] = []
  for (let run = 0; run <= runs; run++) {
    const time = await clickUntilPainted(page, measured.list)
    if (run > 0) times.push(time)
    await page.keyboard.press('Escape')
    await page.locator(measured.list).getByText(wallet).waitFor({ state: 'hidden' })
  }
  await context.close()
  return median(times)
}

/**
 * Measures the time from the click on a wallet until the wallet gets the request, and until the address is
 * painted, in ms.
 */
export async function measureConnect(browser: TestBrowser, measured: Measured, runs = 9) {
  const requested: number[] = []
  const connected: number[] = []
  for (let run = 0; run < runs; run++) {
    const { page, context } = await openPage(browser, measured)
    await clickUntilPainted(page, measured.list)
    const painted = page.evaluate(() => stopwatch.untilPainted('[data-testid="account"]', '0x'))
    await page.locator(measured.list).getByText(wallet).first().click()
    connected.push(await painted)
    requested.push(await page.evaluate(() => stopwatch.requested))
    await context.close()
  }
  return { requested: median(requested), connected: median(connected) }
}

/**
 * Measures the JS heap in KB, after garbage collection, before and after opening and closing the modal
 * many times.
 */
export async function measureHeap(browser: TestBrowser, measured: Measured, cycles: number) {
  const { page, context } = await openPage(browser, measured)
  const session = await context.newCDPSession(page)
  const heap = async () => {
    await session.send('HeapProfiler.collectGarbage')
    const { usedSize } = await session.send('Runtime.getHeapUsage')
    return Math.round(usedSize / 1024)
  }
  const cycle = async () => {
    await page.locator(connect).click()
    await page.locator(measured.list).getByText(wallet).first().waitFor()
    await page.keyboard.press('Escape')
    await page.locator(measured.list).getByText(wallet).first().waitFor({ state: 'hidden' })
  }
  await cycle()
  const before = await heap()
  for (let run = 0; run < cycles; run++) await cycle()
  const after = await heap()
  await context.close()
  return { before, after }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return Math.round((sorted[Math.floor(sorted.length / 2)] ?? Number.NaN) * 10) / 10
}
