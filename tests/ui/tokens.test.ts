import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'

import { cutAtTheStart, overflowing, useScenes } from './scene.ts'

const open = useScenes()
const dialog = (page: Page) => page.getByRole('dialog')
const rows = (page: Page) => page.getByRole('list', { name: 'Tokens' }).getByRole('listitem')

test('the account shows its tokens on all networks with their value, and the total', async () => {
  const page = await open('Account.tokens')
  await page.getByRole('group', { name: 'Total balance: $12,483.33' }).waitFor()
  expect(await rows(page).first().innerText()).toBe('Ether\non Ethereum\n2.481 ETH\n$8,931.60')
  expect(await rows(page).nth(1).innerText()).toContain('Fold Dollar\non OP Mainnet')
  // A token without a price is last and says so.
  expect(await rows(page).last().innerText()).toContain('No price')
  await dialog(page).getByText('Disconnect').waitFor()
})

test('§3.4/20 §4.5.1 while the tokens load, the card has placeholders and says so', async () => {
  const page = await open('Account.tokensLoading')
  await page.getByRole('status', { name: 'Loading tokens' }).waitFor()
  expect(await page.locator('.gf-balance').count()).toBe(0)
})

test('an account without tokens has a total of zero and an explanation', async () => {
  const page = await open('Account.tokensEmpty')
  await page.getByRole('group', { name: 'Total balance: $0.00' }).waitFor()
  await page.getByText('Nothing here yet').waitFor()
})

