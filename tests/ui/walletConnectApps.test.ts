import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { answer, useScenes } from './scene.ts'

const open = useScenes()

const dialog = (page: Page) => page.getByRole('dialog')

const uris = (page: Page) => page.evaluate(() => window.gallery.control.relay.uris)

const state = (page: Page) => page.evaluate(() => window.gallery.kit.getState().attempt?.status)

const tabs = (page: Page) => dialog(page).getByRole('tab').allInnerTexts()

/** Records `window.open` calls without opening anything. */
const recordOpened = (page: Page) =>
  page.addInitScript(() => {
    const opened: [string, string][] = []
    Object.assign(window, {
      opened,
      open: (url: string, target: string) => void opened.push([url, target]),
    })
  })

const opened = (page: Page) =>
  page.evaluate(() => (window as unknown as { opened: [string, string][] }).opened)

/** Does the same as `recordOpened`, and installs a fake clock. */
const recordOpenedWithClock = async (page: Page) => {
  await recordOpened(page)
  await page.clock.install()
}

describe('the platforms of a wallet', () => {
  test('on a desktop are the phone, the web app, the desktop app and the extension', async () => {
    const page = await open('ConnectingWalletConnect.everywhere', { before: recordOpened })
    expect(await tabs(page)).toEqual(['Phone', 'Web app', 'Desktop', 'Browser'])
    await page.getByRole('tab', { name: 'Phone' }).focus()
    await page.keyboard.press('ArrowRight')
    const link = page.getByRole('link', { name: 'Open Orrery' })
    const [uri = ''] = await uris(page)
    expect(await link.getAttribute('href')).toBe(
      `https://orrery.example/app/wc?uri=${encodeURIComponent(uri)}`,
    )
    expect(await link.getAttribute('target')).toBe('_blank')
    expect(await opened(page)).toEqual([])
    await page.keyboard.press('ArrowRight')
    await expect
      .poll(() => opened(page))
      .toEqual([[`orrery-desktop://wc?uri=${encodeURIComponent(uri)}`, '_self']])
    await page.keyboard.press('ArrowRight')
    await page.getByText('Orrery isn’t installed').or(page.getByText('Orrery')).first().waitFor()
    expect(
      await dialog(page)
        .getByRole('link', { name: /Chrome|extension/i })
        .count(),
    ).toBe(1)
    expect(await uris(page)).toHaveLength(1)
  })

  test('a code that is shown after an app was opened is replaced, and requests do not open the app', async () => {
    const page = await open('ConnectingWalletConnect.everywhere', {
      before: recordOpenedWithClock,
    })
    await page.getByRole('tab', { name: 'Desktop' }).click()
    await expect.poll(() => opened(page)).toHaveLength(1)
    await page.getByRole('tab', { name: 'Phone' }).click()
    await page.getByText('New code in').waitFor()
    await page.clock.runFor(231_000)
    await expect.poll(() => uris(page)).toHaveLength(2)
    expect(await state(page)).toBe('waiting')
    await page.evaluate(() => window.gallery.control.relay.approve())
    await expect.poll(() => state(page)).toBeUndefined()
    expect(await page.evaluate(() => window.gallery.control.relay.app())).toBeUndefined()
  })

  test('a missing extension is shown with its store link, without a request for a URI', async () => {
    const page = await open('ConnectingWalletConnect.missing')
    await dialog(page).getByText('Orrery isn’t installed').waitFor()
    const link = dialog(page).getByRole('link', { name: /^Browser extension/ })
    expect(await link.getAttribute('href')).toBe('https://chromewebstore.google.com/detail/orrery')
    expect(await uris(page)).toEqual([])
  })

  test('§9.9.3 an installed extension gets the request immediately', async () => {
    const page = await open('ConnectingWalletConnect.browser')
    await dialog(page).getByText('Open Halyard to continue').waitFor()
    expect(await page.evaluate(() => window.gallery.control.requested)).toEqual([
      'dev.gatefold.halyard',
    ])
    await answer(page)
    await dialog(page).waitFor({ state: 'detached' })
  })

  test('§2.6.2 a site without adapters shows a QR code, and a row for all wallets', async () => {
    const page = await open('ConnectingWalletConnectBasic')
    await page.getByRole('img', { name: 'QR code to connect your wallet' }).waitFor()
    await page.getByRole('button', { name: 'All Wallets' }).click()
    await page.getByRole('textbox', { name: 'Search wallets' }).waitFor()
  })

  test('a wallet in the directory opens a QR code', async () => {
    const page = await open('AllWallets.relay')
    await page
      .getByRole('button', { name: /^Thistle/ })
      .first()
      .click()
    await page.getByRole('img', { name: 'QR code to connect Thistle' }).waitFor()
  })
})

