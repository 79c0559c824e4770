import {
  accounts,
  addresses,
  ensReverseRegistrarAbi,
  gatefoldLocal,
  receiptOf,
} from '@gatefold/chain'
import { createPublicClient, createWalletClient, http, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
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
/** The account of the demo wallet Nacre. */
const keeper = accounts[2]
const name = 'lantern.offchain.eth'
const chain = () => ({ chain: gatefoldLocal(stack.chains[0]!.url), transport: http() })
const reader = () => createPublicClient(chain())
const field = (page: BookPage, label: string) => page.card.getByRole('textbox', { name: label })

beforeAll(async () => {
  ;[stack, browser] = await Promise.all([startStack({ names: true }), launchBrowser()])
  // The account gives up its ENS name.
  const wallet = createWalletClient({
    ...chain(),
    account: privateKeyToAccount(keeper.privateKey),
  })
  const hash = await wallet.writeContract({
    address: addresses.ensReverseRegistrar,
    abi: ensReverseRegistrarAbi,
    functionName: 'setName',
    args: [addresses.ensResolver, ''],
  })
  await receiptOf(reader(), hash)
  book = await openBook(browser, stack.book!.url)
})
afterAll(async () => {
  await browser?.close()
  await stack?.stop()
})

/** Two visitors. The tests build on each other. */
describe('names on the local stack', () => {
  test('§4.10.2 a declined signature registers nothing', async () => {
    await book.connectWith('Nacre')
    await book.account.click()
    await book.row('Choose a name').click()
    await book.row('Choose name').click()
    await field(book, 'Name').fill('Lantern')
    await book.row('Register this name').click()
    await book.reject()
    await book.card.getByText('You declined the request in Nacre').waitFor()
    expect(await reader().getEnsAddress({ name })).toBeNull()
  })

  test('§4.10.1 §7.9 registers a name, which every ENS client resolves', async () => {
    await book.row('Sign again').click()
    await book.approve()
    await book.card.getByText(`${name} is yours`).waitFor()
    expect(await reader().getEnsAddress({ name })).toBe(keeper.address)
    await book.row('Go to my account').click()
    await book.row(`Wallets. Active: ${name}`).waitFor()
    await book.page.keyboard.press('Escape')
    await book.account.getByText(name).waitFor()
    // Still shown after a reload, because the name comes from the server.
    await book.page.reload()
    await book.account.getByText(name).waitFor()
  })

  test('§5.2 another visitor sends to the name', async () => {
    const other = await openBook(browser, stack.book!.url)
    await other.connectWith('Halyard')
    await other.account.click()
    const before = await reader().getBalance(keeper)
    await other.row('Send').click()
    await field(other, 'Amount').fill('0.25')
    await field(other, 'Receiver').fill(name)
    await other.row('Preview send').click()
    await other.card.getByText(keeper.address, { exact: true }).waitFor()
    await other.card.getByRole('button', { name: 'Send', exact: true }).last().click()
    await other.approve()
    await other.card.getByText('0.25 ETH sent').waitFor()
    expect((await reader().getBalance(keeper)) - before).toBe(parseEther('0.25'))
    await other.context.close()
  })
})
