import { fileURLToPath } from 'node:url'

import { gatefoldLocal, hasBundler, startBundler, startChain } from '@gatefold/chain'
import type { Bundler, Chain } from '@gatefold/chain'
import type { Page } from 'playwright-core'
import { createTestClient, http, parseEther } from 'viem'
import type { Address, EIP1193Provider } from 'viem'
import { getBalance } from 'viem/actions'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { launchBrowser } from '../browser.ts'
import type { TestBrowser } from '../browser.ts'
import { serveSite } from '../walletConnect/page/serve.ts'
import { startFrame } from './startFrame.ts'
import type { FrameStack } from './startFrame.ts'
import { pressUntilGone } from './pressUntilGone.ts'

declare const window: Window & { provider: EIP1193Provider }

// A smart account that sends. One visit; the tests build on each other.

const email = 'mira@north.example'
const receiver = '0x00000000000000000000000000000000000b00cd'
/** A contract that uses about 500,000 gas when it receives ether. */
const greedy = '0x0000000000000000000000000000000000097eed'
/** `for (let n = 20_000; n > 0; n--)` */
const greedyCode = '0x614e205b600190038060035700'
let browser: TestBrowser
let chain: Chain
let bundler: Bundler
let frame: FrameStack
let site: Awaited<ReturnType<typeof serveSite>>
let page: Page
let isLoggedIn = false

const card = () => page.locator('[data-gatefold] [role="dialog"]')
const secure = () => page.frameLocator('#gatefold-frame')
const facts = () => card().locator('.gf-view:not([data-ending-style]) .gf-facts')
const address = async () => (await page.locator('output').textContent()) as Address