describe('switching the network', () => {
  test('a request to a phone can be sent again only after a minute without a response', async () => {
    const page = await open('SwitchNetwork.code', {
      before: (fresh) => fresh.clock.install(),
    })
    await dialog(page).getByText('Approve in Orrery').waitFor()
    expect(await dialog(page).locator('.gf-button').count()).toBe(0)
    await page.clock.runFor(60_000)
    await dialog(page).getByRole('alert').getByText('Orrery isn’t responding').waitFor()
    await dialog(page).getByRole('button', { name: 'Try again' }).waitFor()
  })

  test('a wallet whose app was opened to connect has a button that opens the app again', async () => {
    const page = await open('SwitchNetwork.app', { before: recordOpened })
    await dialog(page).getByRole('button', { name: 'Open Orrery' }).click()
    expect(await opened(page)).toHaveLength(2)
    expect(await dialog(page).getByRole('button', { name: 'Try again' }).count()).toBe(0)
  })
})

describe('on a phone', () => {
  const phone = { width: 390, height: 780, touch: true }

  test('the app is opened automatically once the URI exists; a button opens it again', async () => {
    const page = await open('ConnectingWalletConnect.code', { ...phone, before: recordOpened })
    await dialog(page).getByRole('status').filter({ hasText: 'Continue in Orrery' }).waitFor()
    const [uri = ''] = await uris(page)
    const link = `orrery://wc?uri=${encodeURIComponent(uri)}`
    await expect.poll(() => opened(page)).toEqual([[link, '_self']])
    await page.getByRole('button', { name: 'Open Orrery' }).click()
    expect(await opened(page)).toHaveLength(2)
    expect(await state(page)).toBe('waiting')
    await page.evaluate(() => window.gallery.control.relay.approve())
    await dialog(page).waitFor({ state: 'detached' })
    expect(await page.evaluate(() => window.gallery.control.relay.app())).toEqual({
      id: 'orrery',
      name: 'Orrery',
      href: 'orrery://',
    })
  })

  test('the universal link is used if the site prefers it, otherwise the URL scheme', async () => {
    for (const [scene, start] of [
      ['universal', 'https://orrery.example/open/wc?uri='],
      ['code', 'orrery://wc?uri='],
    ] as const) {
      const page = await open(`ConnectingWalletConnect.${scene}`, {
        ...phone,
        before: recordOpened,
      })
      await expect.poll(async () => (await opened(page))[0]?.[0]).toContain(start)
      await page.context().close()
    }
  })

  test('a desktop-only wallet is shown as such, with a button to choose another wallet', async () => {
    const page = await open('ConnectingWalletConnect.missing', phone)
    await dialog(page).getByText('Orrery is only available on desktop').waitFor()
    expect(await uris(page)).toEqual([])
    await page.getByRole('button', { name: 'Use another wallet' }).click()
    await dialog(page)
      .getByRole('button', { name: /^Halyard/ })
      .waitFor()
  })

  test('§2.6.2 a site without adapters shows the wallet list', async () => {
    const page = await open('AllWallets.bare', { ...phone, before: recordOpened })
    await page
      .getByRole('button', { name: /^Thistle/ })
      .first()
      .click()
    await expect.poll(() => opened(page)).toHaveLength(1)
    expect(await uris(page)).toHaveLength(1)
  })

  test('an app that does not open is reported, with a store link and a QR code', async () => {
    const page = await open('ConnectingWalletConnect.code', {
      ...phone,
      before: recordOpenedWithClock,
    })
    await dialog(page).getByText('Continue in Orrery').waitFor()
    await expect.poll(() => opened(page)).toHaveLength(1)
    await page.clock.runFor(2_600)
    await dialog(page).getByRole('alert').filter({ hasText: 'Orrery didn’t open' }).waitFor()
    await dialog(page).getByText('Get the app, or scan a QR code with another device.').waitFor()
    await dialog(page).getByText('Get Orrery').waitFor()
    await dialog(page).getByRole('button', { name: 'Show QR code' }).click()
    await page.getByRole('img', { name: 'QR code to connect your wallet' }).waitFor()
    expect(await uris(page)).toHaveLength(1)
  })

  test('an app that does not open and has no store link is reported with only a QR code', async () => {
    const page = await open('ConnectingWalletConnect.nowhere', {
      ...phone,
      before: recordOpenedWithClock,
    })
    await expect.poll(() => opened(page)).toHaveLength(1)
    await page.clock.runFor(2_600)
    const status = dialog(page).getByRole('alert').filter({ hasText: 'Orrery didn’t open' })
    expect(await status.innerText()).not.toContain('Get the app')
    await dialog(page).getByRole('button', { name: 'Show QR code' }).waitFor()
  })

  test('while the relay is offline, the view says when the request will be sent', async () => {
    const page = await open('ConnectingWalletConnect.offline', { ...phone, before: recordOpened })
    await dialog(page)
      .getByText('Orrery will get your request once the connection is back.')
      .waitFor()
  })

  test('an app that has opened is not reported as missing', async () => {
    const page = await open('ConnectingWalletConnect.code', {
      ...phone,
      before: recordOpenedWithClock,
    })
    await expect.poll(() => opened(page)).toHaveLength(1)
    await page.evaluate(() => void window.dispatchEvent(new Event('pagehide')))
    await page.clock.runFor(2_600)
    expect(await page.getByRole('heading', { name: 'Orrery didn’t open' }).count()).toBe(0)
  })

  test('inside Telegram, the app is opened in a new tab', async () => {
    const page = await open('ConnectingWalletConnect.code', {
      ...phone,
      before: async (fresh) => {
        await recordOpened(fresh)
        await fresh.addInitScript(() => Object.assign(window, { TelegramWebviewProxy: {} }))
      },
    })
    await expect.poll(async () => (await opened(page))[0]?.[1]).toBe('_blank')
  })

  test('inside Telegram on iOS, the URI is created before the tap that opens the app', async () => {
    const before = async (fresh: Page, isInTelegram: boolean) => {
      await recordOpened(fresh)
      await fresh.addInitScript((telegram) => {
        Object.defineProperty(navigator, 'userAgent', { value: 'Mozilla/5.0 (iPhone)' })
        if (telegram) Object.assign(window, { TelegramWebviewProxy: {} })
      }, isInTelegram)
    }
    const page = await open('Connect.relay', { ...phone, before: (fresh) => before(fresh, true) })
    await expect.poll(() => state(page)).toBe('waiting')
    const [uri] = await uris(page)
    await dialog(page)
      .getByRole('button', { name: /^Orrery/ })
      .click()
    await expect.poll(() => opened(page)).toHaveLength(1)
    expect((await opened(page))[0]).toEqual([
      expect.stringContaining(encodeURIComponent(uri!)),
      '_blank',
    ])
    expect(await uris(page)).toEqual([uri])

    const elsewhere = await open('Connect.relay', {
      ...phone,
      before: (fresh) => before(fresh, false),
    })
    await dialog(elsewhere)
      .getByRole('button', { name: /^Orrery/ })
      .waitFor()
    expect(await uris(elsewhere)).toEqual([])
  })

  test('§9.9.1 the list has no row for the QR code; All Wallets has a button for it', async () => {
    const page = await open('Connect.relay', phone)
    await page.getByRole('button', { name: /^Halyard/ }).waitFor()
    expect(await page.getByRole('button', { name: /^WalletConnect/ }).count()).toBe(0)
    await page.getByRole('button', { name: /^All Wallets/ }).click()
    await page.getByRole('button', { name: 'Show QR code' }).click()
    await page.getByRole('img', { name: /QR code/ }).waitFor()
  })
})
