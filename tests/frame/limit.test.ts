import { accounts, startChain } from '@gatefold/chain'
import type { Chain } from '@gatefold/chain'
import type { FrameLocator, Locator, Page } from 'playwright-core'
import { maxUint256 } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser, type TestBrowser } from '../browser.ts'
import { allowanceOf, loginWithEther, requestAllowance } from './allowances.ts'
import { openHost } from './openHost.ts'
import { pressUntilGone } from './pressUntilGone.ts'
import { startFrame, type FrameStack } from './startFrame.ts'

// A site asks for an unlimited allowance.

const [, { address: spender }] = accounts
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

/** A wallet with ether, and the request of its page. */
async function openRequest(email: string, options: Parameters<typeof openHost>[2] = {}) {
  const opened = await openHost(browser, frame, options)
  const address = await loginWithEther({ frame, chain }, opened.page, email)
  await requestAllowance(opened.page, address, spender)
  return { ...opened, allowance: () => allowanceOf(chain, opened.page, [address, spender]) }
}

const named = (card: FrameLocator | Page, text: string) => card.getByRole('heading', { name: text })
/** The text that screen readers read with a field. */
const descriptionOf = (field: Locator) =>
  field.evaluate((element) => {
    const id = element.getAttribute('aria-describedby') ?? ''
    return document.getElementById(id)?.textContent
  })
const unlimited = /spend all your USDC$/

test('the visitor can allow less, with the keyboard, and the site gets that transaction', async () => {
  const opened = await openRequest('ada@example.com')
  const { page, inside } = opened
  await inside.getByRole('heading', { name: unlimited }).waitFor()
  const approve = inside.getByRole('button', { name: 'Approve' })
  const field = inside.getByRole('textbox', { name: 'Spending limit in USDC' })
  await field.focus()
  await page.keyboard.type('25.5.')
  await page.keyboard.press('Enter')
  await inside.getByText('Enter a number, such as 2.5.').waitFor()
  expect(await approve.getAttribute('aria-disabled')).toBe('true')
  expect(await field.getAttribute('aria-invalid')).toBe('true')
  expect(await descriptionOf(field)).toBe('Enter a number, such as 2.5.')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Enter')
  await named(inside, 'spend 25.5 USDC').waitFor()
  expect(await inside.getByRole('checkbox').count()).toBe(0)
  expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
  await inside.locator('[aria-disabled=false]').filter({ hasText: 'Approve' }).waitFor()
  await pressUntilGone(approve)
  expect(await opened.allowance()).toBe(25_500_000n)
})

test('the visitor can allow an unlimited amount, also after another choice', async () => {
  const opened = await openRequest('bea@example.com')
  const { inside } = opened
  await inside.getByRole('textbox', { name: 'Spending limit in USDC' }).fill('7')
  await inside.getByRole('textbox', { name: 'Spending limit in USDC' }).press('Enter')
  await named(inside, 'spend 7 USDC').waitFor()
  await inside.getByRole('radio', { name: 'Unlimited' }).check()
  await inside.getByRole('heading', { name: unlimited }).waitFor()
  await inside.getByRole('checkbox').check()
  await inside.locator('[aria-disabled=false]').filter({ hasText: 'Approve' }).waitFor()
  await pressUntilGone(inside.getByRole('button', { name: 'Approve' }))
  expect(await opened.allowance()).toBe(maxUint256)
})

test('in a window of the frame, the visitor can allow less too', async () => {
  const opened = await openRequest('cleo@example.com', {
    // As in Firefox and Safari, which have no IntersectionObserver v2.
    init: () => delete (IntersectionObserverEntry.prototype as { isVisible?: boolean }).isVisible,
  })
  const opening = opened.page.waitForEvent('popup')
  await opened.inside.getByRole('button', { name: 'Review the request' }).click()
  const popup = await opening
  await popup.getByRole('heading', { name: unlimited }).waitFor()
  const field = popup.getByRole('textbox', { name: 'Spending limit in USDC' })
  await field.fill('3')
  await field.press('Enter')
  await named(popup, 'spend 3 USDC').waitFor()
  const approve = popup.locator('[aria-disabled=false]').filter({ hasText: 'Approve' })
  await approve.click()
  expect(await opened.allowance()).toBe(3_000_000n)
})
