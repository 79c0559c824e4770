import { accounts, addresses, gatefoldLocal } from '@gatefold/chain'
import { createClient, erc20Abi, http, parseUnits } from 'viem'
import type { Address } from 'viem'
import { getBalance, getTransactionCount, readContract } from 'viem/actions'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { launchBrowser } from '../browser.ts'
import type { TestBrowser } from '../browser.ts'
import { startStack } from '../stack.ts'
import type { Stack } from '../stack.ts'
import { openBook, previewSwap } from './bookPage.ts'
import type { BookPage } from './bookPage.ts'

let stack: Stack
let browser: TestBrowser
let book: BookPage
const mira = accounts[0].address
const chain = () => createClient({ chain: gatefoldLocal(stack.chains[0]!.url), transport: http() })
const dollarsOf = () =>
  readContract(chain(), {
    address: addresses.usdc,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [mira],
  })
const allowanceOf = (token: Address) =>
  readContract(chain(), {
    address: token,
    abi: erc20Abi,
    functionName: 'allowance',
    args: [mira, addresses.uniswapSwapRouter02],
  })

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

test('§7.8.5 §7.8.10 pays ETH and gets at least the USDC that the preview shows', async () => {
  const [ether, dollars] = [await getBalance(chain(), { address: mira }), await dollarsOf()]
  const least = await previewSwap(book, { get: /^USD Coin/, amount: '1.5' })
  await book.row(/^Swap$/).click()
  await book.card.getByText('Confirm the swap in Halyard').waitFor()
  await book.approve()
  await book.card.getByText('Swap complete').waitFor()
  expect(least).toMatch(/^[\d,.]+ USDC$/)
  const minimum = parseUnits(least.replace(/[^\d.]/g, ''), 6)
  expect(minimum).toBeGreaterThan(parseUnits('3000', 6))
  expect((await dollarsOf()) - dollars).toBeGreaterThanOrEqual(minimum)
  const paid = ether - (await getBalance(chain(), { address: mira }))
  expect(paid).toBeGreaterThan(parseUnits('1.5', 18))
  expect(paid).toBeLessThan(parseUnits('1.51', 18))
  await book.row('Done').click()
  await book.page.keyboard.press('Escape')
  await book.card.waitFor({ state: 'detached' })
})

test('§7.8.11 pays USDC after a permit of exactly its amount, in one transaction', async () => {
  const dollars = await dollarsOf()
  const count = await getTransactionCount(chain(), { address: mira })
  await previewSwap(book, { pay: /^USD Coin/, get: /^Book/, amount: '250.5' })
  await book.row('Sign and swap').click()
  await book.card.getByText('Sign the permit for USDC in Halyard').waitFor()
  await book.approve()
  await book.card.getByText('Confirm the swap in Halyard').waitFor()
  expect(await allowanceOf(addresses.usdc)).toBe(0n)
  await book.approve()
  await book.card.getByText('Swap complete').waitFor()
  expect(dollars - (await dollarsOf())).toBe(parseUnits('250.5', 6))
  expect(await allowanceOf(addresses.usdc)).toBe(0n)
  expect((await getTransactionCount(chain(), { address: mira })) - count).toBe(1)
  await book.row('Done').click()
  await book.page.keyboard.press('Escape')
  await book.card.waitFor({ state: 'detached' })
})

test('§7.8.8 §7.8.11 pays BOOK after an approval of exactly its amount, of which nothing is left', async () => {
  const ether = await getBalance(chain(), { address: mira })
  await previewSwap(book, { pay: /^Book/, get: /^Ether/, amount: '60.5' })
  await book.row('Approve and swap').click()
  await book.card.getByText('Approve BOOK in Halyard').waitFor()
  await book.approve()
  await book.card.getByText('Confirm the swap in Halyard').waitFor()
  expect(await allowanceOf(addresses.book)).toBe(parseUnits('60.5', 18))
  await book.approve()
  await book.card.getByText('Swap complete').waitFor()
  const got = (await getBalance(chain(), { address: mira })) - ether
  expect(Number(got) / 1e18).toBeCloseTo(60.5 / 500, 1)
  expect(await allowanceOf(addresses.book)).toBe(0n)
  expect(book.pageErrors).toEqual([])
})
