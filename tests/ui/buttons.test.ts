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

describe('appearance', () => {
  const account = (page: Page) => page.getByRole('button', { name: /^Account/ })
  /** The background and text colors of an element, as sRGB values from 0 to 255. */
  const colorsOf = (page: Page, name: RegExp) =>
    page.getByRole('button', { name }).evaluate((button) => {
      const style = getComputedStyle(button)
      const canvas = document.createElement('canvas').getContext('2d')!
      return [style.backgroundColor, style.color].map((color) => {
        canvas.clearRect(0, 0, 1, 1)
        canvas.fillStyle = color
        canvas.fillRect(0, 0, 1, 1)
        return [...canvas.getImageData(0, 0, 1, 1).data]
      })
    })
  const luminance = ([r = 0, g = 0, b = 0]: number[]) => {
    const [red, green, blue] = [r, g, b].map((value) =>
      value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
    ) as [number, number, number]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }

  test.each([
    ['dark', 'light', '#000', '#111'],
    ['light', 'dark', '#fff', '#eee'],
    ['system', 'dark', '#0b0a09', '#222'],
  ] as const)(
    '§2.15.1 with the theme %s, connected buttons are readable on any page (system %s, page %s, page text %s)',
    async (theme, colorScheme, background, color) => {
      const { page } = await gallery.visit('Account', { query: `theme=${theme}`, colorScheme })
      await page.addStyleTag({
        content: `body[data-theme] { background: ${background}; color: ${color} }`,
      })
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      for (const name of [/^Account/, /^Network: Ethereum$/]) {
        const [fill = [], text = []] = await colorsOf(page, name)
        expect(fill[3]).toBe(255)
        const [low, high] = [luminance(fill), luminance(text)].toSorted((a, b) => a - b) as [
          number,
          number,
        ]
        expect((high + 0.05) / (low + 0.05)).toBeGreaterThan(7)
        expect(luminance(fill) < 0.2).toBe(theme !== 'light')
      }
    },
  )

  test('all buttons share the text baseline of the line that they are in', async () => {
    const { page } = await gallery.visit('Account', {
      query: 'wallet=halyard&wallet=MetaMask&wallet=orrery',
    })
    await page.keyboard.press('Escape')
    await page.addStyleTag({ content: 'main { display: block !important }' })
    const baselines = await page.evaluate(() => {
      /** The baseline at the start of an element's text: the lower edge of an empty inline block. */
      const baselineOf = (parent: Element) => {
        const probe = document.createElement('i')
        probe.style.cssText = 'display: inline-block; inline-size: 0; block-size: 0'
        parent.prepend(probe)
        const { bottom } = probe.getBoundingClientRect()
        probe.remove()
        return Math.round(bottom * 10) / 10
      }
      const main = document.querySelector('main')!
      const labels = [...main.querySelectorAll('[data-gf-buttons] button')]
        .map((button) => button.querySelector(':scope > span:last-child:not([data-art])'))
        .filter((label) => label?.checkVisibility())
      return {
        line: baselineOf(main),
        labels: labels.map((label) => baselineOf(label!.querySelector('bdi') ?? label!)),
      }
    })
    expect(baselines.labels.length).toBe(5)
    expect(new Set([baselines.line, ...baselines.labels]).size).toBe(1)
  })

  test('the account button has 20 px of padding, and 14 px beside a picture at its start', async () => {
    const gaps = async (scene: string) => {
      const { page } = await gallery.visit(scene)
      await page.keyboard.press('Escape')
      if (scene === 'Account') await account(page).getByText('2.481 ETH').waitFor()
      return account(page).evaluate((button) => {
        const box = button.getBoundingClientRect()
        const items = [...button.children].map((item) => item.getBoundingClientRect())
        const [first, last] = [items[0]!, items.at(-1)!]
        const art = button.querySelector('[data-art]')!.getBoundingClientRect()
        const sum = button.querySelector('[data-sum]')?.getBoundingClientRect()
        return {
          start: first.left - box.left,
          end: box.right - last.right,
          art: sum ? art.left - sum.right : undefined,
        }
      })
    }
    expect(await gaps('Account')).toEqual({ start: 20, end: 20, art: 8 })
    // A picture at the start has the same distance to the three edges around it.
    expect(await gaps('Account.failed')).toEqual({ start: 14, end: 20, art: undefined })
  })
})

describe('WalletButton', () => {
  test('connects an installed wallet immediately', async () => {
    const { page } = await gallery.visit('', { query: 'wallet=halyard' })
    // The closed modal, which is rendered in idle time, lists the wallet as well.
    const buttons = page.locator('[data-gf-buttons]')
    await buttons.getByRole('button', { name: 'Halyard' }).click()
    await page.getByRole('button', { name: /^Account .*0xf39F…2266$/ }).waitFor()
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
      query: 'wallet=missing',
      before: (fresh) => fresh.route('**/getWallets*', (route) => route.abort()),
    })
    await page.getByRole('button', { name: 'missing' }).click()
    await viewIs(page, 'Connect')
  })
})
