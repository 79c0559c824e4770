import { accounts, addresses, gatefoldLocal } from '@gatefold/chain'
import { createClient, erc20Abi, http, parseUnits } from 'viem'
import { getBalance, readContract } from 'viem/actions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { launchBrowser } from '../browser.ts'
import type { TestBrowser } from '../browser.ts'
import { startStack } from '../stack.ts'
import type { Stack } from '../stack.ts'
import { openBook, previewSwap } from './bookPage.ts'
import type { BookPage } from './bookPage.ts'

const mira = accounts[0].address

describe.each(['0x', '1inch'] as const)('with swaps of %s', (source) => {
  let stack: Stack
  let browser: TestBrowser
  let book: BookPage
  const chain = () =>
    createClient({ chain: gatefoldLocal(stack.chains[0]!.url), transport: http() })
  const unitsOf = (token: keyof typeof addresses) =>
    readContract(chain(), {
      address: addresses[token],
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [mira],
    })

  beforeAll(async () => {
    ;[stack, browser] = await Promise.all([startStack({ swaps: source }), launchBrowser()])
    book = await openBook(browser, stack.book!.url)
    await book.connectWith('Halyard')
    await book.card.waitFor({ state: 'detached' })
  })
  afterAll(async () => {
    await browser?.close()
    await stack?.stop()
  })

  async function finish() {
    await book.card.getByText('Swap complete').waitFor()
    await book.row('Done').click()
    await book.page.keyboard.press('Escape')
    await book.card.waitFor({ state: 'detached' })
  }

  test('§7.8.10 pays ETH and gets at least the USDC that the preview shows', async () => {
    const before = await unitsOf('usdc')
    const least = await previewSwap(book, { get: /^USD Coin/, amount: '1.5' })
    await book.row(/^Swap$/).click()
    await book.card.getByText('Confirm the swap in Halyard').waitFor()
    await book.approve()
    await finish()
    const minimum = parseUnits(least.replace(/[^\d.]/g, ''), 6)
    expect(minimum).toBeGreaterThan(parseUnits('3000', 6))
    expect((await unitsOf('usdc')) - before).toBeGreaterThanOrEqual(minimum)
  })

  test('§7.8.11 pays USDC, which has permits, after an approval of exactly its amount', async () => {
    const [ether, dollars] = [await getBalance(chain(), { address: mira }), await unitsOf('usdc')]
    await previewSwap(book, { pay: /^USD Coin/, get: /^Ether/, amount: '250.5' })
    await book.row('Approve and swap').click()
    await book.card.getByText('Approve USDC in Halyard').waitFor()
    await book.approve()
    await book.card.getByText('Confirm the swap in Halyard').waitFor()
    await book.approve()
    await finish()
    expect(dollars - (await unitsOf('usdc'))).toBe(parseUnits('250.5', 6))
    expect((await getBalance(chain(), { address: mira })) - ether).toBeGreaterThan(0n)
    expect(book.pageErrors).toEqual([])
  })
})
