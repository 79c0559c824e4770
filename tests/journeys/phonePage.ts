import type { Locator } from 'playwright-core'

import type { PageOptions, TestBrowser, TestPage } from '../browser.ts'

/** The phone wallet's page, in a separate browser context. */
export type PhonePage = TestPage & {
  /** The sheet with the pending request. */
  sheet: Locator
  /** Pastes a pairing link and submits it. */
  paste(link: string): Promise<void>
  /** Approves the pending request. */
  approve(): Promise<void>
  reject(): Promise<void>
  /** Opens the screen of the only connected app. */
  openApp(): Promise<void>
  /** Selects an option in a list, both by label. */
  choose(list: string, option: string): Promise<void>
}

/** Opens the wallet with a phone's viewport and touch input. */
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
    async choose(list, option) {
      await page.getByRole('combobox', { name: list, exact: true }).selectOption({ label: option })
    },
    openApp: () => page.getByRole('listitem').getByRole('link').click(),
  }
}
