import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'

import { auditThemes, cutAtTheStart, overflowing, useScenes } from './scene.ts'

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

test('while the tokens load, the card has placeholders and says so', async () => {
  const page = await open('Account.tokensLoading')
  await page.getByRole('status', { name: 'Loading tokens' }).waitFor()
  expect(await page.locator('.gf-balance').count()).toBe(0)
})

test('an account without tokens has a total of zero and an explanation', async () => {
  const page = await open('Account.tokensEmpty')
  await page.getByRole('group', { name: 'Total balance: $0.00' }).waitFor()
  await page.getByText('Nothing here yet').waitFor()
})

test('if a network does not respond, what is known is shown, and the total says “at least”', async () => {
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

test('a gateway that does not serve balances leaves the native balance and the avatar', async () => {
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

test.each([320, 390, 1440])('long names and amounts fit at %i px', async (width) => {
  const page = await open('Account.tokensLong', { width })
  await rows(page).first().waitFor()
  expect(await overflowing(page)).toEqual([])
  expect(await cutAtTheStart(page)).toEqual([])
  // An amount below the precision is not shown as zero.
  expect(await rows(page).nth(1).innerText()).toMatch(/<0\.001 FLD\n<\$0\.01/)
})

test.each([
  ...['tokens', 'tokensLoading', 'tokensEmpty', 'tokensPartial', 'tokensLong'].map(
    (state) => `Account.${state}`,
  ),
  'Token',
  'Token.gone',
])('%s has no accessibility violations in both themes', async (scene) => {
  const page = await open(scene)
  expect(await auditThemes(page)).toEqual([])
})
