import { describe, expect, test } from 'vitest'
import type { Locator, Page } from 'playwright-core'

import { overflowing, useScenes } from './scene.ts'

const open = useScenes()
const card = (page: Page) => page.locator('.gf-view:not([data-ending-style])')
const button = (page: Page, name: string | RegExp) =>
  card(page).getByRole('button', { name, exact: true })
const field = (page: Page, label: 'You pay' | 'You get about') =>
  page.getByLabel(label, { exact: true })
const status = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })
const alert = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })

/** Presses Continue. @returns the provider's window, and the id of the order */
async function startPurchase(page: Page) {
  const opening = page.context().waitForEvent('page')
  await button(page, 'Continue with Tollhouse').click()
  const popup = await opening
  await popup.waitForURL(/\/onramp\/pay\//)
  return { popup, orderId: popup.url().split('/').at(-1)! }
}
/** Changes the order at the mock gateway. */
const settle = (page: Page, orderId: string, state: string) =>
  page.evaluate((path) => fetch(path), `/onramp/pay/${orderId}/${state}`)

describe('the purchase', () => {
  test('§9.5 shows the prices of all providers, best first, with what is received and the fees', async () => {
    const page = await open('OnRampProviders')
    await button(page, 'Continue with Tollhouse').waitFor()
    expect(await field(page, 'You get about').inputValue()).toBe('0.0685')
    const rows = page.getByRole('list', { name: 'Providers' }).getByRole('button')
    expect((await rows.allInnerTexts()).map((text) => text.split(/\s*\n\s*/))).toEqual([
      ['Tollhouse', 'Fee $3.40', '0.0685 ETH', 'Best'],
      ['Quayside', 'Fee $4.75', '0.06812 ETH'],
      ['Lantern', 'Fee $5.00', '0.06805 ETH'],
    ])
    await rows.nth(1).click()
    await button(page, 'Continue with Quayside').waitFor()
    expect(await field(page, 'You get about').inputValue()).toBe('0.06812')
  })

  test('§3.12.1 has providers, currencies, tokens and both amounts, with what is chosen, and an error', async () => {
    const page = await open('OnRampProviders')
    const current = (list: string) =>
      page.getByRole('list', { name: list }).locator('[aria-current=true]')
    await button(page, 'Continue with Tollhouse').waitFor()
    expect(await field(page, 'You pay').inputValue()).toBe('250')
    expect(await field(page, 'You get about').inputValue()).toBe('0.0685')
    expect(await page.getByRole('list', { name: 'Providers' }).getByRole('button').count()).toBe(3)
    expect(await current('Providers').innerText()).toContain('Tollhouse')

    await button(page, 'Select currency: USD').click()
    const currencies = page.getByRole('list', { name: 'Currencies' }).getByRole('button')
    await currencies.first().waitFor()
    expect(await currencies.allInnerTexts()).toEqual(
      ['USD', 'EUR', 'GBP', 'CHF', 'JPY'].map((code) => expect.stringMatching(`\n${code}$`)),
    )
    expect(await current('Currencies').innerText()).toContain('USD')
    await page.getByRole('button', { name: 'Back' }).click()

    await button(page, 'Select token: ETH').click()
    const tokens = page.getByRole('list', { name: 'Tokens' })
    await tokens.getByRole('button', { name: /^Quill/ }).waitFor()
    expect(await current('Tokens').innerText()).toContain('ETH · Ethereum')
    await tokens.getByRole('button', { name: /^Moss/ }).click()
    await status(page, 'No offers for MOS in USD').waitFor()
    expect(await field(page, 'You get about').inputValue()).toBe('')
  })

  test('§4.9.1 prices are marked as loading; if there are none, the gateway’s reason is shown', async () => {
    const answers: ((answer: object | undefined) => void)[] = []
    const page = await open('OnRampProviders', {
      before: (fresh) =>
        fresh.route('**/v1/onramp/quote*', async (route) => {
          const json = await new Promise<object | undefined>((resolve) => answers.push(resolve))
          await (json ? route.fulfill({ status: 400, json }) : route.continue())
        }),
    })
    const loading = page.getByRole('button', { name: 'Getting prices…' })
    const answer = async (json?: object) => {
      await loading.waitFor()
      expect(await loading.getAttribute('aria-disabled')).toBe('true')
      expect(await page.locator('.gf-amount[aria-busy=true]').count()).toBe(1)
      expect(await field(page, 'You get about').inputValue()).toBe('')
      await expect.poll(() => answers.length).toBe(1)
      answers.pop()!(json)
      await loading.waitFor({ state: 'detached' })
      expect(await page.locator('.gf-amount[aria-busy=true]').count()).toBe(0)
    }
    await answer()
    await button(page, 'Continue with Tollhouse').waitFor()
    await button(page, '$500').click()
    await answer({ reasons: [{ field: 'tollhouse', description: 'Sold out until noon' }] })
    await page.getByText('Sold out until noon').waitFor()
    // The next prices replace the reason.
    await button(page, '$100').waitFor()
    await button(page, '$100').click()
    await answer()
    await button(page, 'Continue with Tollhouse').waitFor()
    expect(await page.getByText('Sold out until noon').count()).toBe(0)
  })

  test.each([
    [1, 'USDC'],
    [137, 'USDC'],
    [10, 'ETH'],
  ])('§3.12.2 on chain %i, a new purchase is of %s', async (chainId, symbol) => {
    const page = await open('Account.tokens', {
      before: (fresh) =>
        fresh.route('**/v1/onramp/options*', async (route) => {
          const response = await route.fetch()
          const json = (await response.json()) as { purchaseCurrencies: object[] }
          json.purchaseCurrencies.push({
            id: 'USDC',
            symbol: 'USDC',
            name: 'USD Coin',
            networks: [
              ['ethereum-mainnet', 'Ethereum', '1', '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'],
              ['optimism-mainnet', 'Optimism', '10', '0x0b2c639c533813f4aa9d7837caf62653d097ff85'],
              ['polygon-mainnet', 'Polygon', '137', '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359'],
            ].map(([name, display_name, chain_id, contract_address]) => ({
              name,
              display_name,
              chain_id,
              contract_address,
            })),
          })
          await route.fulfill({ response, json })
        }),
    })
    await page.evaluate((id) => {
      const { control } = window.gallery
      control.emit({
        type: 'chainChanged',
        connectorId: control.ids[0],
        caipNetworkId: `eip155:${id}`,
      })
    }, chainId)
    await page.getByRole('button', { name: 'Buy', exact: true }).click()
    await button(page, `Select token: ${symbol}`).waitFor()
  })

  test('§3.12.3 §4.9.2 a new purchase has the defaults: US dollars by card, within its limits', async () => {
    const page = await open('Account.tokens')
    const limits = async (text: string) => {
      await field(page, 'You pay').fill('')
      await page.getByText(text, { exact: true }).waitFor()
    }
    const expectDefaults = async () => {
      await button(page, 'Continue with Tollhouse').waitFor()
      expect(await field(page, 'You pay').inputValue()).toBe('100')
      await button(page, 'Select currency: USD').waitFor()
      await button(page, 'Select token: ETH').waitFor()
      await page.getByRole('tab', { name: 'Card', selected: true }).waitFor()
    }
    await button(page, 'Buy').click()
    await expectDefaults()
    await limits('$10 to $7,500')
    await page.getByRole('tab', { name: 'Bank' }).click()
    await limits('$10 to $25,000')
    await button(page, '$1,000').click()
    await button(page, 'Select currency: USD').click()
    await page.getByRole('button', { name: /^Euro/ }).click()
    await button(page, 'Select token: ETH').click()
    await page.getByRole('button', { name: /^Fold Dollar.*Ethereum/s }).click()
    await button(page, 'Continue with Quayside').waitFor()
    expect(await field(page, 'You pay').inputValue()).toBe('1000')
    await page.getByRole('button', { name: 'Back' }).click()
    await button(page, 'Buy').click()
    await expectDefaults()
  })

  test('a button stays under the pressed pointer while the prices arrive, and takes the click', async () => {
    const held: (() => void)[] = []
    const page = await open('OnRampProviders', {
      before: (fresh) =>
        fresh.route('**/v1/onramp/quote*', async (route) => {
          await new Promise<void>((resolve) => held.push(resolve))
          await route.continue()
        }),
    })
    await page.getByRole('button', { name: 'Getting prices…' }).waitFor()
    await expect.poll(() => held.length).toBe(1)
    const currency = button(page, 'Select currency: USD')
    const cardHeight = () =>
      page.locator('.gf-card').evaluate((element) => element.getBoundingClientRect().height)
    const transitions = () =>
      page.evaluate(async () => {
        // The card starts to grow in the frame after its content has.
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
        const running = document.getAnimations().filter((one) => one instanceof CSSTransition)
        await Promise.all(running.map(({ finished }) => finished.catch(() => {})))
      })
    const isStill = async () => {
      const height = await cardHeight()
      await transitions()
      return (await cardHeight()) === height
    }
    await expect.poll(isStill).toBe(true)
    const before = (await currency.boundingBox())!
    const height = await cardHeight()
    await page.mouse.move(before.x + before.width / 2, before.y + before.height / 2)
    await page.mouse.down()
    held[0]!()
    await button(page, 'Continue with Tollhouse').waitFor()
    await transitions()
    expect(await currency.boundingBox()).toEqual(before)
    await page.mouse.up()
    await page.getByRole('button', { name: /^Euro/ }).waitFor()
    await page.getByRole('button', { name: 'Back' }).click()
    await button(page, 'Continue with Tollhouse').waitFor()
    await expect.poll(cardHeight).toBeGreaterThan(height)
  })

  test('§9.5 limits depend on the payment method, and one press uses the limit', async () => {
    const page = await open('OnRampProviders.tooMuch')
    await alert(page, 'The largest payment is $7,500').waitFor()
    await page.getByRole('tab', { name: 'Bank' }).click()
    await button(page, 'Continue with Quayside').waitFor()
    const down = page.getByRole('listitem').filter({ hasText: 'Isn’t responding' })
    await down.waitFor()
    const colorOf = (row: Locator) =>
      row.locator('b').evaluate((name) => getComputedStyle(name).color)
    expect(await colorOf(down)).not.toBe(
      await colorOf(page.getByRole('listitem').filter({ hasText: 'Quayside' })),
    )
    await page.getByRole('tab', { name: 'Card' }).click()
    await button(page, 'Use $7,500').click()
    await button(page, 'Continue with Tollhouse').waitFor()
    expect(await field(page, 'You pay').inputValue()).toBe('7500')
  })

  test('presets, another currency and another token change the prices', async () => {
    const page = await open('OnRampProviders')
    await button(page, '$500').click()
    await expect.poll(() => field(page, 'You get about').inputValue()).toBe('0.137')
    await button(page, 'Select currency: USD').click()
    await page.getByRole('button', { name: /^Swiss Franc/ }).click()
    await button(page, 'Select currency: CHF').waitFor()
    await button(page, 'Select token: ETH').click()
    await page.getByRole('button', { name: /^Fold Dollar.*Ethereum/s }).click()
    await button(page, 'Select token: FLD').waitFor()
    expect(await field(page, 'You pay').inputValue()).toBe('500')
    await expect.poll(() => field(page, 'You get about').inputValue()).toBe('560.4545')
  })

  test('prices are requested again every 15 s, and disappear after a minute without an answer', async () => {
    let isDown = false
    const page = await open('OnRampProviders', {
      before: async (fresh) => {
        await fresh.clock.install()
        await fresh.route('**/v1/onramp/quote*', (route) =>
          isDown ? route.abort() : route.continue(),
        )
      },
    })
    await page.clock.runFor(1_000)
    await button(page, 'Continue with Tollhouse').waitFor()
    const again = page.waitForRequest(/onramp\/quote/)
    await page.clock.runFor(15_000)
    await again
    isDown = true
    await page.clock.runFor(65_000)
    await status(page, 'Couldn’t get prices').waitFor()
    isDown = false
    await button(page, 'Try again').click()
    await button(page, 'Continue with Tollhouse').waitFor()
  })

  test.each([
    ['OnRampProviders.tooLittle', 'alert', 'The smallest payment is €10'],
    ['OnRampProviders.decimals', 'alert', 'Use at most two decimals'],
    ['OnRampProviders.none', 'status', 'No offers for MOS in CHF'],
    ['OnRampProviders.unavailable', 'status', 'Buying isn’t available'],
    ['OnRampProviders.failed', 'alert', 'Couldn’t load the providers'],
    ['OnRampFiatSelect.failed', 'alert', 'Couldn’t load the providers'],
  ] as const)('a problem has its own text (%s)', async (scene, role, text) => {
    const page = await open(scene)
    await page.getByRole(role).filter({ hasText: text }).waitFor()
  })

  test.each([
    ['OnRampProviders.expiredQuote', 'The price has expired'],
    ['OnRampProviders.tooManyOrders', 'Too many unpaid purchases'],
  ])('error: an order that is refused closes its window (%s)', async (scene, text) => {
    const page = await open(scene)
    const opening = page.context().waitForEvent('page')
    await button(page, 'Continue with Tollhouse').click()
    const popup = await opening
    await alert(page, text).waitFor()
    await expect.poll(() => popup.isClosed()).toBe(true)
  })

  test('error: after an order with an expired price, new prices are shown at once', async () => {
    let receives: string | undefined
    const page = await open('OnRampProviders.expiredQuote', {
      before: async (fresh) => {
        await fresh.clock.install()
        await fresh.route('**/v1/onramp/quote*', async (route) => {
          const response = await route.fetch()
          const json = (await response.json()) as { quotes: { purchaseAmount: object }[] }
          if (receives) Object.assign(json.quotes[0]!.purchaseAmount, { amount: receives })
          await route.fulfill({ response, json })
        })
      },
    })
    await button(page, 'Continue with Tollhouse').waitFor()
    // Without this, prices would be requested every 15 s.
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000))
    receives = '0.07'
    await button(page, 'Continue with Tollhouse').click()
    const shown = async () => {
      await page.clock.runFor(10)
      return field(page, 'You get about').inputValue()
    }
    await expect.poll(shown).toBe('0.07')
    await alert(page, 'The price has expired').waitFor()
  })
})

