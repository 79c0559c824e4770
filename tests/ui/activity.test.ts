import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'

import { auditThemes, overflowing, useScenes } from './scene.ts'

const open = useScenes()
const rows = (page: Page) => page.locator('.gf-day li')

test('transactions are in groups by day, and each links to the explorer', async () => {
  const page = await open('Transactions')
  await page.getByRole('list', { name: 'Today' }).waitFor()
  const first = rows(page).first()
  expect(await first.innerText()).toMatch(/^Swapped\nETH to FLD\n\+716\.42 FLD\n\d\d:00/)
  expect(await first.getByRole('link').getAttribute('href')).toBe(
    `https://explorer.example/tx/0x${'0'.repeat(64)}`,
  )
  await page.getByText('Failed: Swapped').waitFor()
  // A call that moved nothing has no amount.
  expect(await rows(page).nth(5).innerText()).not.toContain('ETH')
})

test('an NFT in the activity has its picture', async () => {
  const page = await open('Transactions')
  const picture = rows(page).filter({ hasText: 'Minted' }).first().locator('img[data-loaded]')
  await picture.waitFor()
  expect(await picture.getAttribute('src')).toContain('/v1/images/nft/Plate%2012')
})

test('§9.3.2 transactions that moved only spam are shown on request', async () => {
  const page = await open('Transactions')
  await page.getByText('1 hidden: they look like spam').waitFor()
  expect(await page.getByText('claim-gift').count()).toBe(0)
  await page.getByRole('button', { name: 'Show' }).click()
  await page.getByText('claim-gift').first().waitFor()
})

test('older transactions are loaded while the visitor scrolls', async () => {
  const page = await open('Transactions.long')
  await rows(page).first().waitFor()
  const before = await rows(page).count()
  await page.locator('.gf-scroll').evaluate((box) => box.scrollTo(0, box.scrollHeight))
  await expect.poll(() => rows(page).count()).toBeGreaterThan(before)
})

test('§8.1.1 error: a failure says so, and can be tried again', async () => {
  const page = await open('Transactions.failed', { before: (fresh) => fresh.clock.install() })
  // The query retries once after a second.
  await page.clock.fastForward(2_000)
  await page.getByRole('alert').getByText('Failed to fetch transactions').waitFor()
  await page.route(/\/history/, (route) => route.fulfill({ json: { data: [], next: null } }))
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('No activity yet').waitFor()
})

test('the account has a tab with the activity, and keeps it while other views are open', async () => {
  const page = await open('Account.tokens')
  await page.getByRole('tab', { name: 'Activity' }).click()
  await page.getByRole('list', { name: 'Today' }).waitFor()
  await page.getByRole('button', { name: /^Network.*Change$/ }).click()
  await page.getByRole('dialog', { name: 'Choose Network' }).waitFor()
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('list', { name: 'Today' }).waitFor()
  expect(await page.getByRole('tab', { name: 'Activity' }).getAttribute('aria-selected')).toBe(
    'true',
  )
})

test('§4.17 submitted transactions are in the list, pending ones first', async () => {
  const page = await open('Transactions.pending')
  const today = page.getByRole('list', { name: 'Today' })
  await today.getByText('Canceled: Sent').waitFor()
  expect((await rows(page).allInnerTexts()).slice(0, 2)).toEqual([
    'Sending\nto 0xa7E2…11b0\n−0.25 ETH\nPending',
    'Swapping\nETH to FLD\n−0.25 ETH\nPending',
  ])
  const reverted = rows(page).filter({ hasText: 'Failed: Sent' }).filter({ hasText: '0xa7E2' })
  expect(await reverted.textContent()).toMatch(/^.*Failed: Sent.*0\.25 ETH/)
})

test('§4.17 error: submitted transactions are in the list even if the history failed', async () => {
  const page = await open('Transactions.pendingOffline')
  await page.getByText('Sending').waitFor()
  await page.getByRole('alert').getByText('Failed to fetch transactions').waitFor()
})

test.each(['Transactions', 'Transactions.pending'])('%s fits at 320 px', async (scene) => {
  const page = await open(scene, { width: 320 })
  await rows(page).first().waitFor()
  expect(await overflowing(page)).toEqual([])
})

test.each(['Transactions', 'Transactions.pending', 'Transactions.empty', 'Transactions.loading'])(
  '%s has no accessibility violations in both themes',
  async (scene) => {
    const page = await open(scene)
    expect(await auditThemes(page)).toEqual([])
  },
)
