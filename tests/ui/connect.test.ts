import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { idle, openGallery, titleOf } from './gallery.ts'
import type { Gallery } from './gallery.ts'
import { answer } from './scene.ts'
import { directory } from '../../packages/kit/gallery/gateway.ts'

let gallery: Gallery
beforeAll(async () => {
  gallery = await openGallery()
})
afterAll(() => gallery.stop())

const rows = (page: Page) =>
  page
    .locator('.gf-card .gf-row')
    .evaluateAll((all) => all.map((row) => row.querySelector('b')?.textContent))

/** The query parameters of the wallet requests in the gateway's log, from an index on. */
const requests = (from: number) =>
  gallery.server.log
    .slice(from)
    .filter((line) => line.startsWith('/getWallets'))
    .map((line) => Object.fromEntries(new URL(line, 'http://gallery').searchParams))

describe('the connect view', () => {
  test('§9.9.1 §9.9.3 §9.9.4 §9.9.5 §2.11.1 shows the groups in order, without duplicates or excluded wallets', async () => {
    const { page } = await gallery.visit('Connect.groups')
    await expect
      .poll(() => rows(page))
      .toEqual([
        'Every Chain',
        'Halyard',
        'Orrery',
        'Petrel',
        'Plinth',
        'Custom',
        'External',
        'WalletConnect',
        'All Wallets',
      ])
  })

  test('§9.9.1 shows the configured groups first', async () => {
    const { page } = await gallery.visit('Connect.ordered')
    await expect
      .poll(() => rows(page))
      .toEqual([
        'Petrel',
        'Plinth',
        'Every Chain',
        'Halyard',
        'WalletConnect',
        'Orrery',
        'Custom',
        'External',
        'All Wallets',
      ])
  })

  test('is shown immediately, with skeletons while the gateway does not respond', async () => {
    const { page } = await gallery.visit('Connect.never')
    await page.getByRole('button', { name: 'All Wallets' }).waitFor()
    expect(await page.locator('.gf-card li[aria-hidden]').count()).toBe(4)
  })

  test('§9.2/3 recommended wallets replace the skeletons without changing the height', async () => {
    const { page } = await gallery.visit('Connect.slow', { reducedMotion: 'reduce' })
    const height = () => page.locator('.gf-card').evaluate((card) => card.clientHeight)
    expect(await page.locator('.gf-card li[aria-hidden]').count()).toBe(1)
    const before = await height()
    await page.getByRole('button', { name: 'Orrery' }).waitFor()
    expect(await height()).toBe(before)
    expect(await rows(page)).toEqual(['Halyard', 'Orrery', 'All Wallets'])
    expect(requests(0).some(({ entries }) => entries === '4')).toBe(true)
  })

  test('behavior: the list of wallets is inert until the terms are accepted', async () => {
    const { page } = await gallery.visit('Connect.consent')
    const wallet = page.locator('.gf-row', { hasText: 'Halyard' })
    const isInert = () => wallet.evaluate((row) => Boolean(row.closest('[inert]')))
    await expect.poll(isInert).toBe(true)
    await page
      .getByRole('checkbox', { name: /I agree to the Terms of Service and Privacy Policy/ })
      // A click could miss the checkbox while the card moves.
      .press('Space')
    await expect.poll(isInert).toBe(false)
  })

  test('behavior: the page’s button shows Connecting only during an attempt', async () => {
    const { page } = await gallery.visit('')
    const button = page.locator('[data-gf-buttons] button')
    await button.click()
    await page.locator('.gf-card').waitFor()
    expect(await button.textContent()).toBe('Connect Wallet')
    await page.evaluate(() => (window.gallery.control.faults.hang = true))
    await page.getByRole('button', { name: 'Halyard' }).click()
    await expect.poll(() => button.textContent()).toBe('Connecting…')
    await answer(page)
    await expect.poll(() => button.last().textContent()).toContain('0xf39F…2266')
  })
})

