import type { FrameLocator, Page } from 'playwright-core'
import { recoverMessageAddress, type Hex } from 'viem'
import { expect } from 'vitest'
import type { TestBrowser } from '../browser.ts'
import { hostPage, type FrameStack } from './startFrame.ts'

export type Reply = { type: string; payload?: { message?: string; address?: string } | string }

/** The globals of a page that embeds the frame. */
export type HostWindow = Window & {
  send(name: string, payload?: unknown, id?: string): Promise<Reply>
  signed?: Promise<Reply>
  received: { data: { type?: string } }[]
  cards: (number | null)[]
  /** The purposes of the cards. */
  kinds: string[]
}
declare const window: HostWindow

/** Permissions for a frame that may use passkeys. */
export const passkeys = 'publickey-credentials-get *; publickey-credentials-create *'

export type HostOptions = {
  allow?: string
  init?: (() => void) | undefined
  locale?: string
  /** The URL of the frame's document. */
  documentUrl?: string
  /** Whether the page and the frame are on different sites. */
  isOtherSite?: boolean
  /** Changes the document of the frame. */
  change?: (html: string) => string
}

/**
 * Denies storage to frames, as Chromium does for cross-site frames if third-party cookies are blocked and storage is
 * not partitioned. The headless shell has no setting for this.
 */
export function denyStorage() {
  if (window.top === window) return
  const deny = () => {
    throw new DOMException('Access is denied for this document.', 'SecurityError')
  }
  IDBFactory.prototype.open = deny
  for (const name of ['localStorage', 'sessionStorage'])
    Object.defineProperty(window, name, { get: deny })
}

/** Arguments with which Chromium partitions storage. Playwright disables it; of several flags, the last one counts. */
export const partitioned = [
  '--disable-features=Translate',
  '--enable-features=ThirdPartyStoragePartitioning',
]

/** How browsers store the data of a frame on another site, with what a test needs for it. */
export const storageModes: readonly {
  storage: string
  args: string[]
  init: (() => void) | undefined
}[] = [
  { storage: 'partitioned', args: partitioned, init: undefined },
  { storage: 'denied', args: [], init: denyStorage },
]

/** A page that embeds the frame, as official clients do, in a new browser profile. */
export async function openHost(browser: TestBrowser, frame: FrameStack, options: HostOptions = {}) {
  const { documentUrl = frame.documentUrl(), isOtherSite = false, change } = options
  const html = hostPage(documentUrl, '').replace(
    '<iframe ',
    `<iframe allow="${options.allow ?? ''}" `,
  )
  const served = await frame.serve({ '/': html })
  const url = isOtherSite ? served.replace('localhost', '127.0.0.1') : served
  const opened = await browser.newPage(
    options.locale === undefined ? {} : { locale: options.locale },
  )
  if (options.init) await opened.context.addInitScript(options.init)
  if (change)
    await opened.page.route(`${frame.url}/sdk?**`, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: change(await response.text()) })
    })
  await opened.page.goto(url)
  return { ...opened, url, inside: opened.page.frameLocator('#w3m-iframe') }
}

export const types = (page: Page) =>
  page.evaluate(() => window.received.map(({ data }) => data.type ?? ''))

export const send = (page: Page, name: string, payload?: unknown) =>
  page.evaluate(([n, p]) => window.send(n, p), [name, payload] as const)

/** Logs in by email as the official client does, and returns the address. */
export async function login(
  frame: FrameStack,
  page: Page,
  email: string,
  nth: number,
): Promise<string> {
  await expect.poll(() => send(page, 'IS_CONNECTED')).toMatchObject({ type: /SUCCESS/ })
  if (nth > 1) frame.advance(31)
  await send(page, 'CONNECT_EMAIL', { email })
  await send(page, 'CONNECT_OTP', { otp: await frame.codeFor(email, nth) })
  const { payload } = await send(page, 'GET_USER', {})
  return (payload as { address: string }).address
}

/** Requests a signature. Resolves after the approval. */
export async function startSigning(page: Page, address: string) {
  await page.evaluate((from) => {
    window.signed = window.send('RPC_REQUEST', {
      method: 'personal_sign',
      params: ['0x68656c6c6f', from],
      chainId: 31_337,
    })
  }, address)
}

export async function approve(page: Page, inside: FrameLocator): Promise<string> {
  const button = inside.getByRole('button', { name: 'Sign', disabled: false })
  await button.click()
  const reply = await page.evaluate<Reply>(() => window.signed!)
  expect(reply.type).toBe('@w3m-frame/RPC_REQUEST_SUCCESS')
  const signature = reply.payload as Hex
  return recoverMessageAddress({ message: 'hello', signature })
}

/** Connects to the frame as the kit does, and keeps the heights and kinds of the cards that it reports. */
export async function openPort(page: Page) {
  await expect.poll(() => types(page)).toContain('@w3m-frame/READY')
  await page.evaluate(() => {
    const { port1, port2 } = new MessageChannel()
    window.cards = []
    window.kinds = []
    port1.addEventListener('message', ({ data }) => {
      if (data.type !== '@w3m-frame/CARD') return
      window.cards.push(data.payload.height)
      window.kinds.push(data.payload.kind)
    })
    port1.start()
    const { contentWindow } = document.querySelector('iframe')!
    contentWindow!.postMessage({ type: '@w3m-app/OPEN_PORT', id: 'port' }, '*', [port2])
  })
}
