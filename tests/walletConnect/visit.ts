import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { launchBrowser } from '../browser.ts'
import type { PageOptions, TestBrowser } from '../browser.ts'
import { scanCode } from '../ui/scanCode.ts'
import { serveSite } from './page/serve.ts'
import type { Phone } from './phone.ts'
import type { useFixture } from './site.ts'

/** Starts a browser and a server for the site. Pages are closed after each test. */
export function useSite(fixture: ReturnType<typeof useFixture>) {
  let browser: TestBrowser
  let site: Awaited<ReturnType<typeof serveSite>>
  beforeAll(async () => {
    ;[browser, site] = await Promise.all([launchBrowser(), serveSite()])
  })
  afterAll(async () => {
    await browser?.close()
    await site?.stop()
  })

  const cleanups: (() => unknown)[] = []
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
  })

  /** Opens the site in a separate browser context. */
  async function visit(
    options: PageOptions & {
      relay?: string
      verify?: string
      noReconnect?: boolean
      before?: (page: Page) => unknown
    } = {},
  ) {
    const [rpc, rpc2] = fixture.networks().map(({ rpcUrls }) => rpcUrls.default!.http[0]!)
    const {
      relay = `http://localhost:${fixture.server().port}`,
      verify,
      noReconnect,
      before,
      ...rest
    } = options
    const opened = await browser.newPage(rest)
    cleanups.push(() => opened.context.close())
    const query = new URLSearchParams({
      relay,
      ...(verify && { verify }),
      ...(noReconnect && { noReconnect: '' }),
      rpc: rpc!,
      rpc2: rpc2!,
    })
    await before?.(opened.page)
    await opened.page.goto(`${site.url}/?${query}`)
    const { page } = opened
    const card = page.getByRole('dialog')
    return {
      ...opened,
      card,
      address: `${site.url}/?${query}`,
      output: (name: string) => page.getByTestId(name).innerText(),
      press: (name: string) => page.getByRole('button', { name, exact: true }).click(),
      async showCode() {
        await page.getByRole('button', { name: 'Connect Wallet' }).click()
        await card.getByRole('button', { name: /^WalletConnect/ }).click()
        await card.getByRole('img', { name: /QR code to connect/ }).waitFor()
      },
    }
  }

  return { visit, cleanups, site: () => site }
}

export type Site = Awaited<ReturnType<ReturnType<typeof useSite>['visit']>>

export async function pairByQrCode(visited: Site, phone: Phone): Promise<string> {
  const topic = await phone.approve(await phone.scan(await scanCode(visited.page)))
  await expect.poll(() => visited.output('status')).toBe('connected')
  return topic
}

/** Records `window.open` calls without opening anything. */
export const recordOpened = (page: Page) =>
  page.addInitScript(() => {
    const opened: string[] = []
    Object.assign(window, { opened, open: (url: string) => void opened.push(url) })
  })

export const openedLinks = (tab: Page) =>
  tab.evaluate(() => (window as unknown as { opened: string[] }).opened)

/**
 * Pairs by opening the wallet's app. @returns the app link that was opened, and the session's topic
 */
export async function pairByApp(visited: Site, phone: Phone) {
  const { page } = visited
  await page.getByRole('button', { name: 'Connect Wallet' }).click()
  await visited.card.getByRole('button', { name: /^Orrery/ }).click()
  await expect.poll(() => openedLinks(page)).toHaveLength(1)
  const link = (await openedLinks(page))[0]!
  const uri = decodeURIComponent(link.replace('orrery://wc?uri=', ''))
  const topic = await phone.approve(await phone.scan(uri))
  await expect.poll(() => visited.output('status')).toBe('connected')
  return { link, topic }
}
