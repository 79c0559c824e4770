import { addresses } from '@gatefold/chain'
import { parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { launchBrowser } from '../browser.ts'
import type { TestBrowser } from '../browser.ts'
import { startStack } from '../stack.ts'
import type { Stack } from '../stack.ts'
import { countRequests, openBook, previewSwap } from './bookPage.ts'
import type { BookPage } from './bookPage.ts'
import { swapAccount } from './swapAccount.ts'

const halyard = 'dev.gatefold.halyard'
let stack: Stack
let browser: TestBrowser
let book: BookPage
const mira = () => swapAccount(stack)
const paid = () => mira().balanceOf(addresses.book)
const allowance = () => mira().allowanceOf(addresses.book)
const rows = () => book.card.locator('.gf-day li')

/** Sets what the wallet does with batches. */
const setWallet = (faults: object) =>
  book.page.evaluate(
    ([name, next]) => {
      const { __gatefoldWallets: wallets } = globalThis as unknown as {
        __gatefoldWallets: Record<string, { set(faults: object): void }>
      }
      wallets[name]!.set(next)
    },
    [halyard, faults] as const,
  )

async function review(amount: string): Promise<void> {
  await previewSwap(book, { pay: /^Book/, get: /^Ether/, amount })
  await book.card.getByText(/You confirm once in Halyard: an approval of exactly/).waitFor()
  await book.row('Approve and swap').click()
  await book.card.getByText('Confirm approval and swap in Halyard').waitFor()
}

async function close(): Promise<void> {
  await book.page.keyboard.press('Escape')
  await book.card.waitFor({ state: 'detached' })
}

beforeAll(async () => {
  ;[stack, browser] = await Promise.all([startStack(), launchBrowser()])
  await mira().leaveUsdtAllowance()
  book = await openBook(browser, stack.book!.url)
  await book.connectWith('Halyard')
  await book.card.waitFor({ state: 'detached' })
  await setWallet({ atomicBatches: true })
})
afterAll(async () => {
  await browser?.close()
  await stack?.stop()
})

/** One visit. The tests build on each other. */
describe('a swap with a wallet that executes batches', () => {
  test('§7.8.10 §7.8.11 is confirmed once, in one transaction, and leaves no allowance', async () => {
    const before = await paid()
    await review('60.5')
    expect(await allowance()).toBe(0n)
    await book.approve()
    await book.card.getByText('Swap complete').waitFor()
    expect(before - (await paid())).toBe(parseUnits('60.5', 18))
    expect(await allowance()).toBe(0n)
    expect((await mira().client.getBlock()).transactions).toHaveLength(1)
    expect(await countRequests(book.page, halyard, 'wallet_sendCalls')).toBe(1)
    expect(await countRequests(book.page, halyard, 'eth_sendTransaction')).toBe(0)
    await book.row('Done').click()
    await close()
  })

  test('swaps and approves nothing if it is declined', async () => {
    const before = await paid()
    await review('10')
    await book.reject()
    await book.card.getByText('You declined the request in Halyard').waitFor()
    await book.card.getByText('Nothing was swapped.').waitFor()
    expect(await paid()).toBe(before)
    expect(await allowance()).toBe(0n)
    await close()
  })

  test('is made in two transactions if the wallet refuses the batch', async () => {
    const before = await paid()
    await setWallet({ unsupported: ['wallet_sendCalls'] })
    await previewSwap(book, { pay: /^Book/, get: /^Ether/, amount: '20' })
    await book.row('Approve and swap').click()
    await book.card.getByText('Approve BOOK in Halyard').waitFor()
    await book.approve()
    await book.card.getByText('Confirm the swap in Halyard').waitFor()
    await book.approve()
    await book.card.getByText('Swap complete').waitFor()
    expect(before - (await paid())).toBe(parseUnits('20', 18))
    expect(await allowance()).toBe(0n)
    await setWallet({ unsupported: [] })
    await close()
  })

  test('removes the allowance that USDT has left in the same transaction', async () => {
    await setWallet({ atomicBatches: true })
    const [dollars, block] = [
      await mira().balanceOf(addresses.usdt),
      await mira().client.getBlockNumber(),
    ]
    await previewSwap(book, { pay: /^Tether USD/, get: /^Ether/, amount: '120.5' })
    await book.card.getByText(/once in Halyard: the old approval is removed, exactly/).waitFor()
    await book.row('Approve and swap').click()
    await book.approve()
    await book.card.getByText('Swap complete').waitFor()
    expect(dollars - (await mira().balanceOf(addresses.usdt))).toBe(parseUnits('120.5', 6))
    expect(await mira().allowanceOf(addresses.usdt)).toBe(0n)
    expect(await mira().client.getBlockNumber()).toBe(block + 1n)
    await close()
  })

  test('§4.17 is pending in the activity, also after a reload; then its row is done, once', async () => {
    const before = await paid()
    await mira().client.setAutomine(false)
    await review('30.25')
    await book.approve()
    await book.card.getByText('Swapping', { exact: true }).waitFor()
    await close()
    await book.page.reload()
    await book.account.click()
    await book.card.getByRole('tab', { name: 'Activity' }).click()
    await rows().filter({ hasText: 'Pending' }).waitFor()
    expect(await paid()).toBe(before)

    await mira().client.mine({ blocks: 1 })
    await book.card.getByText('30.25 BOOK swapped').first().waitFor()
    expect(before - (await paid())).toBe(parseUnits('30.25', 18))
    await rows().filter({ hasText: 'Pending' }).waitFor({ state: 'detached' })
    const row = rows().filter({ hasText: '30.25 BOOK' })
    await row.first().waitFor()
    // The history of the gateway lists it too, and the row stays the only one.
    await expect
      .poll(async () => {
        await book.page.reload()
        await book.account.click()
        await book.card.getByRole('tab', { name: 'Activity' }).click()
        await row.first().waitFor()
        const { hash } = (await mira().client.getBlock({ includeTransactions: true }))
          .transactions[0]!
        const url = `${stack.server!.url}/v1/account/${mira().address}/history?chainId=eip155:31337&projectId=default`
        const history = await (await fetch(url)).text()
        return { listed: history.includes(hash), rows: await row.count() }
      })
      .toEqual({ listed: true, rows: 1 })
    await mira().client.setAutomine(true)
    expect(book.pageErrors).toEqual([])
  })
})
