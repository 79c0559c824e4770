import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { overflowing, useScenes } from './scene.ts'
import { scanCode } from './scanCode.ts'

const open = useScenes()

const dialog = (page: Page) => page.getByRole('dialog')

const uris = (page: Page) => page.evaluate(() => window.gallery.control.relay.uris)

const state = (page: Page) => page.evaluate(() => window.gallery.kit.getState().attempt?.status)

describe('the QR code', () => {
  test.each([
    [320, 780, 'light'],
    [320, 780, 'dark'],
    [1440, 780, 'light'],
    [1440, 780, 'dark'],
    // Phones in landscape, and a zoomed page.
    [740, 320, 'light'],
    [512, 320, 'dark'],
  ] as const)(
    'is completely visible and can be scanned from a screenshot at %i × %i px, %s',
    async (width, height, theme) => {
      for (const scene of ['ConnectingWalletConnect', 'ConnectingWalletConnect.code']) {
        const page = await open(scene, { width, height, theme, reducedMotion: 'reduce' })
        await page.getByRole('img', { name: /QR code to connect/ }).waitFor()
        const code = await page.locator('.gf-qr').boundingBox()
        expect(code!.y + code!.height).toBeLessThanOrEqual(height)
        const [uri] = await uris(page)
        expect(await scanCode(page)).toBe(uri)
        expect(await scanCode(page, { scale: 2 })).toBe(uri)
        expect(await scanCode(page, { of: '.gf-qr', scale: 1 })).toBe(uri)
        expect(await overflowing(page)).toEqual([])
        await page.context().close()
      }
    },
  )

  test('fills the space that is reserved for it, and is announced to screen readers', async () => {
    const page = await open('ConnectingWalletConnect.making', { reducedMotion: 'reduce' })
    const place = () => page.locator('.gf-qr').boundingBox()
    await dialog(page).getByRole('status').filter({ hasText: 'Creating QR code…' }).waitFor()
    expect(await page.getByRole('button', { name: 'Copy link' }).isDisabled()).toBe(true)
    const before = await place()
    await page.evaluate(() => {
      const { kit } = window.gallery
      const { attempt } = kit.getState()
      const progress = { type: 'uri', uri: 'wc:1', expiresAt: Date.now() + 60_000 } as const
      kit.dispatch({
        type: 'attempt.changed',
        attempt: { ...attempt!, progress },
      })
    })
    await page.getByRole('img', { name: 'QR code to connect your wallet' }).waitFor()
    expect(await place()).toEqual(before)
    await dialog(page).getByRole('status').filter({ hasText: 'QR code ready.' }).waitFor()
  })

  test('§4.7 §9.1.1/1 §9.1.1/2 is replaced ten seconds before it is four minutes old, without a gap', async () => {
    const page = await open('ConnectingWalletConnect.code', {
      before: (fresh) => fresh.clock.install(),
    })
    await page.getByText(/New code in 3:(50|4\d)\./).waitFor()
    // Otherwise the clock also advances by the time that the test itself takes.
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 4_000))
    const age = await page.evaluate(() => Date.now() - window.gallery.control.relay.createdAt[0]!)
    await page.evaluate(() => {
      const gaps: string[] = []
      Object.assign(window, { gaps })
      new MutationObserver(() => {
        if (!document.querySelector('.gf-qr > svg')) gaps.push(document.body.innerText)
      }).observe(document.body, { subtree: true, childList: true })
    })
    await page.clock.runFor(229_500 - age)
    expect(await uris(page)).toHaveLength(1)
    await page.clock.runFor(1_000)
    await expect.poll(() => uris(page)).toHaveLength(2)
    const [, second] = await uris(page)
    await expect.poll(() => scanCode(page)).toBe(second)
    expect(await state(page)).toBe('waiting')
    expect(await page.evaluate(() => (window as unknown as { gaps: string[] }).gaps)).toEqual([])
  })

  test('is replaced a limited number of times, then only when the visitor presses a button', async () => {
    const page = await open('ConnectingWalletConnect.code', {
      before: (fresh) => fresh.clock.install(),
    })
    await page.getByText('New code in').waitFor()
    for (let round = 0; round < 5; round++) await page.clock.runFor(231_000)
    await dialog(page).getByRole('alert').filter({ hasText: 'This QR code has expired' }).waitFor()
    expect(await uris(page)).toHaveLength(5)
    await page.getByRole('button', { name: 'Create new code' }).click()
    await page.getByRole('img', { name: 'QR code to connect Orrery' }).waitFor()
    expect(await uris(page)).toHaveLength(6)
  })

  test('is reused after Back, and after viewing another wallet', async () => {
    const page = await open('Connect.relay')
    await page.getByRole('button', { name: /^WalletConnect/ }).click()
    await page.getByRole('img', { name: /QR code/ }).waitFor()
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('button', { name: /^Orrery/ }).click()
    await page.getByRole('img', { name: 'QR code to connect Orrery' }).waitFor()
    expect(await uris(page)).toHaveLength(1)
    await page.getByRole('button', { name: 'Close' }).click()
    await dialog(page).waitFor({ state: 'detached' })
    expect(await state(page)).toBeUndefined()
  })

  test('is shown for WalletConnect in the list of previously used wallets', async () => {
    const page = await open('ProfileWallets.relay')
    await page.getByRole('button', { name: 'Connect WalletConnect' }).click()
    await page.getByRole('img', { name: 'QR code to connect your wallet' }).waitFor()
    await page.evaluate(() => window.gallery.control.relay.approve())
    await page.getByRole('dialog', { name: 'Wallets' }).waitFor()
    await page.locator('.gf-row', { hasText: 'Orrery' }).waitFor()
  })

  test('has a button that copies the link and confirms it', async () => {
    const page = await open('ConnectingWalletConnect.code', {
      before: (fresh) => fresh.context().grantPermissions(['clipboard-read', 'clipboard-write']),
    })
    await page.getByRole('button', { name: 'Copy link' }).click()
    await page.getByRole('button', { name: 'Link copied' }).waitFor()
    await dialog(page).getByRole('status').filter({ hasText: 'Link copied' }).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe((await uris(page))[0])
  })
})

