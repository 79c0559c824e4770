import { createRequire } from 'node:module'
import { existsSync, readFileSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  chromium,
  type Browser,
  type BrowserContext,
  type LaunchOptions,
  type Page,
  type Request,
} from 'playwright-core'
import { findChromium } from './chromium.ts'
import { openPages } from './openPages.ts'

/** Limit for each step of a page, such as a click; twice Playwright's, for busy machines. */
const stepLimitMs = 60_000

/** How long a page must send no requests to count as idle. */
const idleMs = 500

const results = fileURLToPath(new URL('../test-results', import.meta.url))

/** Chromium's flags. Most disable background traffic, so that only the page sends requests. */
const quiet = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--no-default-browser-check',
  '--no-pings',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
  '--font-render-hinting=none',
]

/** A Chromium for one test file. */
export type TestBrowser = {
  /** The Playwright browser. */
  browser: Browser
  /** Opens a page in a new browser context. */
  newPage(options?: PageOptions): Promise<TestPage>
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** The size of a page by default, in CSS pixels. */
export const desktop = { width: 1280, height: 800 }

export type PageOptions = {
  /** CSS pixels; {@link desktop} by default. */
  width?: number
  height?: number
  colorScheme?: 'light' | 'dark'
  reducedMotion?: 'reduce' | 'no-preference'
  /** BCP 47; `en-US` by default. */
  locale?: string
  /** Emulates a touch screen and a mobile viewport. */
  touch?: boolean
  /** Whether scripts run; `false` shows the server-rendered page. */
  javaScript?: boolean
}

/** A page with a log of its errors and requests, which grows while the page is open. */
export type TestPage = {
  page: Page
  context: BrowserContext
  consoleErrors: string[]
  /** Uncaught exceptions. */
  pageErrors: string[]
  /** `GET url: reason`, for failed requests and for responses with status 400 or higher. */
  failedRequests: string[]
  /** Every requested host with its port, in the order of the first requests. */
  hosts: Set<string>
  /** Every requested URL, in order. */
  requests: string[]
}

/**
 * Starts a headless Chromium. Call it once per test file, and close it after the tests.
 *
 * @param options.scrollbars - whether scrollbars are visible and take up space; false by default
 * @example
 * const browser = await launchBrowser()
 * afterAll(() => browser.close())
 * const { page, hosts } = await browser.newPage({ width: 390, height: 844, colorScheme: 'dark' })
 */
export async function launchBrowser(
  options: Omit<LaunchOptions, 'ignoreDefaultArgs'> & { scrollbars?: boolean } = {},
): Promise<TestBrowser> {
  const found = await findChromium()
  const { scrollbars, ...launch } = options
  const browser = await chromium.launch({
    executablePath: found.executablePath,
    ...launch,
    // Chromium's sandbox fails as root and in most containers; the pages are trusted.
    chromiumSandbox: false,
    // By default, Playwright uses files instead of shared memory, of which containers may have little. Files take about a
    // tenth more time.
    ignoreDefaultArgs: [
      ...(hasSharedMemory() ? ['--disable-dev-shm-usage'] : []),
      ...(scrollbars ? ['--hide-scrollbars'] : []),
    ],
    args: [...quiet, ...(launch.args ?? [])],
    env: { ...process.env, ...found.env, ...launch.env },
  })
  const close = () => browser.close()
  return {
    browser,
    newPage: (pageOptions) => newPage(browser, pageOptions),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Whether there is enough shared memory for Chromium. */
function hasSharedMemory(): boolean {
  const folder = '/dev/shm'
  if (!existsSync(folder)) return false
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize > 2 ** 30
}

/** The requests of each context, and those without a response. */
const traffic = new WeakMap<BrowserContext, { requests: string[]; pending: Set<Request> }>()

async function newPage(browser: Browser, options: PageOptions = {}): Promise<TestPage> {
  const { colorScheme = 'light', locale = 'en-US' } = options
  const { width, height } = { ...desktop, ...options }
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    locale,
    reducedMotion: options.reducedMotion ?? 'no-preference',
    hasTouch: options.touch ?? false,
    isMobile: options.touch ?? false,
    javaScriptEnabled: options.javaScript ?? true,
  })
  context.setDefaultTimeout(stepLimitMs)
  const log = watch(context)
  const page = await context.newPage()
  return { page, context, ...log }
}

/** Listens on the browser context, to include pop-ups and workers. */
function watch(context: BrowserContext): Omit<TestPage, 'page' | 'context'> {
  const log = {
    consoleErrors: [] as string[],
    pageErrors: [] as string[],
    failedRequests: [] as string[],
    hosts: new Set<string>(),
    requests: [] as string[],
  }
  const pending = new Set<Request>()
  traffic.set(context, { requests: log.requests, pending })
  const addRequest = (url: string) => {
    log.requests.push(url)
    const { host } = new URL(url)
    if (host !== '') log.hosts.add(host) // data: and blob: URLs have no host
  }
  context.on('request', (request) => {
    addRequest(request.url())
    pending.add(request)
  })
  context.on('requestfinished', (request) => pending.delete(request))
  context.on('page', (page) => {
    openPages.add(page)
    page.on('close', () => openPages.delete(page))
    page.on('websocket', (socket) => addRequest(socket.url()))
  })
  context.on('console', (message) => {
    if (message.type() === 'error') log.consoleErrors.push(message.text())
  })
  context.on('weberror', (error) => log.pageErrors.push(String(error.error())))
  context.on('requestfailed', (request) => {
    pending.delete(request)
    const reason = request.failure()?.errorText ?? 'failed'
    // The page aborted the request, for a buffered video or a navigation.
    if (reason === 'net::ERR_ABORTED') return
    log.failedRequests.push(`${request.method()} ${request.url()}: ${reason}`)
  })
  context.on('response', (response) => {
    if (response.status() < 400) return
    log.failedRequests.push(
      `${response.request().method()} ${response.url()}: ${response.status()}`,
    )
  })
  return log
}

/** Whether no page of a browser context of {@link TestBrowser.newPage} waits for a response. */
export const isIdle = (context: BrowserContext): boolean => traffic.get(context)!.pending.size === 0

/**
 * Resolves once no page of a browser context has sent a request for 500 ms, and none waits for a response. Playwright's
 * `networkidle` covers only the load, and never comes if the last frame that loads is removed.
 *
 * @param page - of {@link TestBrowser.newPage}
 * @throws {Error} with the URLs of the requests without a response, after a minute
 */
export async function untilIdle(page: Page): Promise<void> {
  const { pending, requests } = traffic.get(page.context())!
  const limit = Date.now() + stepLimitMs
  const countRequests = () => `${requests.length} sent, ${pending.size} pending`
  for (let before = ''; pending.size > 0 || before !== countRequests();) {
    if (Date.now() > limit) {
      const urls = [...pending].map((request) => request.url())
      throw new Error(`The page is not idle: ${countRequests()}. ${urls.join(', ')}`)
    }
    before = countRequests()
    await wait(idleMs)
  }
}

/** An accessibility rule that the page violates. */
export type Violation = { id: string; impact: string; help: string; nodes: string[] }

/**
 * Audits a page, or the element that a selector matches, with axe: WCAG A and AA, and axe's best
 * practices.
 *
 * @param rules - the ids of the only rules to check
 * @returns The violated rules with their elements; `[]` if there are none.
 */
export async function axe(page: Page, selector?: string, rules?: string[]): Promise<Violation[]> {
  // Evaluated, because the page's content security policy could block a script element.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource())
  return page.evaluate(
    async ({ within, only }) => {
      type Result = { id: string; impact: string; help: string; nodes: { html: string }[] }
      type Axe = { run(context: unknown, options: object): Promise<{ violations: Result[] }> }
      const { axe: tool } = globalThis as unknown as { axe: Axe }
      const { violations } = await tool.run(
        within === undefined ? document : { include: [within] },
        {
          ...(only && { runOnly: only }),
          resultTypes: ['violations'],
          // By default, axe checks no contrast above an element that has a large pseudo-element.
          checks: { 'color-contrast': { options: { ignorePseudo: true } } },
        },
      )
      return violations.map(({ id, impact, help, nodes }) => ({
        id,
        impact,
        help,
        nodes: nodes.map(({ html }) => html),
      }))
    },
    { within: selector, only: rules },
  )
}

function axeSource() {
  const file = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
  return readFileSync(file, 'utf8')
}

/**
 * Saves a screenshot in `test-results/screenshots/`.
 *
 * @param name - File name without extension; may contain folders.
 * @returns The file's path.
 */
export async function screenshot(page: Page, name: string): Promise<string> {
  const path = join(results, 'screenshots', `${name}.png`)
  await page.screenshot({ path, animations: 'disabled' })
  return path
}
