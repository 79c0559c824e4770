import { addresses } from '@gatefold/chain'
import { parseUnits } from 'viem'
import { getBalance, getTransactionCount } from 'viem/actions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { launchBrowser } from '../browser.ts'
import type { TestBrowser } from '../browser.ts'
import { startStack } from '../stack.ts'
import type { Stack } from '../stack.ts'
import { openBook, previewSwap } from './bookPage.ts'
import type { BookPage } from './bookPage.ts'
import { swapAccount } from './swapAccount.ts'

let stack: Stack
let browser: TestBrowser
let book: BookPage
const mira = () => swapAccount(stack)

beforeAll(async () => {
  ;[stack, browser] = await Promise.all([startStack(), launchBrowser()])
  await mira().leaveUsdtAllowance()
  book = await openBook(browser, stack.book!.url)
  await book.connectWith('Halyard')
  await book.card.waitFor({ state: 'detached' })
})
afterAll(async () => {
  await browser?.close()
  await stack?.stop()
})

test('§7.8.5 §7.8.10 pays ETH and gets at least the USDC that the preview shows', async () => {
  const [ether, dollars] = [
    await getBalance(mira().client, mira()),
    await mira().balanceOf(addresses.usdc),
  ]
  const least = await previewSwap(book, { get: /^USD Coin/, amount: '1.5' })
  await book.row(/^Swap$/).click()
  await book.card.getByText('Confirm the swap in Halyard').waitFor()
  await book.approve()
  await book.card.getByText('Swap complete').waitFor()
  expect(least).toMatch(/^[\d,.]+ USDC$/)
  const minimum = parseUnits(least.replace(/[^\d.]/g, ''), 6)
  expect(minimum).toBeGreaterThan(parseUnits('3000', 6))
  expect((await mira().balanceOf(addresses.usdc)) - dollars).toBeGreaterThanOrEqual(minimum)
  const paid = ether - (await getBalance(mira().client, mira()))
  expect(paid).toBeGreaterThan(parseUnits('1.5', 18))
  expect(paid).toBeLessThan(parseUnits('1.51', 18))
  await book.row('Done').click()
  await book.page.keyboard.press('Escape')
  await book.card.waitFor({ state: 'detached' })
})

test('§7.8.11 pays USDC after a permit of exactly its amount, in one transaction', async () => {
  const dollars = await mira().balanceOf(addresses.usdc)
  const count = await getTransactionCount(mira().client, mira())
  await previewSwap(book, { pay: /^USD Coin/, get: /^Book/, amount: '250.5' })
  await book.row('Sign and swap').click()
  await book.card.getByText('Sign the permit for USDC in Halyard').waitFor()
  await book.approve()
  await book.card.getByText('Confirm the swap in Halyard').waitFor()
  expect(await mira().allowanceOf(addresses.usdc)).toBe(0n)
  await book.approve()
  await book.card.getByText('Swap complete').waitFor()
  expect(dollars - (await mira().balanceOf(addresses.usdc))).toBe(parseUnits('250.5', 6))
  expect(await mira().allowanceOf(addresses.usdc)).toBe(0n)
  expect((await getTransactionCount(mira().client, mira())) - count).toBe(1)
  await book.row('Done').click()
  await book.page.keyboard.press('Escape')
  await book.card.waitFor({ state: 'detached' })
})

test('§7.8.8 §7.8.11 pays BOOK after an approval of exactly its amount, of which nothing is left', async () => {
  const ether = await getBalance(mira().client, mira())
  await previewSwap(book, { pay: /^Book/, get: /^Ether/, amount: '60.5' })
  await book.row('Approve and swap').click()
  await book.card.getByText('Approve BOOK in Halyard').waitFor()
  await book.approve()
  await book.card.getByText('Confirm the swap in Halyard').waitFor()
  expect(await mira().allowanceOf(addresses.book)).toBe(parseUnits('60.5', 18))
  await book.approve()
  await book.card.getByText('Swap complete').waitFor()
  const got = (await getBalance(mira().client, mira())) - ether
  expect(Number(got) / 1e18).toBeCloseTo(60.5 / 500, 1)
  expect(await mira().allowanceOf(addresses.book)).toBe(0n)
  expect(book.pageErrors).toEqual([])
})

describe('USDT, of which an allowance is left', () => {
  const previewUsdt = (amount: string) =>
    previewSwap(book, { pay: /^Tether USD/, get: /^Ether/, amount })

  const close = async () => {
    await book.page.keyboard.press('Escape')
    await book.card.waitFor({ state: 'detached' })
  }
  beforeAll(close)

  test('§7.8.11 keeps its allowance if the visitor declines the reset', async () => {
    await previewUsdt('120.5')
    await book.card.getByText(/You confirm three times in Halyard: USDT needs/).waitFor()
    await book.row('Approve and swap').click()
    await book.card.getByText('Remove the old approval in Halyard').waitFor()
    await book.reject()
    await book.card.getByText('Nothing was swapped.', { exact: true }).waitFor()
    expect(await mira().allowanceOf(addresses.usdt)).toBe(1n)
    await close()
  })

  test('has no allowance left if the visitor declines the approval after the reset', async () => {
    const before = await mira().balanceOf(addresses.usdt)
    await previewUsdt('120.5')
    await book.row('Approve and swap').click()
    await book.card.getByText('Remove the old approval in Halyard').waitFor()
    await book.approve()
    await book.card.getByText('Approve USDT in Halyard').waitFor()
    await book.reject()
    await book.card.getByText('The old approval of USDT was removed.').waitFor()
    expect(await mira().allowanceOf(addresses.usdt)).toBe(0n)
    expect(await mira().balanceOf(addresses.usdt)).toBe(before)
    await close()
  })

  test('§7.8.8 §7.8.11 is swapped after a reset and an approval of exactly its amount', async () => {
    await mira().leaveUsdtAllowance()
    const before = await mira().balanceOf(addresses.usdt)
    await previewUsdt('120.5')
    await book.row('Approve and swap').click()
    await book.card.getByText('Remove the old approval in Halyard').waitFor()
    await book.approve()
    await book.card.getByText('Approve USDT in Halyard').waitFor()
    await expect.poll(() => mira().allowanceOf(addresses.usdt)).toBe(0n)
    await book.approve()
    await book.card.getByText('Confirm the swap in Halyard').waitFor()
    expect(await mira().allowanceOf(addresses.usdt)).toBe(parseUnits('120.5', 6))
    await book.approve()
    await book.card.getByText('Swap complete').waitFor()
    expect(before - (await mira().balanceOf(addresses.usdt))).toBe(parseUnits('120.5', 6))
    expect(await mira().allowanceOf(addresses.usdt)).toBe(0n)
    await book.row('Done').click()
    await book.card.getByRole('tab', { name: 'Activity' }).click()
    await book.card.getByText('Approval removed').first().waitFor()
    expect(book.pageErrors).toEqual([])
  })
})
