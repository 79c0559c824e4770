import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'

import { openGallery } from './gallery.ts'
import type { Gallery } from './gallery.ts'
import { auditThemes, overflowing } from './scene.ts'
import type { PageOptions } from '../browser.ts'

let gallery: Gallery
beforeAll(async () => {
  gallery = await openGallery()
})
afterAll(() => gallery.stop())

/** Opens the Connect view of an instance with `modalSize: 'wide'`. */
async function openWide(options: PageOptions & { scene?: string; query?: string } = {}) {
  const { scene = 'Connect.wide', query = '', ...page } = options
  return gallery.visit(scene, {
    reducedMotion: 'reduce',
    ...page,
    query: `wide&${query}`,
  })
}

const list = (page: Page) => page.getByRole('region', { name: 'Connect Wallet' })
const facing = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('region', { name, exact: true })
const history = (page: Page) =>
  page.evaluate(() => window.gallery.kit.getState().view.history.map(({ name }) => name))
const attempted = (page: Page) =>
  page.evaluate(() => window.gallery.kit.getState().attempt?.connectorId)
const widthOf = async (page: Page) => (await page.locator('.gf-card').boundingBox())!.width

describe('the two pages', () => {
  test('§2.15.2 are as wide as two compact cards: one lists the wallets, the other explains what a wallet is', async () => {
    const { page, pageErrors } = await openWide()
    expect(await widthOf(page)).toBe(720)
    await page.getByRole('dialog', { name: 'Connect Wallet' }).waitFor()
    await list(page)
      .getByRole('button', { name: /^Halyard/ })
      .waitFor()
    const guide = facing(page, 'What is a wallet?')
    await guide.getByText('A wallet is an app that keeps your keys.').waitFor()
    await guide.getByRole('listitem').nth(2).waitFor()
    const [left, right] = [await list(page).boundingBox(), await guide.boundingBox()]
    expect(left!.x + left!.width).toBe(right!.x)
    expect(left!.width).toBe(right!.width)
    expect(left!.height).toBe(right!.height)
    expect(pageErrors).toEqual([])
  })

  test('the guide has a button to Get a wallet, and Back returns to the guide', async () => {
    const { page } = await openWide()
    await facing(page, 'What is a wallet?').getByRole('button', { name: 'Get a wallet' }).click()
    await facing(page, 'Get a wallet').getByRole('button', { name: 'Explore all' }).click()
    await facing(page, 'All Wallets').waitFor()
    expect(await history(page)).toEqual(['Connect', 'GetWallet', 'AllWallets'])
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('button', { name: 'Back' }).click()
    await facing(page, 'What is a wallet?').waitFor()
    expect(await page.getByRole('button', { name: 'Back' }).count()).toBe(0)
  })

  test('a chosen wallet is marked, keeps the focus and is announced; the request is on the other page', async () => {
    const { page } = await openWide()
    await page.evaluate(() => {
      window.gallery.control.faults.hang = true
    })
    const row = list(page).getByRole('button', { name: /^Halyard/ })
    await row.focus()
    await page.keyboard.press('Enter')
    await facing(page, 'Halyard').getByText('Open Halyard to continue').waitFor()
    expect(await row.getAttribute('aria-current')).toBe('true')
    expect(await row.evaluate((element) => element === document.activeElement)).toBe(true)
    await expect.poll(() => list(page).getByRole('status').innerText()).toBe('Halyard')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test('another choice replaces the page on the right and aborts its request', async () => {
    const { page } = await openWide({ scene: 'Connect' })
    await page.evaluate(() => {
      window.gallery.control.faults.hang = true
    })
    await list(page)
      .getByRole('button', { name: /^Halyard/ })
      .click()
    await facing(page, 'Halyard').waitFor()
    expect(await attempted(page)).toBe('dev.gatefold.halyard')
    await list(page)
      .getByRole('button', { name: /^Nacre/ })
      .click()
    await facing(page, 'Nacre').getByText('Open Nacre to continue').waitFor()
    expect(await history(page)).toEqual(['Connect', 'ConnectingExternal'])
    expect(await attempted(page)).toBe('dev.gatefold.nacre')
    await list(page)
      .getByRole('button', { name: /^All Wallets/ })
      .click()
    await facing(page, 'All Wallets').waitFor()
    expect(await history(page)).toEqual(['Connect', 'AllWallets'])
    expect(await attempted(page)).toBe(undefined)
    expect(await list(page).locator('[aria-current]').allInnerTexts()).toEqual([
      expect.stringContaining('All Wallets'),
    ])
  })

  test('§4.1.5 a wallet that approves is connected, and the card closes', async () => {
    const { page } = await openWide()
    await list(page)
      .getByRole('button', { name: /^Halyard/ })
      .click()
    await page.getByRole('button', { name: /^Account .*0x/ }).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    // The account is a single page.
    await page.getByRole('button', { name: /^Account .*0x/ }).click()
    await page.getByRole('dialog', { name: 'Account' }).waitFor()
    expect(await widthOf(page)).toBe(360)
  })

  test('§4.7 the QR code is on the right; for a wallet in the grid, All Wallets stays marked', async () => {
    const { page } = await openWide()
    await list(page)
      .getByRole('button', { name: /^WalletConnect/ })
      .click()
    const code = facing(page, 'WalletConnect').getByRole('img', { name: /QR code/ })
    await code.waitFor()
    expect((await code.boundingBox())!.width).toBeGreaterThan(220)
    await list(page)
      .getByRole('button', { name: /^All Wallets/ })
      .click()
    await facing(page, 'All Wallets').getByRole('button', { name: 'Saltbox' }).first().click()
    await facing(page, 'Saltbox').waitFor()
    expect(await history(page)).toEqual(['Connect', 'AllWallets', 'ConnectingWalletConnect'])
    expect(await list(page).locator('[aria-current]').allInnerTexts()).toEqual([
      expect.stringContaining('All Wallets'),
    ])
  })

  test('Tab moves through both pages and stays in the card', async () => {
    const { page } = await openWide()
    const seen = new Set<string>()
    for (let step = 0; step < 14; step++) {
      await page.keyboard.press('Tab')
      seen.add(
        await page.evaluate(() => {
          const { activeElement } = document
          const side = activeElement?.closest('.gf-contents, .gf-page')?.classList[0] ?? 'outside'
          return `${side} ${activeElement?.textContent?.slice(0, 7) || activeElement?.getAttribute('aria-label')}`
        }),
      )
    }
    expect([...seen]).toEqual(
      expect.arrayContaining(['gf-contents Halyard', 'gf-page Get a w', 'gf-page Close']),
    )
    expect([...seen].filter((name) => name.startsWith('outside'))).toEqual([])
  })

  test('in a right-to-left language, the list is on the right', async () => {
    const { page } = await openWide({ query: 'locale=ar' })
    await page.getByText('المحفظة تطبيق').waitFor()
    const [first, second] = [
      (await page.locator('.gf-contents').boundingBox())!,
      (await page.locator('.gf-page').boundingBox())!,
    ]
    expect(first.x).toBe(second.x + second.width)
    expect(await overflowing(page)).toEqual([])
  })

  test.each(['locale=de&size=12px', 'locale=ar', ''])(
    'nothing overflows, and axe finds no violations (%s)',
    async (query) => {
      const { page } = await openWide({ query, height: 900 })
      await page.locator('.gf-guide').waitFor()
      expect(await overflowing(page)).toEqual([])
      expect(await auditThemes(page)).toEqual([])
      await page.getByRole('button', { name: /^WalletConnect/ }).click()
      await page.locator('.gf-page .gf-qr > svg').waitFor()
      expect(await overflowing(page)).toEqual([])
      expect(await auditThemes(page)).toEqual([])
    },
  )
})

describe('motion', () => {
  test('the pages open like a book, in 200 ms, and not with reduced motion', async () => {
    const turns = async (reducedMotion: 'reduce' | 'no-preference') => {
      const { page } = await gallery.visit('', { query: 'wide', reducedMotion })
      return page.evaluate(async () => {
        const durations = new Set<string>()
        void window.gallery.kit.open()
        const until = performance.now() + 1_500
        while (performance.now() < until && durations.size < 2) {
          await new Promise(requestAnimationFrame)
          for (const animation of document.getAnimations()) {
            const { target } = animation.effect as KeyframeEffect
            if (!target?.matches('.gf-contents, .gf-page')) continue
            const { transitionProperty } = animation as CSSTransition
            const { duration } = animation.effect!.getComputedTiming()
            durations.add(`${target.classList[0]} ${transitionProperty} ${Number(duration)}`)
          }
        }
        return [...durations].toSorted()
      })
    }
    expect(await turns('no-preference')).toEqual([
      'gf-contents transform 200',
      'gf-page transform 200',
    ])
    expect(await turns('reduce')).toEqual([])
  })
})

describe('compact', () => {
  test.each([
    ['in a window narrower than 740 px', { width: 739, height: 800 }],
    ['in a window lower than 600 px', { width: 1280, height: 599 }],
    ['on a phone', { width: 390, height: 844, touch: true }],
  ])('%s', async (_, size) => {
    const { page } = await openWide(size)
    await page.getByRole('button', { name: /^Halyard/ }).waitFor()
    expect(await widthOf(page)).toBeLessThanOrEqual(390)
    expect(await page.locator('.gf-contents').count()).toBe(0)
  })

  test('follows the size of the window while it is open', async () => {
    const { page } = await openWide({ width: 740, height: 600 })
    expect(await widthOf(page)).toBe(708)
    await page.setViewportSize({ width: 700, height: 600 })
    await expect.poll(() => widthOf(page)).toBe(360)
    await page.getByRole('button', { name: 'What is a wallet?' }).waitFor()
    await page.setViewportSize({ width: 1000, height: 700 })
    await expect.poll(() => widthOf(page)).toBe(720)
  })

  test('§2.7.2 when embedded', async () => {
    const { page } = await gallery.visit('', { query: 'wide&embedded' })
    const panel = page.locator('.gf-card[role=region]')
    await panel.getByRole('button', { name: /^Halyard/ }).waitFor()
    expect((await panel.boundingBox())!.width).toBeLessThanOrEqual(400)
    expect(await page.locator('.gf-contents').count()).toBe(0)
  })

  test('error: if the layout’s code fails to load', async () => {
    gallery.server.faults.breaking = /wide/
    const { page } = await openWide()
    gallery.server.faults.breaking = undefined
    await page.getByRole('button', { name: /^Halyard/ }).waitFor()
    expect(await widthOf(page)).toBe(360)
  })

  test('by default, and then the layout’s code is not loaded', async () => {
    const { page, requests } = await gallery.visit('Connect')
    await page.getByRole('button', { name: /^Halyard/ }).click()
    await page.getByRole('button', { name: /^Account .*0x/ }).waitFor()
    expect(requests.filter((url) => /wide-/.test(url))).toEqual([])
    const wide = await openWide()
    await wide.page.locator('.gf-contents').waitFor()
    expect(wide.requests.filter((url) => /wide-/.test(url)).length).toBe(1)
  })
})
