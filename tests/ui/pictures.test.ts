import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'

import { idle, openGallery } from './gallery.ts'
import type { Gallery } from './gallery.ts'

let gallery: Gallery
beforeAll(async () => {
  gallery = await openGallery()
})
afterAll(() => gallery.stop())

/** The modules with bundled pictures among requested URLs. */
const modules = (requests: readonly string[]) =>
  requests.flatMap((url) => /\/(wallets\d|chains)-[^/]*\.js$/.exec(url)?.[1] ?? [])

const rows = (page: Page) =>
  page
    .locator('.gf-card .gf-row')
    .evaluateAll((all) => all.map((row) => row.querySelector('b')?.textContent))

/** Which rows or cells show a picture: the start of its URL, or nothing. */
const pictures = (page: Page, selector: string) =>
  page
    .locator(selector)
    .evaluateAll((all) =>
      all.map((item) => item.querySelector('img[data-loaded]')?.getAttribute('src')?.slice(0, 11)),
    )

const popular = ['MetaMask', 'Trust Wallet', 'Base (formerly Coinbase Wallet)', 'Phantom']

describe('without a gateway', () => {
  test('the connect view offers popular wallets with their pictures if none is installed', async () => {
    const { page, hosts } = await gallery.visit('Connect.noneOffline')
    await expect.poll(() => rows(page)).toEqual([...popular, 'All Wallets'])
    await expect
      .poll(() => pictures(page, '.gf-row:has(> .gf-artwork)'))
      .toEqual(popular.map(() => 'data:image/'))
    await page.getByRole('button', { name: 'All Wallets 40+' }).waitFor()
    expect(hosts.size).toBe(1)
  })

  test('the connect view offers no other wallets if one is installed, and loads no directory', async () => {
    const { page, requests } = await gallery.visit('Connect.offline')
    await idle(page)
    expect(await rows(page)).toEqual(['Halyard', 'Nacre', 'All Wallets'])
    expect(requests.filter((url) => /fetchWallets-/.test(url))).toEqual([])
    expect(modules(requests)).toEqual([])
  })

  test('no picture is loaded before a view shows it', async () => {
    const { page, requests } = await gallery.visit('', { query: 'offline' })
    // The connect view is rendered ahead, invisibly, with its popular wallets.
    await page.locator('.gf-cover[data-closed] .gf-row', { hasText: 'Phantom' }).waitFor({
      state: 'attached',
    })
    await idle(page)
    expect(modules(requests)).toEqual([])

    await page.locator('[data-gf-buttons] button').click()
    await expect.poll(() => modules(requests)).toEqual(['wallets1'])

    await page.getByRole('button', { name: /^All Wallets/ }).click()
    await expect.poll(() => modules(requests)).toEqual(['wallets1', 'wallets2'])
    await idle(page)
    expect(modules(requests)).toEqual(['wallets1', 'wallets2'])

    await page.locator('.gf-cell', { hasText: 'Keplr' }).scrollIntoViewIfNeeded()
    await expect.poll(() => modules(requests)).toEqual(['wallets1', 'wallets2', 'wallets3'])
  })

  test('each wallet of the bundled directory has its own picture', async () => {
    const { page } = await gallery.visit('AllWallets.offline', { height: 800 })
    const cells = page.locator('.gf-cell')
    for (const name of ['Safe', 'TokenPocket', 'Tangem', 'Core', 'Frame Wallet'])
      await cells.filter({ hasText: name }).first().scrollIntoViewIfNeeded()
    const found = new Set<string | null>()
    for (const cell of await cells.all()) {
      await cell.scrollIntoViewIfNeeded()
      const picture = cell.locator('img[data-loaded]')
      await picture.waitFor()
      found.add(await picture.getAttribute('src'))
    }
    expect(found.size).toBe(await cells.count())
    expect(found.size).toBeGreaterThanOrEqual(40)
  })

  test('Get a wallet lists popular wallets that are not installed, and where they run', async () => {
    const { page } = await gallery.visit('GetWallet.offline')
    await expect.poll(() => rows(page)).toEqual(popular)
    const link = page.getByRole('link', { name: /MetaMask/ })
    expect(await link.innerText()).toContain('Browser extension and mobile app')
    expect(await link.getAttribute('href')).toBe('https://metamask.io/')
    await page.evaluate(() =>
      window.gallery.kit.dispatch({
        type: 'connectors.changed',
        namespace: 'eip155',
        connectors: [
          {
            ...window.gallery.kit.getState().connectors[0]!,
            id: 'io.metamask',
            info: { rdns: 'io.metamask' },
          },
        ],
      }),
    )
    await expect.poll(() => rows(page)).toEqual([...popular.slice(1), 'Binance Wallet'])
  })

  test('networks show their bundled picture, test networks that of the main network, and others a plate', async () => {
    const { page } = await gallery.visit('Networks.bundled', { height: 1000 })
    const art = page.locator('.gf-row > .gf-artwork')
    await art.nth(8).waitFor()
    // A picture is loaded when its row is first visible.
    for (const each of (await art.all()).slice(0, 8)) {
      await each.scrollIntoViewIfNeeded()
      await each.locator('img[data-loaded]').waitFor()
    }
    expect(await pictures(page, '.gf-row > .gf-artwork')).toEqual([
      ...Array.from({ length: 8 }, () => 'data:image/'),
      undefined,
    ])
    const [ethereum, sepolia] = [art.nth(0), art.nth(6)].map((each) =>
      each.locator('img').getAttribute('src'),
    )
    expect(await sepolia).toBe(await ethereum)
    expect(await art.nth(8).locator('.gf-plate').getAttribute('data-letters')).toBe('B')
  })
})

