import type { FrameLocator, Locator, Page } from 'playwright-core'

import type { PageOptions, TestBrowser, TestPage } from '../browser.ts'
import { pressUntilGone } from '../frame/pressUntilGone.ts'

/** The Book of Ethereum in a browser: the page, the kit's modal and the demo wallets' windows. */
export type BookPage = TestPage & {
  connect: Locator
  account: Locator
  card: Locator
  /** The panel in which the visitor signs or sends. */
  panel: Locator
  /** A row or button in the modal, by name. */
  row(name: string | RegExp): Locator
  /** The secure frame. */
  frame: FrameLocator
  /** Clicks a button in the secure frame until the button disappears. */
  press(name: string): Promise<void>
  /** Approves the request in the open demo wallet window. */
  approve(): Promise<void>
  reject(): Promise<void>
  /** Connects a demo wallet, by name. The modal must be closed. */
  connectWith(wallet: string): Promise<void>
}

/** Opens the Book in a new browser context. */
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
  // Each demo wallet has a window; only the window with a request is visible.
  const answer = (testId: string) => page.getByTestId(testId).filter({ visible: true }).click()
  const frame = page.frameLocator('#gatefold-frame')
  const book: BookPage = {
    ...opened,
    connect: page.getByTestId('connect'),
    account: page.getByTestId('account'),
    card,
    panel: page.locator('.panel'),
    row,
    frame,
    press: (name) => pressUntilGone(frame.getByRole('button', { name, exact: true })),
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

/** Counts the requests that a demo wallet has received for a method. */
export function countRequests(page: Page, rdns: string, method: string): Promise<number> {
  return page.evaluate(
    ([name, wanted]) => {
      const { __gatefoldWallets: wallets } = globalThis as unknown as {
        __gatefoldWallets: Record<string, { requests: { method: string }[] }>
      }
      return wallets[name]!.requests.filter(({ method }) => method === wanted).length
    },
    [rdns, method] as const,
  )
}

/**
 * Chooses the tokens and the amount of a swap, and opens its preview.
 *
 * @param swap.pay - the token to pay with; by default, ether
 * @param swap.amount - by default, the maximum
 * @returns the least amount to get, as text
 */
export async function previewSwap(
  book: BookPage,
  swap: { pay?: RegExp | undefined; get: RegExp; amount?: string },
): Promise<string> {
  const { card, account } = book
  await account.click()
  await book.row(/^Swap$/).click()
  const tokens = card.getByRole('button', { name: /^Select token/ })
  const choose = async (index: number, token: RegExp) => {
    await tokens.nth(index).click()
    await book.row(token).click()
    await card.getByLabel('You pay', { exact: true }).waitFor()
  }
  await card.getByRole('button', { name: 'Select token: ETH' }).waitFor()
  await choose(1, swap.get)
  if (swap.pay) await choose(0, swap.pay)
  if (swap.amount === undefined) await book.row('Max').click()
  else await card.getByLabel('You pay', { exact: true }).fill(swap.amount)
  await book.row('Review swap').click()
  const least = card.locator('.gf-facts > div').filter({ hasText: 'At least' }).locator('dd')
  return least.innerText()
}