describe('connecting', () => {
  test('the request is sent during the click, and the card closes after the approval', async () => {
    const { page } = await gallery.visit('Connect')
    const count = await page.locator('.gf-row', { hasText: 'Nacre' }).evaluate((row) => {
      ;(row as HTMLElement).click()
      return window.gallery.control.requested.length
    })
    expect(count).toBe(1)
    await page.locator('.gf-card').waitFor({ state: 'detached' })
    expect(await page.evaluate(() => window.gallery.control.requested)).toEqual([
      'dev.gatefold.nacre',
    ])
  })

  test.each([
    ['ConnectingExternal', 'status', 'Open Halyard to continue'],
    ['ConnectingExternal.declined', 'alert', 'You declined the request in Halyard'],
    ['ConnectingExternal.failed', 'alert', 'Couldn’t connect to Halyard'],
    ['ConnectingExternal.silent', 'alert', 'Halyard isn’t responding'],
    ['ConnectingExternal.linked', 'status', 'Halyard is already connected'],
    ['ConnectingExternal.gone', 'alert', 'This wallet is no longer available'],
  ] as const)('§2.4 %s announces (%s): %s', async (scene, role, text) => {
    const { page } = await gallery.visit(scene)
    await page.locator('.gf-card').getByRole(role).filter({ hasText: text }).waitFor()
  })

  test('a retry can succeed after a rejection', async () => {
    const { page } = await gallery.visit('ConnectingExternal.declined')
    await page.getByText('Nothing was shared. You can try again.').waitFor()
    await page.evaluate(() => (window.gallery.control.faults.reject = false))
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('.gf-card').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Account .*0xf39F…2266$/ }).waitFor()
  })

  test('after a minute without a response, a hint is shown, with a button that goes back', async () => {
    const { page } = await gallery.visit('ConnectingExternal', {
      before: (page) => page.clock.install(),
    })
    await page.getByText('Open Halyard to continue').waitFor()
    await page.clock.fastForward(60_000)
    await page.getByText('Halyard isn’t responding').waitFor()
    await page.getByRole('button', { name: 'Use another wallet' }).click()
    await expect.poll(() => titleOf(page)).toBe('Connect Wallet')
  })

  test('a wallet that is not installed opens Downloads; on a phone, the wallet’s app is listed first', async () => {
    const { page } = await gallery.visit('AllWallets')
    await page.getByRole('button', { name: 'Thistle', exact: true }).click()
    await expect.poll(() => titleOf(page)).toBe('Get Thistle')
    const link = page.getByRole('link', { name: /Browser extension/ })
    expect(await link.getAttribute('target')).toBe('_blank')
    expect(await link.getAttribute('rel')).toContain('noopener')

    const phone = await gallery.visit('Downloads', { width: 390, height: 844, touch: true })
    const first = phone.page.locator('.gf-card a').first()
    expect(await first.textContent()).toBe('Open Orrery')
    expect(await first.getAttribute('href')).toBe('orrery://')
  })
})