describe('outcomes', () => {
  test('approved on the phone: the card closes, and the wallet is listed as recent', async () => {
    const page = await open('ConnectingWalletConnect.code')
    await page.getByRole('img', { name: /QR code/ }).waitFor()
    await page.evaluate(() => window.gallery.control.relay.approve())
    await dialog(page).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Account .*0x/ }).waitFor()
    const { recent, connected } = await page.evaluate(() => {
      const { recent: wallets, chains } = window.gallery.kit.getState()
      return {
        recent: wallets.map(({ name }) => name),
        connected: chains.eip155?.connectorId,
      }
    })
    expect({ recent, connected }).toEqual({ recent: ['Orrery'], connected: 'walletConnect' })
  })

  test('§3.4/15 the connected wallet is shown with the name and image from its metadata', async () => {
    const page = await open('ConnectingWalletConnect.code')
    await page.getByRole('img', { name: /QR code/ }).waitFor()
    await page.evaluate(() => window.gallery.control.relay.approve())
    await dialog(page).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Account .*0x/ }).click()
    const chip = dialog(page).getByRole('button', { name: /^Wallets/ })
    await expect.poll(() => chip.locator('img').getAttribute('src')).toContain('orrery')
    await chip.click()
    const row = dialog(page).locator('.gf-row', { hasText: 'Orrery' })
    await expect.poll(() => row.locator('img').getAttribute('src')).toContain('orrery')
    expect(await dialog(page).innerText()).not.toContain('WalletConnect')
    await dialog(page).getByRole('button', { name: /Back/ }).click()
    await dialog(page)
      .getByRole('button', { name: /Disconnect/ })
      .click()
    await page.getByRole('button', { name: 'Connect Wallet' }).waitFor()
  })

  test('approved or closed: the code stays visible while the card fades out', async () => {
    for (const end of ['agreed', 'closed']) {
      const page = await open('ConnectingWalletConnect.code')
      await page.getByRole('img', { name: /QR code/ }).waitFor()
      await page.evaluate(() => {
        const other: string[] = []
        Object.assign(window, { other })
        new MutationObserver(() => {
          const card = document.querySelector<HTMLElement>('[role=dialog]')
          const isClosed = card?.closest('[data-closed]')
          if (card && !isClosed && !card.querySelector('.gf-qr > svg')) other.push(card.innerText)
        }).observe(document.body, { subtree: true, childList: true })
      })
      if (end === 'closed') await page.getByRole('button', { name: 'Close' }).click()
      else await page.evaluate(() => window.gallery.control.relay.approve())
      await dialog(page).waitFor({ state: 'detached' })
      expect(await page.evaluate(() => (window as unknown as { other: string[] }).other)).toEqual(
        [],
      )
    }
  })

  test('rejected on the phone: the visitor can try again', async () => {
    const page = await open('ConnectingWalletConnect.code')
    await page.getByRole('img', { name: /QR code/ }).waitFor()
    await page.evaluate(() => window.gallery.control.relay.reject())
    await dialog(page)
      .getByRole('alert')
      .filter({ hasText: 'You declined the request in Orrery' })
      .waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('img', { name: /QR code/ }).waitFor()
    expect(await uris(page)).toHaveLength(2)
  })

  test.each([
    ['failed', 'Nothing was shared. Check your internet connection, then try again.'],
    [
      'refused',
      'Nothing was shared. This site can’t reach mobile wallets right now. Try again later.',
    ],
    [
      'broken',
      'This site can’t use the response from Orrery. Update the wallet, or use another one.',
    ],
  ])('error: the hint depends on the cause of the failure: %s', async (state, hint) => {
    const page = await open(`ConnectingWalletConnect.${state}`)
    await dialog(page).getByRole('alert').filter({ hasText: hint }).waitFor()
  })

  test('retrying with the keyboard keeps the focus in the card', async () => {
    const page = await open('ConnectingWalletConnect.declined')
    await page.getByRole('button', { name: 'Try again' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('img', { name: /QR code/ }).waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe('gf-card')
  })

  test('the connection to the relay is lost and restored: the view shows both', async () => {
    const page = await open('ConnectingWalletConnect.code', {
      before: (fresh) => fresh.clock.install(),
    })
    await page.getByText('New code in').waitFor()
    const status = dialog(page).getByRole('status').filter({ hasText: 'Connection lost.' })
    const setRelay = (status: 'offline' | 'connected') =>
      page.evaluate((now) => window.gallery.control.relay.relay(now), status)
    // The clock is paused, so that a busy machine does not add a second.
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000))
    // An interruption shorter than a second is not shown.
    await setRelay('offline')
    await page.clock.runFor(900)
    expect(await status.count()).toBe(0)
    await setRelay('connected')
    await page.clock.runFor(5_000)
    expect(await status.count()).toBe(0)
    await setRelay('offline')
    await page.clock.runFor(1_000)
    await status.waitFor()
    await setRelay('connected')
    await status.waitFor({ state: 'detached' })
    await page.getByText('New code in').waitFor()
  })

  test.each([
    [320, ''],
    [320, 'locale=de'],
    [320, 'locale=ar'],
    [1280, ''],
  ])('the code does not move while the relay is offline: %i px %s', async (width, query) => {
    for (const scene of ['ConnectingWalletConnect', 'ConnectingWalletConnect.code']) {
      const page = await open(scene, { width, query, reducedMotion: 'reduce' })
      await page.locator('.gf-qr-caption [aria-hidden]').waitFor()
      const place = () =>
        page.evaluate(() => {
          const { x, y, width: size } = document.querySelector('.gf-qr')!.getBoundingClientRect()
          return { x, y, size, card: document.querySelector('.gf-card')!.clientHeight }
        })
      const before = await place()
      await page.evaluate(() => window.gallery.control.relay.relay('offline'))
      await page.locator('.gf-qr-caption > b').waitFor()
      expect(await place()).toEqual(before)
      await page.context().close()
    }
  })

  test('connecting another wallet aborts the attempt that has the URI', async () => {
    const page = await open('Connect.relay')
    await page.getByRole('button', { name: /^WalletConnect/ }).click()
    await page.getByRole('img', { name: /QR code/ }).waitFor()
    await page.getByRole('button', { name: 'Back' }).click()
    await page.evaluate(() => (window.gallery.control.faults.hang = true))
    await page.getByRole('button', { name: /^Halyard/ }).click()
    await expect
      .poll(() => page.evaluate(() => window.gallery.kit.getState().attempt))
      .toMatchObject({ connectorId: 'dev.gatefold.halyard', status: 'waiting' })
    expect(
      await page.evaluate(() => window.gallery.control.relay.storage?.getItem('gatefold.proposal')),
    ).toBeNull()
  })

  test('no second URI is created while a wallet is connected', async () => {
    const page = await open('ConnectingWalletConnect.linked')
    await dialog(page).getByText('Orrery is already connected').waitFor()
    // The existing connection's URI.
    expect(await uris(page)).toHaveLength(1)
    expect(await dialog(page).getByRole('button', { name: 'Disconnect' }).count()).toBe(0)
  })

  test('the list names the connected wallet, without truncation at 320 px', async () => {
    const page = await open('Connect.paired', { width: 320 })
    const entry = page.getByRole('button', { name: /^WalletConnect/ })
    expect(await entry.innerText()).toBe('WalletConnect\nOrrery\nConnected')
    expect(await entry.isDisabled()).toBe(true)
    const other = page.getByRole('button', { name: /^Thistle/ })
    expect(await other.innerText()).toBe('Thistle\nDisconnect Orrery first')
    expect(await other.isDisabled()).toBe(true)
    const reason = other.locator('small')
    expect(await reason.evaluate((line) => line.scrollWidth > line.clientWidth)).toBe(false)
  })

  test('the list names the connected wallet once its session is restored', async () => {
    const page = await open('Connect.paired')
    const text = () => page.getByRole('button', { name: /^Thistle/ }).innerText()
    await page.evaluate(() => {
      const { kit } = window.gallery
      const [session] = Object.values(kit.getState().sessions)
      kit.dispatch({ type: 'session.changed', session: { ...session!, end: 'failed' } })
      Object.assign(window, {
        restore: () => kit.dispatch({ type: 'session.changed', session: session! }),
      })
    })
    await expect.poll(text).toContain('Disconnect WalletConnect first')
    await page.evaluate(() => (window as unknown as { restore: () => void }).restore())
    await expect.poll(text).toContain('Disconnect Orrery first')
  })

  test('in All Wallets, mobile wallets are disabled with a reason, but installed wallets are not', async () => {
    const page = await open('AllWallets.paired')
    const reason = 'Disconnect Orrery first. You can connect one mobile wallet at a time.'
    await dialog(page).getByText(reason).waitFor()
    const phone = page.getByRole('button', { name: 'Plinth certified', description: reason })
    await phone.first().click({ force: true })
    expect(await phone.first().getAttribute('aria-disabled')).toBe('true')
    await page.getByRole('button', { name: 'Saltbox certified' }).first().click()
    await dialog(page).waitFor({ state: 'detached' })
    expect(await page.evaluate(() => window.gallery.control.requested.at(-1))).toBe(
      'dev.gatefold.halyard',
    )
  })

  test('after the connected wallet is disconnected, the other wallet’s code is shown', async () => {
    const page = await open('ConnectingWalletConnect.taken')
    await dialog(page).getByText('Disconnect Orrery first').waitFor()
    await expect
      .poll(() => dialog(page).locator('.gf-facing-page').last().locator('img').getAttribute('src'))
      .toContain('Orrery')
    await dialog(page).getByRole('button', { name: 'Disconnect' }).click()
    await page.getByRole('img', { name: 'QR code to connect Thistle' }).waitFor()
    expect(await uris(page)).toHaveLength(2)
  })
})
