import { accounts, addresses, gatefoldLocal, usdcAbi } from '@gatefold/chain'
import { createClient, createTestClient, http, parseEther, parseUnits } from 'viem'
import { getBalance, mine, readContract, setAutomine } from 'viem/actions'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { launchBrowser } from '../browser.ts'
import type { TestBrowser } from '../browser.ts'
import { startStack } from '../stack.ts'
import type { Stack } from '../stack.ts'
import { openBook } from './bookPage.ts'
import type { BookPage } from './bookPage.ts'

let stack: Stack
let browser: TestBrowser
let book: BookPage
const mira = accounts[0].address
const chain = () => createClient({ chain: gatefoldLocal(stack.chains[0]!.url), transport: http() })
const dollarsOf = () =>
  readContract(chain(), {
    address: addresses.usdc,
    abi: usdcAbi,
    functionName: 'balanceOf',
    args: [mira],
  })
const received = () => book.card.getByLabel('You get about', { exact: true })
const status = (text: string | RegExp) => book.card.getByRole('status').filter({ hasText: text })
const alert = (text: string) => book.card.getByRole('alert').filter({ hasText: text })

beforeAll(async () => {
  ;[stack, browser] = await Promise.all([startStack(), launchBrowser()])
  book = await openBook(browser, stack.book!.url)
  await book.connectWith('Halyard')
  await book.card.waitFor({ state: 'detached' })
})
afterAll(async () => {
  await browser?.close()
  await stack?.stop()
})

/** Presses Continue. @returns the page of the sandbox in its window */
async function pay(): Promise<Page> {
  const opening = book.page.context().waitForEvent('page')
  await book.row('Continue with Sandbox').click()
  const popup = await opening
  await popup.waitForURL(/\/onramp\/sandbox\//)
  return popup
}

/** The numbers of the sandbox's test cards. */
const testCards = {
  pays: '4242 4242 4242 4242',
  isDeclined: '4000 0000 0000 0002',
}

/** Pays with a test card of the sandbox. */
async function useCard(popup: Page, number: string): Promise<void> {
  await popup.getByText('Test cards', { exact: true }).click()
  await popup.getByRole('button', { name: number }).click()
  await popup.getByRole('button', { name: /^Pay \$/ }).click()
}

// One visit. The tests build on each other.

test('§9.7.3 a paid card brings ETH to the account, which the list shows without a reload', async () => {
  await book.account.click()
  const tokens = book.card.getByRole('list', { name: 'Tokens' })
  const row = tokens.getByRole('button', { name: /^Ether on Gatefold Local/ })
  const shown = await row.innerText()
  await book.row(/^Buy$/).click()
  await book.row('$500').click()
  await book.row('Continue with Sandbox').waitFor()
  await expect.poll(() => received().inputValue()).not.toBe('')
  const before = await getBalance(chain(), { address: mira })
  const popup = await pay()
  await status('Finish in Sandbox').waitFor()
  expect(await popup.evaluate(() => window.opener)).toBeNull()
  await useCard(popup, testCards.pays)
  await status(/^[\d.,]+ ETH has arrived/).waitFor()
  const bought = (await getBalance(chain(), { address: mira })) - before
  const exact = await book.card.locator('.gf-facts').getByText(/ETH$/).innerText()
  // The modal rounds down to four significant digits.
  const least = parseEther(exact.replace(/[^\d.]/g, ''))
  expect(bought).toBeGreaterThanOrEqual(least)
  expect(bought - least).toBeLessThan(least / 1_000n + 1n)
  await book.row('Done').click()
  await expect.poll(() => row.innerText()).not.toBe(shown)
  await popup.close()
})

test('a declined card fails with its reason; another one can be used', async () => {
  const before = await dollarsOf()
  await book.row(/^Buy$/).click()
  await book.row('Select token: ETH').click()
  await book.row(/^USD Coin.*Gatefold Local/s).click()
  await book.row('Continue with Sandbox').waitFor()
  const declined = await pay()
  await useCard(declined, testCards.isDeclined)
  await alert('The purchase failed').filter({ hasText: 'declined' }).waitFor()
  await declined.close()
  expect(await dollarsOf()).toBe(before)
  await book.row('Try again').click()
  await book.row('Select token: USDC').waitFor()
  const popup = await pay()
  await useCard(popup, testCards.pays)
  await status(/^98.5 USDC has arrived/).waitFor()
  expect((await dollarsOf()) - before).toBe(parseUnits('98.5', 6))
  await popup.close()
  await book.row('Done').click()
})

test('an order continues after a reload before the payment, and after one during the payout', async () => {
  const before = await dollarsOf()
  await book.row(/^Buy$/).click()
  await book.row('Select token: ETH').click()
  await book.row(/^USD Coin.*Gatefold Local/s).click()
  const first = await pay()
  await first.close()
  await status('Still waiting for Sandbox').waitFor()
  await book.page.reload()
  await book.account.click()
  await book.row(/^Buy$/).click()
  await book.row(/^\$100.00 with Sandbox/).click()
  await status('Still waiting for Sandbox').waitFor()
  const opening = book.page.context().waitForEvent('page')
  await book.row('Open again').click()
  const popup = await opening
  const node = createTestClient({ mode: 'anvil', transport: http(stack.chains[0]!.url) })
  // The payout stays in the mempool, however long the reload takes.
  await setAutomine(node, false)
  await useCard(popup, testCards.pays)
  await status('Payment received').waitFor()
  await book.page.reload()
  await book.account.click()
  await book.row(/^Buy$/).click()
  await book.row(/^\$100.00 with Sandbox/).click()
  await status('Payment received').waitFor()
  await setAutomine(node, true)
  await mine(node, { blocks: 1 })
  await status(/USDC has arrived/).waitFor()
  expect((await dollarsOf()) - before).toBe(parseUnits('98.5', 6))
  await popup.close()
  await book.row('Done').click()
})

test('if the browser blocks the window, the visitor can pay through a link', async () => {
  const before = await dollarsOf()
  await book.page.evaluate(() => {
    window.open = () => null
  })
  await book.row(/^Buy$/).click()
  await book.row('Select token: ETH').click()
  await book.row(/^USD Coin.*Gatefold Local/s).click()
  await book.row('Continue with Sandbox').click()
  await alert('The window didn’t open').waitFor()
  const opening = book.page.context().waitForEvent('page')
  await book.card.getByRole('link', { name: 'Open Sandbox' }).click()
  const popup = await opening
  await useCard(popup, testCards.pays)
  await status(/USDC has arrived/).waitFor()
  expect((await dollarsOf()) - before).toBe(parseUnits('98.5', 6))
})