describe('all wallets', () => {
  const cells = (page: Page) => page.locator('.gf-card button.gf-cell')

  test('§9.2/2 pages of 40 load while scrolling', async () => {
    const from = gallery.server.log.length
    const { page } = await gallery.visit('AllWallets')
    await expect.poll(() => cells(page).count()).toBe(40)
    expect(requests(from).filter(({ entries }) => entries === '40')).toHaveLength(1)
    for (const count of [80, 120]) {
      await page.locator('.gf-scroll').evaluate((box) => box.scrollTo(0, box.scrollHeight))
      await expect.poll(() => cells(page).count()).toBeGreaterThanOrEqual(count)
    }
    const pages = requests(from).filter(({ entries }) => entries === '40')
    expect(pages.map(({ page: number }) => number)).toEqual(
      pages.map((_, index) => String(index + 1)),
    )
  })

  test('§9.2 no page is requested after the last one', async () => {
    const from = gallery.server.log.length
    const { page } = await gallery.visit('AllWallets')
    const scroll = () =>
      page.locator('.gf-scroll').evaluate((box) => box.scrollTo(0, box.scrollHeight))
    // 421 wallets.
    for (let pages = 1; pages <= 11; pages += 1) {
      await expect.poll(() => cells(page).count()).toBeGreaterThanOrEqual(Math.min(pages * 40, 421))
      await scroll()
    }
    await expect.poll(() => cells(page).count()).toBe(421)
    await scroll()
    await idle(page)
    const numbers = requests(from)
      .filter(({ entries }) => entries === '40')
      .map(({ page: number }) => Number(number))
    expect(numbers).toEqual(Array.from({ length: 11 }, (_, index) => index + 1))
    expect(await cells(page).count()).toBe(421)

    const fromFew = gallery.server.log.length
    const few = await gallery.visit('AllWallets.few')
    await expect.poll(() => cells(few.page).count()).toBe(5)
    await idle(few.page)
    expect(requests(fromFew).filter(({ entries }) => entries === '40')).toHaveLength(1)
  })

  test('§9.2/5 §9.2/6 the next page is shown when its first 20 images have loaded, or after 2 s', async () => {
    // Images of wallets that are not shown yet.
    const preloads: string[] = []
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const { page } = await gallery.visit('AllWallets', {
      before: async (page) => {
        await page.clock.install()
        await page.route('**/getWalletImage/*', async (route) => {
          const name = decodeURIComponent(
            new URL(route.request().url()).pathname.split('/').at(-1)!,
          )
          const wallet = directory.findIndex(({ image_id }) => image_id === name)
          if (wallet >= 40 && wallet < 80) preloads.push(name)
          if (wallet >= 40) await held
          await route.continue()
        })
      },
    })
    await expect.poll(() => cells(page).count()).toBe(40)
    await page.clock.pauseAt(Date.now() + 60_000)
    await page.locator('.gf-scroll').evaluate((box) => box.scrollTo(0, box.scrollHeight))
    await expect.poll(() => preloads.length).toBe(20)
    expect(preloads).toEqual(directory.slice(40, 60).map(({ image_id }) => image_id))
    await page.clock.runFor(1_900)
    expect(await cells(page).count()).toBe(40)
    await page.clock.runFor(100)
    // React Query notifies in a timer, so the paused clock must advance by a few ms.
    const shown = async () => {
      await page.clock.runFor(1)
      return cells(page).count()
    }
    await expect.poll(shown).toBe(80)

    release()
    // The images have loaded, so the page is shown long before the timeout.
    await page.locator('.gf-scroll').evaluate((box) => box.scrollTo(0, box.scrollHeight))
    await expect.poll(shown).toBe(120)
  })

  test('long names take two lines before they are cut', async () => {
    const names = [
      'Coinbase Wallet',
      'Trust Wallet',
      'Ledger Live Mobile App',
      'Wolkenkuckucksheim',
    ]
    const { page } = await gallery.visit('AllWallets', {
      width: 390,
      before: (page) =>
        page.route('**/getWallets*', async (route) => {
          const response = await route.fetch()
          const json = (await response.json()) as { data: { name: string }[] }
          const data = json.data.map((wallet, index) => ({
            ...wallet,
            name: names[index] ?? wallet.name,
          }))
          await route.fulfill({ response, json: { ...json, data } })
        }),
    })
    for (const name of names.filter((_, index) => index !== 2)) {
      const text = cells(page).getByText(name, { exact: true }).first()
      await text.waitFor()
      const { inner, outer, lines } = await text.evaluate((element) => ({
        inner: element.scrollHeight,
        outer: element.clientHeight,
        lines: element.clientHeight / Number.parseFloat(getComputedStyle(element).lineHeight),
      }))
      expect(inner).toBeLessThanOrEqual(outer)
      expect(lines).toBeLessThanOrEqual(2)
    }
    expect(
      await cells(page)
        .getByText('Coinbase Wallet')
        .first()
        .evaluate((element) => element.scrollWidth <= element.clientWidth),
    ).toBe(true)
  })

  test('§9.9.2/1 §9.9.2/2 installed wallets are listed first, then featured wallets in the configured order', async () => {
    const { page } = await gallery.visit('AllWallets.sorted')
    const names = () => cells(page).locator('[dir=auto]').allTextContents()
    await expect
      .poll(async () => (await names()).slice(0, 4))
      .toEqual(['Sundial', 'Petrel', 'Plinth', 'Orrery'])
  })

  test('§5.3.1 the search text is trimmed; a search starts at two characters, after a pause in typing', async () => {
    const { page } = await gallery.visit('AllWallets', {
      before: (page) => page.clock.install(),
    })
    await expect.poll(() => cells(page).count()).toBe(40)
    await page.clock.pauseAt(Date.now() + 60_000)
    const from = gallery.server.log.length
    const searches = () => requests(from).filter(({ search }) => search !== undefined)
    const field = page.getByRole('textbox', { name: 'Search wallets' })
    await field.fill('  t ')
    await page.clock.runFor(1000)
    await field.fill('  th')
    await page.clock.runFor(199)
    await field.fill('  thistle  ')
    await page.clock.runFor(199)
    expect(searches()).toEqual([])
    await page.clock.runFor(1)
    await expect
      .poll(() => searches().map(({ search, entries }) => [search, entries]))
      .toEqual([['thistle', '100']])
    await page.clock.resume()
    await page.getByRole('status').filter({ hasText: '21 wallets' }).waitFor({ state: 'attached' })
  })

  test('a search without results offers to remove the filter', async () => {
    const { page } = await gallery.visit('AllWallets')
    const certified = page.getByRole('button', { name: 'Certified wallets only' })
    await certified.click()
    expect(await certified.getAttribute('aria-pressed')).toBe('true')
    await expect.poll(() => page.locator('.gf-cell .gf-icon').count()).toBe(0)
    await page.getByRole('textbox').fill('Halyrd')
    await page.getByText('No certified wallets match “Halyrd”').waitFor()
    await page.getByRole('button', { name: 'Search all wallets' }).click()
    expect(await certified.getAttribute('aria-pressed')).toBe('false')
    await page.getByText('No wallets match “Halyrd”').waitFor()
    await page.getByRole('button', { name: 'Show all wallets' }).click()
    await expect.poll(() => cells(page).count()).toBeGreaterThanOrEqual(40)
    expect(await page.getByRole('textbox').inputValue()).toBe('')
  })

  test('the grid has a single tab stop; arrow keys move the focus between cells', async () => {
    const { page } = await gallery.visit('AllWallets')
    await cells(page).first().focus()
    const name = () => page.evaluate(() => document.activeElement?.textContent)
    await page.keyboard.press('ArrowRight')
    expect(await name()).toContain('Saltbox')
    await page.keyboard.press('ArrowDown')
    expect(await name()).toContain('Petrel')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.matches('.gf-cell'))).toBe(false)
    await page.keyboard.press('Shift+Tab')
    expect(await name()).toContain('Petrel')
  })

  test('error: if the gateway fails, the bundled wallets are shown, and a retry loads the rest', async () => {
    const { page } = await gallery.visit('', {
      before: (page) => page.route('**/getWallets*', (route) => route.abort()),
    })
    await page.evaluate(() => void window.gallery.kit.open({ view: 'AllWallets' }))
    const note = page.getByText(
      'Couldn’t load the full wallet list. These are the most popular wallets.',
    )
    await note.waitFor()
    await page.getByRole('button', { name: 'MetaMask' }).waitFor()
    await page.unroute('**/getWallets*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('button', { name: 'Orrery' }).first().waitFor()
    expect(await note.count()).toBe(0)
  })

  test('behavior: Back restores the search and the scroll position; closing the modal resets them', async () => {
    const { page } = await gallery.visit('AllWallets', { reducedMotion: 'reduce' })
    const box = page.locator('.gf-view:not([data-ending-style]) .gf-scroll')
    const field = page.getByRole('textbox', { name: 'Search wallets' })
    const top = () => box.evaluate(({ scrollTop }) => scrollTop)
    await page.getByRole('button', { name: 'Certified wallets only' }).click()
    await field.fill('orr')
    await expect.poll(async () => (await cells(page).allInnerTexts()).join()).toMatch(/^Orrery/)
    await expect.poll(() => cells(page).count()).toBeLessThan(40)
    // The rows may still be loading.
    await expect
      .poll(async () => {
        await box.evaluate((element) => element.scrollTo(0, 130))
        return top()
      })
      .toBe(130)
    const shown = await cells(page).allInnerTexts()
    await cells(page).nth(9).click()
    await page.locator('[role=dialog][data-view=Downloads]').waitFor()
    await expect.poll(() => field.count()).toBe(0)
    await page.getByRole('button', { name: 'Back' }).click()
    await field.waitFor()
    expect(await field.inputValue()).toBe('orr')
    expect(await cells(page).allInnerTexts()).toEqual(shown)
    expect(await top()).toBe(130)
    // The list of another search starts at the top.
    await field.fill('sal')
    await page.getByRole('button', { name: 'Saltbox', exact: true }).waitFor()
    expect(await top()).toBe(0)
    await page.getByRole('button', { name: 'Close' }).click()
    await page.locator('[role=dialog]').waitFor({ state: 'detached' })
    await page.evaluate(() => void window.gallery.kit.open({ view: 'AllWallets' }))
    await cells(page).first().waitFor()
    expect(await field.inputValue()).toBe('')
  })

  test.each(['', 'dir=rtl'])(
    'behavior: the certified badge does not shorten the name (%s)',
    async (query) => {
      const { page } = await gallery.visit('AllWallets.offline', { query })
      const cell = page.getByRole('button', { name: 'Trust Wallet certified' })
      const name = cell.locator('[dir=auto]')
      await name.waitFor()
      expect(await name.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(
        0,
      )
      const [mark, picture] = await Promise.all([
        cell.locator('.gf-certified > .gf-icon').boundingBox(),
        cell.locator('.gf-artwork').boundingBox(),
      ])
      expect(mark!.y).toBeLessThan(picture!.y + picture!.height)
      expect(
        await page.locator('.gf-scroll').evaluate((box) => box.scrollWidth - box.clientWidth),
      ).toBe(0)
    },
  )

  test('behavior: wallets without a picture have distinct plates', async () => {
    const { page } = await gallery.visit('AllWallets.offline', { reducedMotion: 'reduce' })
    await cells(page).first().waitFor()
    const tiles = await page.locator('.gf-cell .gf-plate').evaluateAll((all) =>
      all.slice(0, 12).map((tile) => {
        const { content } = getComputedStyle(tile, '::before')
        return `${content} on ${getComputedStyle(tile).backgroundColor} ${tile.innerHTML}`
      }),
    )
    expect(tiles).toHaveLength(12)
    expect(new Set(tiles).size).toBe(12)
    // Screen readers do not read the initials, and copying does not include them.
    expect(await cells(page).first().innerText()).toBe('MetaMask\ncertified')
    await page.getByRole('button', { name: 'MetaMask certified', exact: true }).waitFor()
  })

  test('a skeleton has the size of the content that replaces it', async () => {
    const sizeOf = (page: Page, cell: string) =>
      page
        .locator(cell)
        .first()
        .evaluate((element) => {
          const { x, y, width, height } = element.getBoundingClientRect()
          return { x, y, width, height }
        })
    const loading = await gallery.visit('AllWallets.slow', { reducedMotion: 'reduce' })
    const before = await sizeOf(loading.page, '.gf-cell')
    const loaded = await gallery.visit('AllWallets', { reducedMotion: 'reduce' })
    await cells(loaded.page).first().waitFor()
    expect(await sizeOf(loaded.page, 'button.gf-cell')).toEqual(before)
  })
})

test('a language is loaded on first use; Arabic is laid out from right to left', async () => {
  const { page } = await gallery.visit('Connect', { query: 'locale=de' })
  await page.getByRole('button', { name: 'Schließen' }).waitFor()
  await page.evaluate(() => window.gallery.kit.dispatch({ type: 'locale.changed', locale: 'ar' }))
  await page.getByRole('button', { name: 'إغلاق' }).waitFor()
  expect(await page.locator('[data-gatefold]').getAttribute('dir')).toBe('rtl')
  expect(await page.locator('[data-gatefold]').getAttribute('lang')).toBe('ar')
})

test('in StrictMode, React’s development build logs no errors', async () => {
  const strict = await openGallery({ development: true })
  try {
    const { page, consoleErrors, pageErrors } = await strict.visit('Connect')
    await page.getByRole('button', { name: 'What is a wallet?' }).click()
    await page.getByText('One key for every site').waitFor()
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('button', { name: 'Halyard' }).click()
    await page.getByRole('button', { name: /^Account .*0xf39F…2266$/ }).waitFor()
    expect([...consoleErrors, ...pageErrors]).toEqual([])
  } finally {
    await strict.stop()
  }
})
