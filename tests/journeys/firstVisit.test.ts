import { accounts, addresses, gatefoldLocal, gatefoldSecond, usdcAbi } from '@gatefold/chain'
import { createPublicClient, http, parseUnits, type Address } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { axe, launchBrowser } from '../browser.ts'
import type { TestBrowser } from '../browser.ts'
import { startStack } from '../stack.ts'
import type { Stack } from '../stack.ts'
import { bookPage } from './bookPage.ts'
import type { BookPage } from './bookPage.ts'

// A new visitor's path through all views. Other tests (buy, swap, money, names,
// pending) cover the states of each view.

let stack: Stack
let browser: TestBrowser
let book: BookPage
/** The visitor's account: a new one, which has no history. */
const key = generatePrivateKey()
const visitor = privateKeyToAddress(key)
const tomas = accounts[1].address
const name = 'first-visit.offchain.eth'

const local = () =>
  createPublicClient({
    chain: gatefoldLocal(stack.chains[0]!.url),
    transport: http(),
    cacheTime: 0,
  })
const second = () =>
  createPublicClient({
    chain: gatefoldSecond(stack.chains[1]!.url),
    transport: http(),
    cacheTime: 0,
  })
const dollarsOf = async (account: Address) =>
  local().readContract({
    address: addresses.usdc,
    abi: usdcAbi,
    functionName: 'balanceOf',
    args: [account],
  })
const spread = () => book.page.locator('.at-hand')
const step = (title: string) => spread().getByRole('listitem').filter({ hasText: title })
const action = (label: string) => spread().getByRole('button', { name: label, exact: true })
const total = () => book.page.getByTestId('total')
const field = (label: string) => book.card.getByRole('textbox', { name: label })

beforeAll(async () => {
  ;[stack, browser] = await Promise.all([startStack({ names: true }), launchBrowser()])
  const opened = await browser.newPage({ reducedMotion: 'reduce' })
  // The demo wallet gets the visitor's key instead of its own.
  await opened.context.route(/\/assets\/.*\.js$/, async (route) => {
    const response = await route.fetch()
    const body = await response.text()
    const replaced = body.replaceAll(demoKey, key)
    await route.fulfill({ response, body: replaced })
  })
  book = bookPage(opened)
  await book.page.goto(stack.book!.url)
})
afterAll(async () => {
  await browser?.close()
  await stack?.stop()
})

/** The key of the demo wallet Nacre. */
const demoKey = accounts[2].privateKey

async function close() {
  await book.page.keyboard.press('Escape')
  await book.card.waitFor({ state: 'detached' })
}

test('the first step of a visitor with an empty account is to pay with a test card', async () => {
  await book.connectWith('Nacre')
  await book.card.waitFor({ state: 'detached' })
  expect((await book.account.getAttribute('data-address'))?.toLowerCase()).toBe(
    visitor.toLowerCase(),
  )
  await spread().getByRole('heading', { name: 'First steps' }).waitFor()
  expect(await total().innerText()).toBe('$0.00')
  expect(await step('Get test money').getAttribute('aria-current')).toBe('step')
  expect(await axe(book.page, 'main')).toEqual([])
})

test('a paid test card brings ETH, which the page shows without a reload', async () => {
  await action('Pay with a test card').click()
  await book.row('$500').click()
  const opening = book.page.context().waitForEvent('page')
  await book.row('Continue with Sandbox').click()
  const popup = await opening
  await popup.getByText('Test cards', { exact: true }).click()
  await popup.getByRole('button', { name: '4242 4242 4242 4242' }).click()
  await popup.getByRole('button', { name: /^Pay \$/ }).click()
  await book.card
    .getByRole('status')
    .filter({ hasText: /ETH has arrived/ })
    .waitFor()
  await popup.close()
  expect(await local().getBalance({ address: visitor })).toBeGreaterThan(parseUnits('0.1', 18))
  await close()
  await expect.poll(() => total().innerText()).toMatch(/^\$4\d\d\.\d\d$/)
  await expect.poll(async () => step('Swap a little').getAttribute('aria-current')).toBe('step')
  expect(await step('Get test money').getAttribute('data-state')).toBe('done')
})

