import type { Locator } from 'playwright-core'

import type { PageOptions, TestBrowser, TestPage } from '../browser.ts'

/** The wallet on a phone as a person uses it, in a browser context of its own. */
export type PhonePage = TestPage & {
  /** What an app asks, as it comes up from below. */
  sheet: Locator
  /** Takes a link an app gave. */
  paste(link: string): Promise<void>
  /** Says yes to what is asked. */
  approve(): Promise<void>
  reject(): Promise<void>
  /** Opens the one app that is connected. */
  openApp(): Promise<void>
  /** Takes another entry of one of the wallet's lists, by the words that are to be read. */
  choose(list: string, entry: string): Promise<void>
}

/** Opens the wallet as a phone would. */
export async function openPhone(
  browser: TestBrowser,
  url: string,
  options?: PageOptions,
): Promise<PhonePage> {
  const opened = await browser.newPage({ width: 390, height: 844, touch: true, ...options })
  const { page } = opened
  await page.goto(url)
  const sheet = page.getByRole('dialog')
  return {
    ...opened,
    sheet,
    async paste(link) {
      await page.getByLabel('Link from the app').fill(link)
      await page.getByRole('button', { name: 'Connect', exact: true }).click()
    },
    approve: () => sheet.getByRole('button', { name: /^(?:Approve|Connect)$/ }).click(),
    reject: () => sheet.getByRole('button', { name: 'Reject' }).click(),
    async choose(list, entry) {
      await page.getByRole('combobox', { name: list, exact: true }).selectOption({ label: entry })
    },
    openApp: () => page.getByRole('listitem').getByRole('link').click(),
  }
}