test('if a network does not respond, the known tokens are shown, and the total says “at least”', async () => {
  const page = await open('Account.tokensPartial')
  await page.getByText('at least', { exact: true }).waitFor()
  await page.getByRole('status').filter({ hasText: 'Part of the balance is missing' }).waitFor()
  expect(await rows(page).count()).toBe(1)
  const requested = page.waitForRequest(/\/v1\/account\//)
  await page.getByRole('button', { name: 'Try again' }).click()
  await requested
})

test('§4.5.3 if the gateway fails, the native balance is shown, and the tokens are requested again after 30 s', async () => {
  const page = await open('Account.tokensFailed', {
    before: async (fresh) => {
      await fresh.clock.install()
      let fails = true
      await fresh.exposeFunction('recover', () => (fails = false))
      await fresh.route(/\/v1\/account\//, (route) =>
        fails
          ? route.fulfill({ status: 503, body: '{}' })
          : route.fulfill({ body: '{"balances":[]}' }),
      )
    },
  })
  // The query retries once after a second.
  await page.clock.fastForward(2_000)
  await page.getByRole('alert').filter({ hasText: 'Your tokens couldn’t be loaded' }).waitFor()
  await page.locator('.gf-balance').getByText('2.481').waitFor()
  await page.getByText(/Retrying in \d+ s/).waitFor()
  await page.evaluate(() => (window as unknown as { recover(): Promise<void> }).recover())
  await page.clock.fastForward(30_000)
  await page.getByRole('group', { name: 'Total balance: $0.00' }).waitFor()
  expect(await page.getByText('couldn’t be loaded').count()).toBe(0)
})

test('§3.4/21 §4.5.2 §4.5.4 after a failure, tokens are not requested for 30 s; after a success, they are kept and the wait ends', async () => {
  let fails = true
  let requests = 0
  const page = await open('Account.tokens', {
    before: async (fresh) => {
      await fresh.clock.install()
      await fresh.route(/\/v1\/account\/.*\/balance\?/, (route) => {
        requests += 1
        return fails ? route.fulfill({ status: 503, body: '{}' }) : route.continue()
      })
    },
  })
  const reopen = async () => {
    await page.keyboard.press('Escape')
    await page.clock.runFor(1_000)
    await dialog(page).waitFor({ state: 'detached' })
    await page.evaluate(() => void window.gallery.kit.open({ view: 'Account' }))
    await page.clock.runFor(1_000)
    await page.locator('[role=dialog][data-view=Account]:not([aria-busy])').waitFor()
  }
  // The query retries once after a second.
  await page.clock.runFor(2_000)
  const countdown = page.getByText(/Retrying in \d+ s/)
  await countdown.waitFor()
  expect(requests).toBe(2)
  fails = false
  await reopen()
  await page.locator('.gf-balance').getByText('2.481').waitFor()
  expect(await rows(page).count()).toBe(0)
  await page.clock.runFor(15_000)
  expect(requests).toBe(2)

  await page.clock.runFor(15_000)
  await rows(page).first().waitFor()
  expect(requests).toBe(3)
  expect(await countdown.count()).toBe(0)
  await reopen()
  await rows(page).first().waitFor()
  expect(requests).toBe(3)
})

test('if the gateway does not serve balances, the native balance and the avatar are shown', async () => {
  const page = await open('Account.tokens', {
    before: (fresh) =>
      fresh.route(/\/v1\/account\//, (route) => route.fulfill({ status: 404, body: '{}' })),
  })
  await page.locator('.gf-profile > .gf-artwork').waitFor()
  expect(await page.getByRole('list', { name: 'Tokens' }).count()).toBe(0)
  expect(await page.locator('.gf-balance').innerText()).toContain('ETH')
})

test('§2.13.2 the site chooses which actions the account offers, and their order', async () => {
  const actions = async (scene: string, wanted?: string) => {
    const page = await open(scene)
    const group = page.getByRole('group', { name: 'Actions' })
    // “Buy” appears once the gateway has named its providers.
    if (wanted) await group.getByRole('button', { name: wanted }).waitFor()
    return group.getByRole('button').allInnerTexts()
  }
  expect(await actions('Account.tokens', 'Buy')).toEqual(['Buy', 'Swap', 'Receive', 'Send'])
  expect(await actions('Account.actions')).toEqual(['Send', 'Receive'])
  expect(await actions('Account.noReceive')).not.toContain('Receive')
})

test('a token opens its details: price, network, contract to copy, explorer', async () => {
  const page = await open('Account.tokens', {
    before: (fresh) => fresh.context().grantPermissions(['clipboard-read', 'clipboard-write']),
  })
  await page.getByRole('button', { name: /^Fold Dollar/ }).click()
  await page
    .getByRole('dialog', { name: 'Token' })
    .locator('.gf-hero')
    .getByText('2,904.11 FLD')
    .waitFor()
  const facts = page.locator('.gf-facts')
  expect(await facts.innerText()).toMatch(
    /^Price\n\$1\.00\nNetwork\nOP Mainnet\nContract\n0x0000…0FLD/,
  )
  await page.getByRole('button', { name: /^Copy contract address/ }).click()
  await page.getByRole('status').filter({ hasText: 'Contract address copied' }).waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    `0x${'FLD'.padStart(40, '0')}`,
  )
  const link = page.getByRole('link', { name: 'View on explorer' })
  expect(await link.getAttribute('href')).toContain(`/address/0x${'FLD'.padStart(40, '0')}`)
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('group', { name: /^Total balance/ }).waitFor()
})

test('tokens that look like spam are shown on request', async () => {
  const page = await open('Account.tokens')
  await page.getByText('1 hidden: they look like spam').waitFor()
  expect(await page.getByText('Claim at').count()).toBe(0)
  await page.getByRole('button', { name: 'Show' }).click()
  await page.getByText('Claim at fold-gift.example').waitFor()
  await page.getByText('Never open a link in a token’s name.').waitFor()
})

test('a token that the account no longer holds says so', async () => {
  const page = await open('Token.gone')
  await page.getByText('This token isn’t in your account').waitFor()
})

test('while the tokens load, and if they failed to load, a token is not called missing', async () => {
  const loading = await open('Token.loading')
  await loading.getByRole('status', { name: 'Loading tokens' }).waitFor()
  expect(await loading.getByText('This token isn’t in your account').count()).toBe(0)

  const failed = await open('Token.failed')
  await failed.getByRole('alert').getByText('Your tokens couldn’t be loaded').waitFor()
  expect(await failed.getByText('This token isn’t in your account').count()).toBe(0)
  const requests: string[] = []
  failed.on('request', (request) => requests.push(request.url()))
  await failed.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => requests.some((url) => url.includes('/balance?'))).toBe(true)
})

test('a balance that arrives is shown without reopening the modal', async () => {
  const page = await open('Account.tokensEmpty', { before: (fresh) => fresh.clock.install() })
  await page.getByText('Nothing here yet').waitFor()
  await page.route(/\/v1\/account\//, (route) =>
    route.fulfill({
      json: {
        balances: [
          {
            name: 'Ether',
            symbol: 'ETH',
            chainId: 'eip155:1',
            price: 2,
            quantity: { decimals: '18', numeric: '3' },
          },
        ],
      },
    }),
  )
  await page.clock.fastForward(31_000)
  await page.getByRole('group', { name: 'Total balance: $6.00' }).waitFor()
})

