import type { Locator, Page } from 'playwright-core'

import type { PageOptions, TestBrowser, TestPage } from '../browser.ts'

/** The Book of Ethereum as a visitor meets it: what is on the page, the card, the wallet's window. */
export type BookPage = TestPage & {
  connect: Locator
  account: Locator
  card: Locator
  /** The leaf on which the visitor signs or sends. */
  slip: Locator
  /** A row or button of the card by what it says. */
  row(name: string | RegExp): Locator
  /** The window a demo wallet asks in. */
  approve(): Promise<void>
  reject(): Promise<void>
  /** Connects a demo wallet by its name, from the closed page. */
  connectWith(wallet: string): Promise<void>
}

/** Opens the book in a context of its own. */
export async function openBook(
  browser: TestBrowser,
  url: string,
  options?: PageOptions,
): Promise<BookPage> {
  const opened = await browser.newPage(options)
  await opened.page.goto(url)
  return bookPage(opened)
}

export function bookPage(opened: TestPage): BookPage {
  const { page } = opened
  const card = page.locator('[data-gatefold] [role="dialog"]')
  const row = (name: string | RegExp) => card.getByRole('button', { name })
  // Both demo wallets have a window; the one that is asked shows its own.
  const answer = (testId: string) => page.getByTestId(testId).filter({ visible: true }).click()
  const book: BookPage = {
    ...opened,
    connect: page.getByTestId('connect'),
    account: page.getByTestId('account'),
    card,
    slip: page.locator('.slip'),
    row,
    approve: () => answer('wallet-approve'),
    reject: () => answer('wallet-reject'),
    async connectWith(wallet) {
      await book.connect.click()
      await row(new RegExp(`^${wallet}`)).click()
      await book.approve()
      await book.account.waitFor()
    },
  }
  return book
}

/** How often a method was asked of a demo wallet in this page. */
export function timesAsked(page: Page, rdns: string, method: string): Promise<number> {
  return page.evaluate(
    ([name, wanted]) => {
      const { __gatefoldWallets: wallets } = globalThis as unknown as {
        __gatefoldWallets: Record<string, { requests: { method: string }[] }>
      }
      return wallets[name]!.requests.filter(({ method: asked }) => asked === wanted).length
    },
    [rdns, method] as const,
  )
}
