import { accounts, startChain } from '@gatefold/chain'
import type { Chain } from '@gatefold/chain'
import type { FrameLocator, Page } from 'playwright-core'
import { maxUint256, type Address } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser, type TestBrowser } from '../browser.ts'
import { allowanceOf, loginWithEther, requestAllowance } from './allowances.ts'
import { openHost, type HostWindow } from './openHost.ts'
import { pressUntilGone } from './pressUntilGone.ts'
import { startFrame, type FrameStack } from './startFrame.ts'

declare const window: HostWindow

// Two tabs of a site ask for an unlimited allowance of the same wallet, each for another spender.

const [, { address: first }, { address: second }] = accounts
let browser: TestBrowser
let chain: Chain
let frame: FrameStack

beforeAll(async () => {
  chain = await startChain()
  ;[browser, frame] = await Promise.all([
    launchBrowser(),
    startFrame({ rpcUrls: { 'eip155:31337': [chain.url] } }),
  ])
})
afterAll(async () => {
  await browser?.close()
  await frame?.stop()
  await chain?.stop()
})

/** A site with two tabs that are logged in to the same wallet. */
async function openTabs(email: string, options: Parameters<typeof openHost>[2] = {}) {
  const { page, inside, context, url } = await openHost(browser, frame, options)
  const address = await loginWithEther({ frame, chain }, page, email)
  const other = await context.newPage()
  await other.goto(url)
  await expect
    .poll(() => other.evaluate(() => window.send('GET_USER', {})))
    .toMatchObject({ payload: { address } })
  const tabs = [
    { page, inside, spender: first },
    { page: other, inside: other.frameLocator('#w3m-iframe'), spender: second },
  ] as const
  return { address, tabs }
}

const heading = (card: FrameLocator | Page) => card.getByRole('heading', { level: 1 })
const title = (spender: Address, what: string) =>
  `Let ${spender.slice(0, 6)}…${spender.slice(-4)} spend ${what}`

/** Chooses an amount, and waits until the approval shows it. */
async function choose(card: FrameLocator | Page, spender: Address, amount: string) {
  const field = card.getByRole('textbox', { name: 'Spending limit in USDC' })
  await field.fill(amount)
  await field.press('Enter')
  await heading(card)
    .filter({ hasText: title(spender, `${amount} USDC`) })
    .waitFor()
}

test('attack: each of two tabs signs the amount that was chosen in it', async () => {
  const { address, tabs } = await openTabs('ada@example.com')
  for (const { page, inside, spender } of tabs) {
    await requestAllowance(page, address, spender)
    await heading(inside)
      .filter({ hasText: title(spender, 'all your USDC') })
      .waitFor()
  }
  const [one, two] = tabs
  await choose(one.inside, first, '25.5')
  // The choice of the other tab stays open.
  expect(await heading(two.inside).innerText()).toBe(title(second, 'all your USDC'))
  await choose(two.inside, second, '3')
  await choose(one.inside, first, '7')
  expect(await heading(two.inside).innerText()).toBe(title(second, '3 USDC'))

  // The request that was shown first is approved last.
  for (const { page, inside } of [two, one]) {
    await page.bringToFront()
    await inside.locator('[aria-disabled=false]').filter({ hasText: 'Approve' }).waitFor()
    await pressUntilGone(inside.getByRole('button', { name: 'Approve' }))
  }
  expect(await allowanceOf(chain, two.page, [address, second])).toBe(3_000_000n)
  expect(await allowanceOf(chain, one.page, [address, first])).toBe(7_000_000n)
})

test('attack: each of two tabs signs the amount that was chosen in its window', async () => {
  const { address, tabs } = await openTabs('bea@example.com', {
    // As in Firefox and Safari, which have no IntersectionObserver v2.
    init: () => delete (IntersectionObserverEntry.prototype as { isVisible?: boolean }).isVisible,
  })
  const windows: Page[] = []
  for (const { page, inside, spender } of tabs) {
    await requestAllowance(page, address, spender)
    const opening = page.waitForEvent('popup')
    await inside.getByRole('button', { name: 'Review the request' }).click()
    const popup = await opening
    await heading(popup)
      .filter({ hasText: title(spender, 'all your USDC') })
      .waitFor()
    windows.push(popup)
  }
  const [one, two] = windows as [Page, Page]
  await choose(one, first, '5')
  await two.getByRole('radio', { name: 'Unlimited' }).check()
  await two.getByRole('checkbox').check()
  expect(await heading(one).innerText()).toBe(title(first, '5 USDC'))
  for (const popup of [two, one]) {
    await popup.bringToFront()
    await popup.locator('[aria-disabled=false]').filter({ hasText: 'Approve' }).click()
  }
  expect(await allowanceOf(chain, tabs[1].page, [address, second])).toBe(maxUint256)
  expect(await allowanceOf(chain, tabs[0].page, [address, first])).toBe(5_000_000n)
})