test.each(['en', 'de', 'ar'])('the price over time fits at 320 px in %s', async (locale) => {
  const page = await open('Token.native', { width: 320, query: `locale=${locale}` })
  await page.locator('.gf-sparkline').waitFor()
  expect(await overflowing(page)).toEqual([])
})

test.each([320, 390, 1440])('long names and amounts fit at %i px', async (width) => {
  const page = await open('Account.tokensLong', { width })
  await page.getByRole('button', { name: 'Show' }).click()
  await rows(page).first().waitFor()
  expect(await overflowing(page)).toEqual([])
  expect(await cutAtTheStart(page)).toEqual([])
  // An amount below the precision is not shown as zero.
  expect(await rows(page).nth(1).innerText()).toMatch(/<0\.001 FLD\n<\$0\.01/)
})

test('attack: markup, direction marks and 10,000 characters in the texts of tokens are short, plain text', async () => {
  const markup = '<img src=x onerror="window.hacked=1">'
  const turned = '\u202eETH\u2066\u200b\u2028pay'
  const endless = 'W'.repeat(10_000)
  const texts = [markup, turned, endless]
  const requested: string[] = []
  const fungible = (text: string) => ({ name: text, symbol: text, flags: { is_spam: false } })
  const page = await open('Account.tokens', {
    width: 320,
    // During its entrance animation, a view is outside the card for a moment.
    reducedMotion: 'reduce',
    before: async (fresh) => {
      fresh.on('request', (request) => requested.push(request.url()))
      await fresh.route(/\/v1\/account\/.*\/balance\?/, async (route) => {
        const response = await route.fetch()
        const { balances } = (await response.json()) as { balances: object[] }
        // The second one is a token on the same network as the native currency.
        const json = {
          balances: balances.map((one, n) => ({ ...one, ...fungible(texts[n % 3]!) })),
        }
        await route.fulfill({ response, json })
      })
      await fresh.route(/\/v1\/account\/.*\/history\?/, async (route) => {
        const response = await route.fetch()
        const { data } = (await response.json()) as { data: { transfers: object[] }[] }
        const json = {
          data: data.map((one, n) => ({
            ...one,
            transfers: one.transfers.map((transfer) => ({
              ...transfer,
              fungible_info: fungible(texts[n % 3]!),
              nft_info: undefined,
            })),
          })),
          next: null,
        }
        await route.fulfill({ response, json })
      })
      await fresh.route(/\/v1\/convert\/tokens/, async (route) => {
        const response = await route.fetch()
        const { tokens } = (await response.json()) as { tokens: object[] }
        const json = { tokens: tokens.map((one, n) => ({ ...one, ...fungible(texts[n % 3]!) })) }
        await route.fulfill({ response, json })
      })
    },
  })
  const views = [
    { name: 'Account', data: undefined },
    { name: 'Token', data: { id: 'eip155:1' } },
    { name: 'WalletSendSelectToken', data: undefined },
    { name: 'SwapSelectToken', data: { side: 'toToken', swap: {} } },
    { name: 'Transactions', data: undefined },
  ]
  for (const { name, data } of views) {
    await page.evaluate(
      ([view, values]) => void window.gallery.kit.open({ view, data: values } as never),
      [name, data] as const,
    )
    const view = page.locator(`[role=dialog][data-view=${name}]:not([aria-busy])`)
    await view.waitFor()
    await view
      .getByText(/<img|WWWW/)
      .first()
      .waitFor()
    await page.locator('.gf-view[data-ending-style]').waitFor({ state: 'detached' })
    expect([name, await overflowing(page)]).toEqual([name, []])
    const text = (await view.textContent())!
    expect([name, /[\u202a-\u202e\u2066-\u2069\u200b\u2028]/.test(text)]).toEqual([name, false])
    // A name of 60 characters beside a symbol of 20.
    expect([name, /W{81}/.test(text)]).toEqual([name, false])
    expect([name, await view.locator('img[src="x"], img[onerror]').count()]).toEqual([name, 0])
  }
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
  expect(requested.filter((url) => /\/x$|W{81}|%3Cimg/.test(url))).toEqual([])
})