test('a first swap gets at least the USDC of its preview, and ticks its step', async () => {
  await step('Swap a little').getByRole('button').click()
  await book.card
    .getByRole('button', { name: /^Select token/ })
    .nth(1)
    .click()
  await book.row(/^USD Coin/).click()
  await book.card.getByLabel('You pay', { exact: true }).fill('0.05')
  await book.row('Review swap').click()
  const facts = book.card.locator('.gf-facts > div')
  const least = await facts.filter({ hasText: 'At least' }).locator('dd').innerText()
  await book.row(/^Swap$/).click()
  await book.approve()
  await book.card.getByText('Swap complete').waitFor()
  const minimum = parseUnits(least.replace(/[^\d.]/g, ''), 6)
  expect(minimum).toBeGreaterThan(parseUnits('100', 6))
  expect(await dollarsOf(visitor)).toBeGreaterThanOrEqual(minimum)
  await close()
  await expect.poll(async () => step('Swap a little').getAttribute('data-state')).toBe('done')
})

test('§5.2 USDC is sent to an ENS name', async () => {
  const before = await dollarsOf(tomas)
  await action('Send').click()
  await book.row(/^Token: /).click()
  await book.row(/^USD Coin/).click()
  await field('Amount').fill('12.5')
  await field('Receiver').fill('tomas.eth')
  await book.row('Preview send').click()
  await book.card.getByText('To tomas.eth').waitFor()
  await book.card.getByRole('button', { name: 'Send', exact: true }).last().click()
  await book.approve()
  await book.card.getByText('12.5 USDC sent').waitFor()
  expect((await dollarsOf(tomas)) - before).toBe(parseUnits('12.5', 6))
  await close()
})

test('Receive shows the address', async () => {
  await action('Receive').click()
  await book.card.getByText(visitor, { exact: true }).first().waitFor()
  await close()
})

test('§4.10.1 §7.9 a name is registered, which viem resolves', async () => {
  expect(await local().getEnsAddress({ name })).toBeNull()
  await step('Take a name').getByRole('button').click()
  await book.row('Choose name').click()
  await field('Name').fill('first-visit')
  await book.row('Register this name').click()
  await book.approve()
  await book.card.getByText(`${name} is yours`).waitFor()
  expect(await local().getEnsAddress({ name })).toBe(visitor)
  await close()
  await book.account.getByText(name).waitFor()
})

test('after the first steps, the page and the modal list all transactions', async () => {
  await spread().getByRole('heading', { name: 'Latest' }).waitFor()
  const rows = spread().getByRole('list', { name: 'Latest activity' }).getByRole('button')
  await expect
    .poll(async () => (await rows.allInnerTexts()).map((row) => row.split('\n')[0]))
    .toEqual(['Sent', 'Swapped', 'Received'])
  await spread().getByRole('button', { name: 'All activity' }).click()
  const activity = book.card.getByRole('list').getByRole('button')
  for (const what of [/Sent.*12\.5 USDC/s, /Swapped.*USDC/s, /Received.*ETH/s])
    await activity.filter({ hasText: what }).first().waitFor()
  await close()
})

test('§2.10 NFTs have their pictures', async () => {
  await local().request({
    method: 'eth_sendTransaction',
    params: [{ from: accounts[0].address, to: addresses.nft, data: mintTo(visitor) }],
  } as never)
  await book.account.click()
  await book.card.getByRole('tab', { name: 'NFTs' }).click()
  const plate = book.card.getByRole('list', { name: 'NFTs' }).getByRole('button').first()
  await plate.locator('img[data-loaded]').first().waitFor()
  await close()
})

test('a second network has a separate balance and activity', async () => {
  await second().request({
    method: 'eth_sendTransaction',
    params: [{ from: accounts[0].address, to: visitor, value: '0x1bc16d674ec80000' }],
  } as never)
  await book.page.getByRole('button', { name: 'Network: Gatefold Local' }).click()
  await book.row(/^Gatefold Second/).click()
  await book.approve()
  await book.page.getByRole('button', { name: 'Network: Gatefold Second' }).waitFor()
  if (await book.card.isVisible()) await close()
  await book.account.getByText('2 ETH', { exact: true }).waitFor()
  expect(await second().getBalance({ address: visitor })).toBe(parseUnits('2', 18))
  const rows = spread().getByRole('list', { name: 'Latest activity' }).getByRole('button')
  await rows.filter({ hasText: '+2 ETH' }).waitFor()
  expect(await rows.count()).toBe(1)
  expect(book.pageErrors).toEqual([])
  expect(book.consoleErrors).toEqual([])
})

/** The data of a call that mints a plate. */
function mintTo(account: Address): `0x${string}` {
  return `0x6a627842${account.slice(2).toLowerCase().padStart(64, '0')}`
}
