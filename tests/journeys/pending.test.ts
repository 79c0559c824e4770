import { accounts, gatefoldLocal } from '@gatefold/chain'
import { createTestClient, http, parseEther, publicActions } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { launchBrowser } from '../browser.ts'
import type { TestBrowser } from '../browser.ts'
import { startStack } from '../stack.ts'
import type { Stack } from '../stack.ts'
import { openBook } from './bookPage.ts'
import type { BookPage } from './bookPage.ts'

let stack: Stack
let browser: TestBrowser
let book: BookPage
const chain = () =>
  createTestClient({
    mode: 'anvil',
    chain: gatefoldLocal(stack.chains[0]!.url),
    transport: http(),
  }).extend(publicActions)
const tomas = accounts[1].address
const rows = () => book.card.locator('.gf-day li')
const received = () => chain().getBalance({ address: tomas })

beforeAll(async () => {
  ;[stack, browser] = await Promise.all([startStack(), launchBrowser()])
  book = await openBook(browser, stack.book!.url)
  await book.connectWith('Halyard')
})
afterAll(async () => {
  await browser?.close()
  await stack?.stop()
})

/** The pending transactions of the wallet. */
async function pool() {
  const { pending } = await chain().getTxpoolContent()
  return Object.values(pending)
    .flatMap((byNonce) => Object.values(byNonce))
    .map(({ nonce, maxFeePerGas }) => ({ nonce, maxFeePerGas: maxFeePerGas ?? '0x0' }))
}

/** Sends ether, and closes the view as soon as the transaction is submitted. */
async function send(amount: string): Promise<void> {
  await book.row('Send').first().click()
  await book.card.getByRole('textbox', { name: 'Amount' }).fill(amount)
  await book.card.getByRole('textbox', { name: 'Receiver' }).fill(tomas)
  await book.row('Preview send').click()
  await book.card.getByRole('button', { name: 'Send', exact: true }).last().click()
  await book.approve()
  await book.card.getByText(`Sending ${amount} ETH`).waitFor()
  await book.row('Done').click()
  await book.card.getByRole('tab', { name: 'Activity' }).click()
}

/** Reloads the page, and opens the activity. */
async function reload(): Promise<void> {
  await book.page.reload()
  await book.account.click()
  await book.card.getByRole('tab', { name: 'Activity' }).click()
}

/** One visit. The tests build on each other. */
describe('a transaction that no block includes yet', () => {
  test('§4.17 is pending in the activity, even after a reload; then it has one completed row', async () => {
    const before = await received()
    await book.account.click()
    await chain().setAutomine(false)
    await send('0.25')
    await rows().filter({ hasText: 'Sending' }).getByText('Pending').waitFor()
    await reload()
    const row = rows().filter({ hasText: '0.25 ETH' }).first()
    await row.getByText('Pending').waitFor()
    expect(await received()).toBe(before)

    await chain().mine({ blocks: 1 })
    await book.card.getByText('0.25 ETH sent').first().waitFor()
    await rows().filter({ hasText: 'Sent' }).first().waitFor()
    expect((await received()) - before).toBe(parseEther('0.25'))
    expect(await rows().filter({ hasText: 'Pending' }).count()).toBe(0)

    // The gateway's history lists it, and the row stays the only one.
    const { hash } = (await chain().getBlock({ includeTransactions: true })).transactions[0]!
    await expect
      .poll(async () => {
        const history = await fetch(
          `${stack.server!.url}/v1/account/${accounts[0].address}/history?chainId=eip155:31337&projectId=default`,
        )
        return history.text()
      })
      .toContain(hash)
    await reload()
    await rows().filter({ hasText: '0.25 ETH' }).first().waitFor()
    expect(await rows().filter({ hasText: '0.25 ETH' }).count()).toBe(1)
  })

  test('is sped up: the same transfer with a higher fee is included, once', async () => {
    const before = await received()
    await send('0.5')
    const [first] = await pool()
    await rows().filter({ hasText: 'Sending' }).getByRole('button').click()
    await book.row('Speed up').click()
    await book.approve()
    await book.card.getByText('Sent again with a higher fee.').waitFor()
    const [second, ...others] = await pool()
    expect(others).toEqual([])
    expect(second!.nonce).toBe(first!.nonce)
    expect(BigInt(second!.maxFeePerGas) * 1000n).toBeGreaterThanOrEqual(
      BigInt(first!.maxFeePerGas) * 1125n,
    )
    await chain().mine({ blocks: 1 })
    await book.card.getByText('Confirmed', { exact: true }).waitFor()
    expect((await received()) - before).toBe(parseEther('0.5'))
    await book.row('Back').click()
  })

  test('is canceled: nothing is sent', async () => {
    const before = await received()
    await send('0.75')
    await rows().filter({ hasText: 'Sending' }).getByRole('button').click()
    await book.row('Try to cancel').click()
    await book.approve()
    await book.card.getByText(/^Cancellation sent/).waitFor()
    await chain().mine({ blocks: 1 })
    await book.card.getByText('Canceled', { exact: true }).waitFor()
    expect(await received()).toBe(before)
    await book.row('Back').click()
    await rows().filter({ hasText: 'Transfer canceled' }).filter({ hasText: '0.75 ETH' }).waitFor()
  })

  test('that the node drops is not pending forever', async () => {
    const before = await received()
    await send('0.125')
    await rows().filter({ hasText: 'Sending' }).waitFor()
    await chain().request({ method: 'anvil_dropAllTransactions' } as never)
    // A separate page, whose clock the test controls.
    await book.page.clock.install()
    await reload()
    await rows().filter({ hasText: '0.125 ETH' }).getByText('Pending').waitFor()
    for (let minutes = 0; minutes < 12; minutes++) {
      await book.page.clock.runFor(60_000)
    }
    await rows().filter({ hasText: 'Transfer dropped' }).filter({ hasText: '0.125 ETH' }).waitFor()
    expect(await received()).toBe(before)
    await chain().setAutomine(true)
  })
})
