import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  chromium,
  type Browser,
  type BrowserContext,
  type LaunchOptions,
  type Page,
} from 'playwright-core'
import { findChromium } from './chromium.ts'

const results = fileURLToPath(new URL('../test-results', import.meta.url))

/** Chromium's own traffic and first-run work, all off: what is left on the wire is the page's. */
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
  /** Playwright's own object, for what the helpers do not do. */
  browser: Browser
  /** A page in a context of its own: nothing is shared with another but the process. */
  newPage(options?: PageOptions): Promise<TestPage>
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export type PageOptions = {
  /** CSS pixels; 1280 by 800 unless told. */
  width?: number
  height?: number
  colorScheme?: 'light' | 'dark'
  reducedMotion?: 'reduce' | 'no-preference'
  /** BCP 47; `en-US` unless told. */
  locale?: string
  /** Touch screen and mobile viewport rules. */
  touch?: boolean
  /** Whether the page's scripts run: `false` shows what the server rendered. */
  javaScript?: boolean
}

/** A page and what it did since it was opened; the lists grow as it goes on. */
export type TestPage = {
  page: Page
  context: BrowserContext
  consoleErrors: string[]
  /** Exceptions that nobody caught. */
  pageErrors: string[]
  /** `GET url: why`, for requests that got no answer or one from 400 up. */
  failedRequests: string[]
  /** Every host with its port that was asked for anything, in order of the first request. */
  hosts: Set<string>
  /** Every URL that was asked for, in order. */
  requests: string[]
}

/**
 * Starts Chromium, headless and quiet. Call it once in a test file and close it at its end.
 *
 * @example
 * const browser = await launchBrowser()
 * afterAll(() => browser.close())
 * const { page, hosts } = await browser.newPage({ width: 390, height: 844, colorScheme: 'dark' })
 */
export async function launchBrowser(options: LaunchOptions = {}): Promise<TestBrowser> {
  const found = await findChromium()
  const browser = await chromium.launch({
    executablePath: found.executablePath,
    ...options,
    // Chromium refuses its sandbox as root and in most containers; the pages are our own.
    chromiumSandbox: false,
    args: [...quiet, ...(options.args ?? [])],
    env: { ...process.env, ...found.env, ...options.env },
  })
  const close = () => browser.close()
  return {
    browser,
    newPage: (pageOptions) => newPage(browser, pageOptions),
    close,
    [Symbol.asyncDispose]: close,
  }
}

async function newPage(browser: Browser, options: PageOptions = {}): Promise<TestPage> {
  const { width = 1280, height = 800, colorScheme = 'light', locale = 'en-US' } = options
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    locale,
    reducedMotion: options.reducedMotion ?? 'no-preference',
    hasTouch: options.touch ?? false,
    isMobile: options.touch ?? false,
    javaScriptEnabled: options.javaScript ?? true,
  })
  const seen = watch(context)
  const page = await context.newPage()
  return { page, context, ...seen }
}

/** Listens on the whole context, so that pop-ups and workers count too. */
function watch(context: BrowserContext): Omit<TestPage, 'page' | 'context'> {
  const seen = {
    consoleErrors: [] as string[],
    pageErrors: [] as string[],
    failedRequests: [] as string[],
    hosts: new Set<string>(),
    requests: [] as string[],
  }
  const note = (url: string) => {
    seen.requests.push(url)
    const { host } = new URL(url)
    if (host !== '') seen.hosts.add(host) // data: and blob: have none
  }
  context.on('request', (request) => note(request.url()))
  context.on('page', (page) => page.on('websocket', (socket) => note(socket.url())))
  context.on('console', (message) => {
    if (message.type() === 'error') seen.consoleErrors.push(message.text())
  })
  context.on('weberror', (error) => seen.pageErrors.push(String(error.error())))
  context.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? 'failed'
    // The page itself gave it up: a video that has enough, a link followed.
    if (reason === 'net::ERR_ABORTED') return
    seen.failedRequests.push(`${request.method()} ${request.url()}: ${reason}`)
  })
  context.on('response', (response) => {
    if (response.status() < 400) return
    seen.failedRequests.push(
      `${response.request().method()} ${response.url()}: ${response.status()}`,
    )
  })
  return seen
}

/** One accessibility rule that a page breaks. */
export type Violation = { id: string; impact: string; help: string; nodes: string[] }

/**
 * Audits a page, or what a selector finds in it, with axe: every rule of WCAG A and AA and axe's
 * best practices.
 *
 * @returns The broken rules with the elements that break them; `[]` for a clean page.
 */
export async function axe(page: Page, selector?: string): Promise<Violation[]> {
  // Evaluated, not added as a script: a page's content security policy need not let it in.
  await page.evaluate(axeSource())
  return page.evaluate(async (within) => {
    type Result = { id: string; impact: string; help: string; nodes: { html: string }[] }
    type Axe = { run(context: unknown): Promise<{ violations: Result[] }> }
    const { axe: tool } = globalThis as unknown as { axe: Axe }
    const { violations } = await tool.run(within === undefined ? document : { include: [within] })
    return violations.map(({ id, impact, help, nodes }) => ({
      id,
      impact,
      help,
      nodes: nodes.map(({ html }) => html),
    }))
  }, selector)
}

function axeSource() {
  const file = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
  return readFileSync(file, 'utf8')
}

/**
 * Writes a picture of what the page shows into `test-results/screenshots/`.
 *
 * @param name - File name without its ending; folders are made.
 * @returns The file's path.
 */
export async function screenshot(page: Page, name: string): Promise<string> {
  const path = join(results, 'screenshots', `${name}.png`)
  await page.screenshot({ path, animations: 'disabled' })
  return path
}
