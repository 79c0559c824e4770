import { describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'

import { overflowing, useScenes } from './scene.ts'

const open = useScenes()
const rows = (page: Page) => page.getByRole('list', { name: 'Tokens' }).getByRole('listitem')
const total = (page: Page, text: string) =>
  page.getByRole('group', { name: `Total balance: ${text}` }).waitFor()

describe('the currency', () => {
  test('is the site’s, in the total, the values and the price', async () => {
    const page = await open('Account.euro')
    await total(page, '€11,234.99')
    expect(await rows(page).first().innerText()).toContain('€8,038.44')
    await rows(page).first().getByRole('button').click()
    await page.locator('.gf-facts').getByText('€3,240.00').waitFor()
  })

  test('is chosen in a list, with the keyboard, and used in every view', async () => {
    const page = await open('Account.tokens')
    await total(page, '$12,483.33')
    await page.getByRole('button', { name: 'Currency USD' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Currency' })
    await dialog.getByRole('button', { name: 'US Dollar' }).waitFor()
    expect(
      await dialog.getByRole('button', { name: 'US Dollar' }).getAttribute('aria-current'),
    ).toBe('true')
    await dialog.getByRole('button', { name: 'Japanese Yen' }).press('Enter')
    // The yen has no cents.
    await total(page, '¥1,872,499')
    await page.getByRole('button', { name: 'Currency JPY' }).waitFor()

    const actions = page.getByRole('group', { name: 'Actions' })
    await actions.getByRole('button', { name: 'Swap' }).click()
    await page.getByRole('textbox', { name: 'You pay' }).fill('0.01')
    await page.locator('.gf-amount').getByText('¥5,400').first().waitFor()
    await page.getByRole('button', { name: 'Back' }).click()

    await actions.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('textbox', { name: 'Amount' }).fill('0.0101')
    await page.getByRole('button', { name: '¥5,454' }).click()
    // An amount in money has the decimals of the currency.
    expect(await page.getByRole('textbox', { name: 'Amount' }).inputValue()).toBe('5454')
    await page.locator('.gf-amount').getByText('¥', { exact: true }).waitFor()
  })

  test('of a purchase is the visitor’s, if a provider takes it', async () => {
    const page = await open('Account.euro')
    await page.getByRole('group', { name: 'Actions' }).getByRole('button', { name: 'Buy' }).click()
    await page.getByRole('dialog', { name: 'Buy' }).getByText('EUR').first().waitFor()
  })

  test('is US dollars if the gateway has no other prices', async () => {
    const page = await open('Account.oneCurrency')
    await total(page, '$12,483.33')
    await page.getByRole('button', { name: 'Currency USD' }).click()
    const list = page.getByRole('list', { name: 'Currencies' })
    await list.waitFor()
    expect(await list.getByRole('listitem').count()).toBe(1)
  })

  test('error: if the list cannot be loaded, it can be requested again', async () => {
    const page = await open('Currency.failed', { before: (fresh) => fresh.clock.install() })
    await page.clock.fastForward(2_000)
    await page.getByRole('alert').getByText('Couldn’t load the currencies').waitFor()
    await page.route(/currencies/, (route) => route.fulfill({ json: { currencies: ['EUR'] } }))
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('button', { name: 'Euro' }).waitFor()
  })
})

describe('small balances', () => {
  test('are hidden, but count in the total; the choice to show them is kept', async () => {
    const page = await open('Account.tokensSmall')
    await total(page, '$2,905.58')
    await page.getByText('Small balances hidden: 3.').waitFor()
    // The token without a price and the native currency of the active network are not small balances.
    expect(await rows(page).count()).toBe(3)
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByText('Quill').waitFor()
    expect(await rows(page).count()).toBe(6)
    await total(page, '$2,905.58')
    await page.getByRole('button', { name: /^Network.*Change$/ }).click()
    await page.getByRole('dialog', { name: 'Choose Network' }).waitFor()
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('dialog', { name: 'Account' }).waitFor()
    await page.getByText('Small balances: 3.').waitFor()
    await page.getByRole('button', { name: 'Hide' }).click()
    await page.getByText('Small balances hidden: 3.').waitFor()
  })

  test('are listed if the account has nothing else', async () => {
    const page = await open('Account.onlySmall')
    await page.getByText('Quill').waitFor()
    expect(await page.getByText('Small balances').count()).toBe(0)
  })
})

describe('refresh', () => {
  test('requests the balances past the cache, and says when it is done', async () => {
    const page = await open('Account.tokens')
    await total(page, '$12,483.33')
    const held = Promise.withResolvers<void>()
    await page.route(/\/v1\/account\/.*balance/, async (route) => {
      await held.promise
      await route.fulfill({ json: { balances: [] } })
    })
    const requested = page.waitForRequest(/forceUpdate=eip155%3A1%3A0x/)
    const button = page.getByRole('button', { name: 'Refresh balances' })
    await button.press('Enter')
    await requested
    expect(await button.getAttribute('aria-disabled')).toBe('true')
    await page.getByRole('status').getByText('Refreshing…').waitFor()
    held.resolve()
    await total(page, '$0.00')
    await page.getByRole('status').getByText('Balances refreshed').waitFor()
    expect(await button.getAttribute('aria-disabled')).toBe(null)
  })

  test.each([
    ['NFTs', '**/nfts?*', { nfts: [], unread: [] }, 'No NFTs yet'],
    ['Activity', '**/history?*', { data: [], next: null }, 'No activity yet'],
  ])('requests again what the tab %s shows', async (tab, url, json, text) => {
    const page = await open('Account.tokens')
    await page.getByRole('tab', { name: tab }).click()
    await page.getByRole('tabpanel').getByRole('listitem').first().waitFor()
    let requests = 0
    await page.route(url, (route) => {
      requests += 1
      return route.fulfill({ json })
    })
    await page.getByRole('button', { name: 'Refresh balances' }).click()
    await page.getByRole('status').getByText('Balances refreshed').waitFor()
    expect(requests).toBeGreaterThan(0)
    await page.getByText(text).waitFor()
  })

  test('error: a failure is a toast, and the known balances stay', async () => {
    const page = await open('Account.tokens')
    await total(page, '$12,483.33')
    await page.route(/\/v1\/account\//, (route) => route.fulfill({ status: 503, json: {} }))
    await page.getByRole('button', { name: 'Refresh balances' }).click()
    await page.getByRole('alert').getByText('Couldn’t refresh your balances').waitFor()
    await total(page, '$12,483.33')
  })
})

const scenes = ['Account.euro', 'Account.tokensSmall', 'Currency', 'Currency.one']

test.each(scenes.flatMap((scene) => ['en', 'de', 'ar'].map((locale) => [scene, locale])))(
  '%s fits at 320 px in %s',
  async (scene, locale) => {
    const page = await open(scene, { width: 320, query: `locale=${locale}` })
    await page.locator('.gf-list .gf-row:not([aria-hidden])').first().waitFor()
    expect(await overflowing(page)).toEqual([])
  },
)