describe('an order', () => {
  test('§7.8.16 attack: opens in a window without an opener; only the gateway decides its outcome', async () => {
    const page = await open('OnRampProviders')
    const { popup, orderId } = await startPurchase(page)
    expect(await popup.evaluate(() => window.opener)).toBeNull()
    await status(page, 'Finish in Tollhouse').waitFor()
    // What a provider's page, or a forged return URL, could try.
    const read = page.waitForResponse(/\/v1\/onramp\/orders\//)
    await page.evaluate((id) => {
      window.postMessage({ type: 'onramp', status: 'paid', id }, '*')
      history.replaceState(null, '', `?order=${id}&status=paid`)
    }, orderId)
    await read
    await status(page, 'Finish in Tollhouse').waitFor()
    const refreshed = page.waitForRequest(/\/v1\/account\/.*forceUpdate=/)
    await settle(page, orderId, 'pending')
    await status(page, 'Payment received').waitFor()
    await settle(page, orderId, 'paid')
    await status(page, '0.0685 ETH has arrived').waitFor()
    await refreshed
    const link = page.getByRole('link', { name: 'View on explorer' })
    expect(await link.getAttribute('href')).toMatch(/^https:\/\/explorer.example\/tx\/0x8c1f/)
    await button(page, 'Done').click()
    await page.getByRole('group', { name: /^Total balance/ }).waitFor()
  })

  test('names the time of its payment and, if the tokens take long, whom to contact', async () => {
    const page = await open('BuyInProgress.pending', { before: (fresh) => fresh.clock.install() })
    await status(page, 'You can close this; Buy shows the result.').waitFor()
    const paid = page.getByRole('listitem').filter({ hasText: 'Paid $250.00' })
    expect(await paid.locator('time').innerText()).toMatch(/^\d{1,2}:\d{2}\s[AP]M$/)
    await page.clock.fastForward(31 * 60_000)
    await status(page, 'Still on its way').waitFor()
    await status(page, 'contact Tollhouse').waitFor()
  })

  test('that was paid on another day names the date', async () => {
    const page = await open('BuyInProgress.slow')
    await status(page, 'Still on its way').waitFor()
    expect(await page.getByRole('listitem').locator('time').innerText()).toMatch(/^Mar 14, 2026, /)
  })

  test('names amount and network from right to left in Arabic', async () => {
    const page = await open('BuyInProgress.pending', { query: 'locale=ar' })
    const hint = page.locator('[aria-current=step] bdi').filter({ hasText: '0.0685 ETH' })
    await hint.waitFor()
    expect(await hint.evaluate((it) => getComputedStyle(it).direction)).toBe('rtl')
  })

  test('whose window was closed can be opened again', async () => {
    const page = await open('OnRampProviders')
    const { popup } = await startPurchase(page)
    const url = popup.url()
    await popup.close()
    await status(page, 'Still waiting for Tollhouse').waitFor()
    const reopening = page.context().waitForEvent('page')
    await button(page, 'Open again').click()
    const again = await reopening
    await again.waitForURL(url)
    await button(page, 'Show window').waitFor()
  })

  test('whose window the browser blocked has a link', async () => {
    const page = await open('OnRampProviders', {
      before: (fresh) =>
        fresh.addInitScript(() => {
          window.open = () => null
        }),
    })
    await button(page, 'Continue with Tollhouse').click()
    await alert(page, 'The window didn’t open').waitFor()
    // The view reports neither a failure nor a delay.
    expect(await page.locator('.gf-facing-pages').getAttribute('data-state')).toBe('on')
    const link = page.getByRole('link', { name: 'Open Tollhouse' })
    expect(await link.getAttribute('rel')).toContain('noopener')
    const opening = page.context().waitForEvent('page')
    await link.click()
    await (await opening).waitForURL(/\/onramp\/pay\//)
    await status(page, 'Finish in Tollhouse').waitFor()
  })

  test('survives closing the modal, and a reload', async () => {
    const page = await open('OnRampProviders')
    const { popup, orderId } = await startPurchase(page)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('button', { name: /^\$250.00 with Tollhouse/ }).click()
    await status(page, 'Still waiting for Tollhouse').waitFor()
    await settle(page, orderId, 'failed')
    await alert(page, 'The card was declined.').waitFor()
    await button(page, 'Try again').click()
    await button(page, /^Continue with/).waitFor()
    expect(await field(page, 'You pay').inputValue()).toBe('250')
    expect(await page.getByRole('button', { name: /with Tollhouse$/ }).count()).toBe(1)
    await popup.close()
  })

  test.each(['expired', 'gone'])(
    'that is %s is forgotten; the one before it is listed',
    async (state) => {
      const page = await open('OnRampProviders')
      const first = await startPurchase(page)
      await page.getByRole('button', { name: 'Back' }).click()
      const second = await startPurchase(page)
      const url = page.url()
      // The page would follow the order.
      await page.goto('about:blank')
      await settle(second.popup, second.orderId, state)
      await page.goto(url)
      await button(page, 'Continue with Tollhouse').waitFor()
      const isStored = (id: string) => JSON.stringify(localStorage).includes(id)
      await expect.poll(() => page.evaluate(isStored, second.orderId)).toBe(false)
      await page.reload()
      await page.getByRole('button', { name: /^\$250.00 with Tollhouse/ }).click()
      await status(page, 'Still waiting for Tollhouse').waitFor()
      for (const { popup } of [first, second]) await popup.close()
    },
  )

  test('that the visitor left is followed; a toast reports its outcome', async () => {
    const page = await open('OnRampProviders')
    const { orderId } = await startPurchase(page)
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('group', { name: /^Total balance/ }).waitFor()
    const refreshed = page.waitForRequest(/\/v1\/account\/.*forceUpdate=/)
    await settle(page, orderId, 'paid')
    await page.locator('.gf-toast').filter({ hasText: '0.0685 ETH has arrived' }).waitFor()
    await refreshed
  })

  test.each([
    ['BuyInProgress.short', 'status', 'That’s less than quoted'],
    ['BuyInProgress.expired', 'alert', 'The purchase has expired'],
    ['BuyInProgress.gone', 'alert', 'This purchase no longer exists'],
    ['BuyInProgress.unchecked', 'status', 'Couldn’t check the purchase'],
  ] as const)('each state has its own text (%s)', async (scene, role, text) => {
    const page = await open(scene)
    await page.getByRole(role).filter({ hasText: text }).waitFor()
  })
})

describe('the way to it', () => {
  test('§9.7.3 §2.13.2 Account offers to buy only if a provider sells on the active network', async () => {
    const page = await open('Account.tokens')
    await button(page, 'Buy').click()
    await page.getByRole('dialog', { name: 'Buy' }).waitFor()
    const none = await open('Account.noOnramp')
    await none.getByRole('group', { name: /^Total balance/ }).waitFor()
    await button(none, 'Send').waitFor()
    await button(none, 'Buy').waitFor({ state: 'detached' })
  })

  test('while the providers load, Buy has its place, so that no other action moves', async () => {
    const held = Promise.withResolvers<void>()
    const page = await open('Account.tokens', {
      before: (fresh) =>
        fresh.route('**/v1/onramp/options*', async (route) => {
          await held.promise
          await route.continue()
        }),
    })
    const names = () => page.locator('.gf-round').allInnerTexts()
    expect(await names()).toEqual(['Buy', 'Swap', 'Receive', 'Send'])
    const answered = page.waitForResponse('**/v1/onramp/options*')
    held.resolve()
    await answered
    expect(await names()).toEqual(['Buy', 'Swap', 'Receive', 'Send'])
  })

  test('error: if the options fail, Account still opens the view, which shows the error', async () => {
    const page = await open('Account.tokens', {
      before: (fresh) =>
        fresh.route('**/v1/onramp/options*', (route) => route.fulfill({ status: 503, body: '{}' })),
    })
    await button(page, 'Buy').click()
    await alert(page, 'Couldn’t load the providers').waitFor()
  })

  test('an empty account, and a balance that is too low, offer it', async () => {
    const empty = await open('Account.tokensEmpty')
    await button(empty, 'Buy crypto').click()
    await empty.getByRole('dialog', { name: 'Buy' }).waitFor()
    for (const scene of [
      'Swap.notEnough',
      'WalletSend.tooMuch',
      'SwapSelectToken.none',
      'WalletSendSelectToken.empty',
    ]) {
      const page = await open(scene)
      await button(page, 'Buy ETH').click()
      await button(page, 'Select token: ETH').waitFor()
    }
  })
})

test.each(['OnRampProviders', 'OnRampProviders.tooMuch', 'OnRampProviders.none', 'BuyInProgress'])(
  '%s fits a window of 320 px in German and Arabic',
  async (scene) => {
    for (const locale of ['de', 'ar']) {
      const page = await open(scene, { width: 320, query: `locale=${locale}` })
      await page.waitForFunction(() => !document.querySelector('.gf-skeleton, [aria-busy=true]'))
      expect(await overflowing(page)).toEqual([])
    }
  },
)
