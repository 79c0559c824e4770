import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'

import { openGallery } from './gallery.ts'
import type { Gallery } from './gallery.ts'

let gallery: Gallery
beforeAll(async () => {
  gallery = await openGallery()
})
afterAll(() => gallery.stop())

const viewIs = (page: Page, view: string) =>
  page.locator(`[role=dialog][data-view=${view}]`).waitFor()

describe('WalletButton', () => {
  test('connects an installed wallet immediately', async () => {
    const { page } = await gallery.visit('', { query: 'wallet=halyard' })
    await page.getByRole('button', { name: 'Halyard' }).click()
    await page.getByRole('button', { name: 'Account 0xf39F…2266' }).waitFor()
  })

  test.each([
    ['by its name', 'orrery', 'Get Orrery'],
    ['by its rdns', 'io.metamask', 'Get MetaMask'],
    ['by its name without the word Wallet', 'trust', 'Get Trust Wallet'],
    [
      'by its id',
      'c57ca95b47569778a828d19178114f4db188b89b763c899ba0be274e97267d96',
      'Get MetaMask',
    ],
  ])(
    'opens Downloads for a wallet that is not installed and is found %s',
    async (_, wallet, title) => {
      const { page } = await gallery.visit('', { query: `wallet=${wallet}` })
      await page.getByRole('button', { name: wallet }).click()
      await page.getByRole('dialog', { name: title }).waitFor()
      // Back shows the Connect view.
      await page.getByRole('button', { name: 'Back' }).click()
      await viewIs(page, 'Connect')
    },
  )

  test('on a phone, offers the wallet’s app first', async () => {
    const { page } = await gallery.visit('', { query: 'wallet=orrery', width: 390, touch: true })
    await page.getByRole('button', { name: 'orrery' }).click()
    const open = page.getByRole('link', { name: 'Open Orrery' })
    await open.waitFor()
    expect(await open.getAttribute('href')).toContain('wallet://')
  })

  test('error: opens the Connect view if the wallet is unknown and the gateway fails', async () => {
    const { page } = await gallery.visit('', {
      query: 'wallet=nobody',
      before: (fresh) => fresh.route('**/getWallets*', (route) => route.abort()),
    })
    await page.getByRole('button', { name: 'nobody' }).click()
    await viewIs(page, 'Connect')
  })
})