describe('plates', () => {
  test('show the initials of a name in any script, and an icon for a name without letters', async () => {
    const { page } = await gallery.visit('Connect.plates')
    const art = page.locator('.gf-row > .gf-artwork')
    await expect.poll(() => art.count()).toBe(7)
    expect(
      await art.evaluateAll((all) =>
        all.map((each) => each.querySelector<HTMLElement>('.gf-plate')?.dataset.letters),
      ),
    ).toEqual(['H', 'N', 'KP', '1', 'ما', 'П', undefined])
    expect(await art.last().locator('.gf-icon').count()).toBe(1)
  })

  test('a picture fades in over its plate in 125 ms, and appears immediately when it is shown again', async () => {
    const { page } = await gallery.visit('Connect.noneOffline')
    const image = page.locator('.gf-row', { hasText: 'Phantom' }).locator('img')
    await image.waitFor()
    const style = (name: 'transitionDuration' | 'transitionProperty') =>
      image.evaluate((element, key) => getComputedStyle(element)[key], name)
    expect([await style('transitionProperty'), await style('transitionDuration')]).toEqual([
      'opacity',
      '0.125s',
    ])
    await expect
      .poll(() => image.evaluate((element) => getComputedStyle(element).opacity))
      .toBe('1')
    const plate = page.locator('.gf-row', { hasText: 'Phantom' }).locator('.gf-plate')
    await expect
      .poll(() => plate.evaluate((element) => getComputedStyle(element).opacity))
      .toBe('0')
    await page.getByRole('button', { name: /^All Wallets/ }).click()
    await page.getByRole('button', { name: 'Phantom certified' }).waitFor()
    const again = page.locator('.gf-cell', { hasText: 'Phantom' }).locator('img')
    expect(await again.getAttribute('data-loaded')).toBe('true')
  })

  test('error: stay if the pictures fail to load', async () => {
    gallery.server.faults.breaking = /wallets1-/
    onTestFinished(() => void (gallery.server.faults.breaking = undefined))
    const { page, pageErrors } = await gallery.visit('Connect.noneOffline')
    await expect.poll(() => rows(page)).toContain('MetaMask')
    await idle(page)
    expect(await page.locator('.gf-row:has-text("MetaMask") .gf-plate').isVisible()).toBe(true)
    expect(pageErrors).toEqual([])
  })

  test('error: stay if the site’s Content Security Policy refuses data URIs', async () => {
    gallery.server.faults.csp =
      "default-src 'none'; script-src 'self'; connect-src 'self'; font-src 'self'; img-src 'self'; style-src 'self' 'nonce-book'"
    onTestFinished(() => void (gallery.server.faults.csp = undefined))
    const { page, requests } = await gallery.visit('Connect.noneOffline', { query: 'nonce=book' })
    await expect.poll(() => modules(requests)).toEqual(['wallets1'])
    await expect.poll(() => rows(page)).toContain('MetaMask')
    await expect.poll(() => page.locator('.gf-row img').count()).toBe(0)
    const plate = page.locator('.gf-row', { hasText: 'MetaMask' }).locator('.gf-plate')
    expect(await plate.evaluate((element) => getComputedStyle(element).opacity)).toBe('1')
  })

  test('the bundled picture is shown if the gateway’s fails to load', async () => {
    const { page } = await gallery.visit('Connect.none', {
      before: (page) => page.route(/getWalletImage/, (route) => route.abort()),
    })
    await page.evaluate(() => {
      const { kit } = window.gallery
      const wallet = {
        id: 'm',
        name: 'MetaMask',
        image_id: 'e30d09fe-c0dd-4b61-81e2-d6dc09eb9700',
      }
      kit.dispatch({ type: 'recent.changed', recent: [wallet] })
    })
    await expect.poll(() => pictures(page, '.gf-row:has-text("MetaMask")')).toEqual(['data:image/'])
  })
})
