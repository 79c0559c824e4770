import { expect, test } from 'vitest'
import type { Locator, Page } from 'playwright-core'

import { answer, untilHanging, useScenes } from './scene.ts'

const open = useScenes()

const heightOf = async (page: Page) => (await page.getByRole('dialog').boundingBox())!.height

test.each([
  ['Account.tokensLoading', 'Account.tokens'],
  ['BuyInProgress.loading', 'BuyInProgress'],
  ['ChooseAccountName.loading', 'ChooseAccountName'],
  ['Currency.loading', 'Currency'],
  ['Nft.loading', 'Nft.broken'],
  ['OnRampFiatSelect.loading', 'OnRampFiatSelect'],
  ['OnRampProviders.loading', 'OnRampProviders'],
  ['OnRampTokenSelect.loading', 'OnRampTokenSelect'],
  ['RegisterAccountName.loading', 'RegisterAccountName'],
  ['SwapPreview.loading', 'SwapPreview'],
  ['SwapSelectToken.loading', 'SwapSelectToken'],
  ['Token.loading', 'Token.native'],
  ['Transaction.loading', 'Transaction'],
  ['Transactions.loading', 'Transactions'],
  ['WalletSendPreview.loading', 'WalletSendPreview'],
])('the placeholders of %s are as high as %s', async (loading, loaded) => {
  const before = await open(loading, { reducedMotion: 'reduce' })
  await before.locator('.gf-skeleton').first().waitFor()
  const after = await open(loaded, { reducedMotion: 'reduce' })
  await after.waitForFunction(() => !document.querySelector('.gf-skeleton'))
  await expect.poll(() => heightOf(after)).toBe(await heightOf(before))
})

test('SwapPreview keeps its height once the quote has loaded', async () => {
  const held = Promise.withResolvers<void>()
  const page = await open('SwapPreview', {
    reducedMotion: 'reduce',
    before: (fresh) =>
      fresh.route('**/v1/convert/quotes*', async (route) => {
        await held.promise
        await route.continue()
      }),
  })
  await page.getByText('You get').waitFor()
  await page.locator('.gf-skeleton').first().waitFor()
  const before = await heightOf(page)
  held.resolve()
  await page.getByText('Price impact').waitFor()
  await expect.poll(() => heightOf(page)).toBe(before)
})

test('WalletSendPreview keeps its height once the fee has loaded', async () => {
  const page = await open('WalletSendPreview.checking', { reducedMotion: 'reduce' })
  await untilHanging(page)
  await page.getByText('Total, up to').waitFor()
  const before = await heightOf(page)
  await answer(page)
  await page.getByText('0.2508 ETH').waitFor()
  await expect.poll(() => heightOf(page)).toBe(before)
})

test.each(['Account.nfts', 'Account.nftsPartial', 'Account.chooseName'])(
  'in a window of 800 px height, only the list of %s scrolls',
  async (scene) => {
    const page = await open(scene, { height: 800, reducedMotion: 'reduce' })
    await page.getByText('Disconnect').waitFor()
    const list = page.locator('.gf-scroll')
    await expect.poll(() => list.evaluate((it) => it.scrollHeight > it.clientHeight)).toBe(true)
    const view = page.locator('.gf-view')
    expect(await view.evaluate((it) => it.scrollHeight - it.clientHeight)).toBeLessThanOrEqual(0)
  },
)

test('a view that is higher than the window has a fade at its end, until it is scrolled there', async () => {
  const page = await open('Nft', { height: 760, reducedMotion: 'reduce' })
  await page.getByText('Printed in').waitFor()
  const view = page.locator('.gf-view')
  const opacity = () => view.evaluate((it) => getComputedStyle(it, '::after').opacity)
  await expect.poll(opacity).toBe('1')
  await view.evaluate((it) => it.scrollTo(0, it.scrollHeight))
  await expect.poll(opacity).toBe('0')
})

/** The width and height of the area around the middle of an element that belongs to it, in pixels. */
const hitAreaOf = (element: Locator) =>
  element.evaluate((it) => {
    const { left, top, width, height } = it.getBoundingClientRect()
    const reach = (dx: number, dy: number) => {
      let steps = 0
      const owns = () =>
        it.contains(
          document.elementFromPoint(left + width / 2 + steps * dx, top + height / 2 + steps * dy),
        )
      while (steps < 100 && owns()) steps++
      return steps
    }
    return { width: reach(-1, 0) + reach(1, 0) - 1, height: reach(0, -1) + reach(0, 1) - 1 }
  })

test.each([
  ['Account.tokens', ['View on explorer', 'Refresh balances']],
  ['Swap', ['Select token: ETH', 'Max']],
  ['OnRampProviders', ['How does it work?']],
  ['Transaction', [/^Copy From/, /^Copy To/, /^Copy Hash/]],
])('in %s, what can be pressed is at least 40 px high and wide', async (scene, names) => {
  const page = await open(scene, { reducedMotion: 'reduce' })
  for (const name of names) {
    const control = page.getByRole(name === 'View on explorer' ? 'link' : 'button', { name })
    await control.waitFor()
    // Polled, since the skeletons of the view may still cover it.
    const smallerSide = async () => {
      const { width, height } = await hitAreaOf(control)
      return Math.min(width, height)
    }
    await expect.poll(smallerSide, { message: String(name) }).toBeGreaterThanOrEqual(40)
  }
})

test('the area in which the last button of a list can be pressed is not cut off', async () => {
  const page = await open('Account.tokens', { reducedMotion: 'reduce' })
  await page.getByText('1 hidden: they look like spam').waitFor()
  const list = page.locator('.gf-scroll')
  // It would extend what can be scrolled beyond the content.
  const rest = () => list.evaluate((it) => it.scrollHeight - it.firstElementChild!.clientHeight)
  expect(await rest()).toBe(0)
})
