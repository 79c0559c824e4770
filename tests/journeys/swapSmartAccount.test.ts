import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { addresses, hasBundler } from '@gatefold/chain'
import type { CDPSession, Page } from 'playwright-core'
import { parseEther, parseUnits } from 'viem'
import type { Address } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { sponsor } from '../../packages/server/src/cli/sponsor.ts'
import { addAuthenticator } from '../addAuthenticator.ts'
import { launchBrowser } from '../browser.ts'
import type { TestBrowser } from '../browser.ts'
import { startStack } from '../stack.ts'
import type { Stack } from '../stack.ts'
import { bookPage, openBook, previewSwap } from './bookPage.ts'
import type { BookPage } from './bookPage.ts'
import { swapAccount } from './swapAccount.ts'

let dataDir: string
let stack: Stack
let browser: TestBrowser
let book: BookPage
let mira: ReturnType<typeof swapAccount>
const facts = () => book.card.locator('.gf-view:not([data-ending-style]) .gf-facts')

/** Lets the site pay for operations, up to an amount in ether per user and day. */
const setSponsor = (userDay: string) =>
  sponsor(
    ['set', 'default', '--contract', 'any', '--user-day', userDay, '--day', '1', '--total', '10'],
    { env: { GATEFOLD_DATA_DIR: dataDir }, print: () => {} },
  )

/** The address that the page stores. */
async function storedAddress(): Promise<Address> {
  const cookie = (await book.page.context().cookies()).find(({ name }) => name.includes('gatefold'))
  return /0x[0-9a-fA-F]{40}/.exec(decodeURIComponent(cookie!.value))![0] as Address
}

/** Approves the operation in the frame, which describes the swap. */
async function approve(): Promise<void> {
  await book.frame.getByText(/^Swap \S+ \S+ for at least \S+ \S+$/).waitFor()
  await book.frame.locator('[aria-disabled=false]').filter({ hasText: 'Approve' }).waitFor()
  await book.press('Approve')
}

async function close(): Promise<void> {
  await book.page.keyboard.press('Escape')
  await book.card.waitFor({ state: 'detached' })
}

/** One visit. The tests build on each other. */
describe.runIf(hasBundler())('a swap from a smart account', () => {
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'gatefold-swap-'))
    ;[stack, browser] = await Promise.all([
      startStack({ frame: true, bundler: true, dataDir }),
      launchBrowser(),
    ])
    book = await openBook(browser, stack.book!.url)
  })
  afterAll(async () => {
    await browser?.close()
    await stack?.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  /** Creates a wallet with 2 ETH and 500 BOOK. */
  async function logIn() {
    await addAuthenticator(book.page)
    await book.connect.click()
    await book.row('Continue with a passkey').click()
    await book.press('Create a wallet with a passkey')
    await book.account.waitFor()
    await book.card.waitFor({ state: 'detached' })
    mira = swapAccount(stack, await storedAddress())
    await mira.fund()
  }

  test('§9.3.1 is free if the site pays, and is approved once together with its approval', async () => {
    await logIn()
    const before = await mira.balanceOf(addresses.book)
    await previewSwap(book, { pay: /^Book/, get: /^Ether/, amount: '60.5' })
    await expect.poll(() => facts().innerText()).toContain('Gas\nFree')
    await book.card.getByText(/You confirm once in Passkey wallet: an approval of/).waitFor()
    await book.row('Approve and swap').click()
    await approve()
    await book.card.getByText('Swap complete').waitFor()
    expect(before - (await mira.balanceOf(addresses.book))).toBe(parseUnits('60.5', 18))
    expect(await mira.allowanceOf(addresses.book)).toBe(0n)
    expect(await mira.ether()).toBeGreaterThan(parseEther('2'))
    await close()
  })

  test('removes the allowance that USDT has left in the same operation', async () => {
    await mira.leaveUsdtAllowance()
    const before = await mira.balanceOf(addresses.usdt)
    await previewSwap(book, { pay: /^Tether USD/, get: /^Ether/, amount: '120.5' })
    await expect.poll(() => facts().innerText()).toContain('Gas\nFree')
    await book.card.getByText(/once in Passkey wallet: the old approval is removed/).waitFor()
    await book.row('Approve and swap').click()
    await approve()
    await book.card.getByText('Swap complete').waitFor()
    expect(before - (await mira.balanceOf(addresses.usdt))).toBe(parseUnits('120.5', 6))
    expect(await mira.allowanceOf(addresses.usdt)).toBe(0n)
    await close()
  })

  test('§4.17 on a slow network is pending in a second tab too, and ends in both', async () => {
    const second = bookPage(await openTab(book))
    await second.account.waitFor()
    const network = await slowDown(book.page)
    const before = await mira.balanceOf(addresses.book)
    await previewSwap(book, { pay: /^Book/, get: /^Ether/, amount: '30.25' })
    await book.row('Approve and swap').click()
    await mira.client.setAutomine(false)
    await approve()
    await book.card.getByText('Swapping', { exact: true }).waitFor()
    await second.account.click()
    await second.card.getByRole('tab', { name: 'Activity' }).click()
    const row = second.card.locator('.gf-day li').filter({ hasText: '30.25 BOOK' })
    await row.filter({ hasText: 'Pending' }).waitFor()
    expect(await mira.balanceOf(addresses.book)).toBe(before)

    await mira.client.setAutomine(true)
    await mira.client.mine({ blocks: 1 })
    await book.card.getByText('Swap complete').waitFor()
    await row.filter({ hasText: 'Pending' }).waitFor({ state: 'detached' })
    await expect.poll(() => row.count()).toBe(1)
    expect(before - (await mira.balanceOf(addresses.book))).toBe(parseUnits('30.25', 18))
    // The next test has the normal network again.
    await network.detach()
    await second.page.close()
    await close()
  })

  test('§9.3.1 shows the fee that the account pays, and Max of ether leaves it', async () => {
    await setSponsor('0.000000001')
    await book.page.reload()
    const before = await mira.ether()
    await previewSwap(book, { get: /^Book/ })
    await expect.poll(() => facts().innerText()).toMatch(/Gas, up to\n\$\d/)
    await book.row(/^Swap$/).click()
    await approve()
    await book.card.getByText('Swap complete').waitFor()
    const left = await mira.ether()
    expect(left).toBeGreaterThan(0n)
    expect(left).toBeLessThan(before / 20n)
    expect(book.pageErrors).toEqual([])
  })
})

/** Opens the Book in another tab of the same browser. */
async function openTab({ context, page }: BookPage) {
  const tab = await context.newPage()
  await tab.goto(page.url())
  return { ...book, page: tab }
}

/** Sets a slow mobile network until the session is detached. */
async function slowDown(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 400,
    downloadThroughput: 50_000,
    uploadThroughput: 20_000,
  })
  return session
}