describe.runIf(hasBundler())('the fee of a transfer from a smart account', () => {
  beforeAll(async () => {
    chain = await startChain()
    bundler = await startBundler(chain)
    const id = 'eip155:31337'
    ;[browser, site, frame] = await Promise.all([
      launchBrowser(),
      serveSite({ root: fileURLToPath(new URL('kitSite', import.meta.url)) }),
      startFrame({ rpcUrls: { [id]: [chain.url] }, bundlerUrls: { [id]: [bundler.url] } }),
    ])
  })
  // Not in `beforeAll`, where polls are not allowed.
  beforeEach(async () => {
    if (!isLoggedIn) await logIn()
  })
  afterAll(async () => {
    await browser?.close()
    await Promise.all([site?.stop(), frame?.stop()])
    await bundler?.stop()
    await chain?.stop()
  })

  /** Logs in, with 2 ETH on the smart account. */
  async function logIn() {
    ;({ page } = await browser.newPage())
    const query = new URLSearchParams({ frame: frame.url, rpc: chain.url, locale: 'en' })
    await page.goto(`${site.url}/?${query}`)
    await page.getByRole('button', { name: 'Connect' }).click()
    await card().getByLabel('Email address').fill(email)
    await card().getByLabel('Email address').press('Enter')
    await card()
      .getByLabel('6-digit code')
      .fill(await frame.codeFor(email))
    const later = secure().getByRole('button', { name: 'Not now', exact: true })
    await pressUntilGone(later)
    await page.locator('output:not(:empty)').waitFor()
    await card().waitFor({ state: 'detached' })
    await node().setBalance({ address: await address(), value: parseEther('2') })
    isLoggedIn = true
  }

  const node = () =>
    createTestClient({ mode: 'anvil', chain: gatefoldLocal(chain.url), transport: http() })
  const field = (name: string) => card().getByRole('textbox', { name })

  async function openSend() {
    await page.getByRole('button', { name: /0x|Mira|mira/ }).click()
    await card().getByRole('button', { name: 'Send', exact: true }).click()
  }

  /** Opens Send in a new visit, enters the whole balance, and opens its review. @returns what both views show */
  async function sendAll() {
    await page.reload()
    await page.locator('output:not(:empty)').waitFor()
    await openSend()
    await field('Receiver').fill(receiver)
    await card().getByRole('button', { name: 'Max', exact: true }).click()
    const amount = field('Amount')
    await expect.poll(() => amount.inputValue()).not.toBe('')
    const max = Number(await amount.inputValue())
    await card().getByRole('button', { name: 'Preview send' }).click()
    await card().getByText('Transfers can’t be undone').waitFor()
    await expect.poll(() => facts().innerText()).toContain('Network fee')
    return { max, shown: await facts().innerText() }
  }

  /** Asks for the fee of an empty call. @returns the fee, or the error */
  const feeOf = async (batch: object) =>
    page.evaluate(
      (params): Promise<unknown> =>
        window.provider
          .request({ method: 'wallet_getCallsFee', params } as never)
          .catch(({ message }: Error) => message),
      [{ from: await address(), calls: [{ to: receiver }], ...batch }],
    )

  test('is free if the site pays it, and the whole balance can be sent', async () => {
    await frame.sponsor(10_000_000)
    const { max, shown } = await sendAll()
    expect(shown).toContain('Network fee\nFree')
    expect(max).toBe(2)
  })

  test('is that of its operation if the account pays it, and is left by the maximum', async () => {
    await frame.sponsor(1)
    const { max, shown } = await sendAll()
    const fee = Number(/Network fee, up to\n(0\.\d+) ETH/.exec(shown)?.[1])
    expect(max).toBeLessThan(2)
    expect(2 - max).toBeGreaterThan(fee)
    // A transaction needs 21,000 gas, an operation with its deployment many times that.
    const price = await page.evaluate(() => window.provider.request({ method: 'eth_gasPrice' }))
    expect(fee).toBeGreaterThan((21_000 * 5 * Number(price)) / 1e18)
  })

  test('§5.2 is read again for another receiver, and lowers the maximum if it is higher', async () => {
    await frame.sponsor(1)
    await node().setCode({ address: greedy, bytecode: greedyCode })
    await page.keyboard.press('Escape')
    await card().waitFor({ state: 'detached' })
    await openSend()
    await field('Receiver').fill(receiver)
    await card().getByRole('button', { name: 'Max', exact: true }).click()
    await expect.poll(() => field('Amount').inputValue()).not.toBe('')
    const cheap = Number(await field('Amount').inputValue())
    await field('Receiver').fill(greedy)
    await expect.poll(async () => Number(await field('Amount').inputValue())).toBeLessThan(cheap)
    await card().getByRole('button', { name: 'Preview send' }).click()
    await card().getByText('Transfers can’t be undone').waitFor()
    await card().getByRole('button', { name: 'Send', exact: true }).click()
    const approve = secure().locator('[aria-disabled=false]').filter({ hasText: 'Approve' })
    await approve.waitFor()
    await pressUntilGone(approve)
    await card().getByText(/sent$/).waitFor()
    expect(await getBalance(node(), { address: greedy })).toBeGreaterThan(parseEther('1.9'))
    await node().setBalance({ address: await address(), value: parseEther('2') })
  })

  test('is read without an approval, only for calls that the account could send', async () => {
    await frame.sponsor(10_000_000)
    expect(await feeOf({})).toEqual({ fee: '0x0' })
    expect(await feeOf({ calls: [] })).toContain('must not be empty')
    expect(await feeOf({ chainId: '0x1' })).toContain('another network')
    expect(await feeOf({ from: receiver })).toContain('another account')
    expect(await secure().getByRole('dialog').count()).toBe(0)
  })

  test('attack: requesting it does not use up what the site pays', async () => {
    await frame.sponsor(1)
    const { fee } = (await feeOf({})) as { fee: string }
    // The budget covers two operations.
    await frame.sponsor(Math.ceil((2 * Number(fee)) / 1e9))
    for (let count = 0; count < 12; count++) expect(await feeOf({})).toEqual({ fee: '0x0' })
  })

  test('is not shown if it is known only during the approval', async () => {
    await bundler.stop()
    const { max, shown } = await sendAll()
    expect(shown).toContain('Network fee\nShown when you confirm')
    expect(shown).not.toMatch(/\d/)
    expect(max).toBe(2)
    bundler = await startBundler(chain, { port: Number(new URL(bundler.url).port) })
  })
})
