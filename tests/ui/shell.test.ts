import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { axe, launchBrowser } from '../browser.ts'
import { goTo, openGallery, titleOf } from './gallery.ts'
import type { Gallery } from './gallery.ts'

let gallery: Gallery

beforeAll(async () => {
  gallery = await openGallery()
})

afterAll(() => gallery.stop())

const dialog = '.gf-card[role=dialog]'

describe('views', () => {
  test.each([
    ['Connect', 'Connect Wallet'],
    ['ConnectWallets', 'Connect wallet'],
    ['AllWallets', 'All Wallets'],
    ['ConnectingExternal', 'Halyard'],
    ['Downloads', 'Get Orrery'],
    ['GetWallet', 'Get a wallet'],
    ['WhatIsAWallet', 'What is a wallet?'],
    ['Account', 'Account'],
    ['ProfileWallets', 'Wallets'],
    ['Networks', 'Choose Network'],
    ['SwitchNetwork.rejected', 'OP Mainnet'],
    ['UnsupportedChain', 'Switch Network'],
    ['SwitchActiveChain', 'Switch chain'],
    ['WalletReceive', 'Receive'],
    ['WalletCompatibleNetworks', 'Compatible Networks'],
    ['WhatIsANetwork', 'What is a network?'],
  ])('§2.4 %s has the title “%s”', async (scene, title) => {
    const { page, pageErrors } = await gallery.visit(scene)
    await expect.poll(() => titleOf(page)).toBe(title)
    expect(pageErrors).toEqual([])
    await page.context().close()
  })

  test('§2.4 error: if a view does not exist yet, its fallback is shown', async () => {
    const { page, consoleErrors } = await gallery.visit('')
    await page.evaluate(
      () => void window.gallery.kit.open({ view: 'ConnectingWalletConnectBasic' }),
    )
    await expect.poll(() => titleOf(page)).toBe('All Wallets')
    expect(consoleErrors).toEqual([])
    await page.context().close()
  })

  test('§2.4 error: instead of an unknown view, Account is shown, and the console names the view', async () => {
    const { page, consoleErrors } = await gallery.visit('Account')
    await expect.poll(() => titleOf(page)).toBe('Account')
    await page.evaluate(
      () => void window.gallery.kit.open({ view: 'SmartSessionList' as 'Account' }),
    )
    await page.locator('[data-view="SmartSessionList"]').waitFor()
    // Both views are on screen until the exit animation ends.
    await expect.poll(() => page.getByRole('button', { name: 'Disconnect' }).count()).toBe(1)
    expect(consoleErrors.join()).toContain('There is no view called SmartSessionList')
    await page.context().close()
  })

  test('§2.6.4 while no wallet is connected, Account opens as Connect', async () => {
    const { page, pageErrors } = await gallery.visit('')
    await page.evaluate(() => void window.gallery.kit.open({ view: 'Account' }))
    await expect.poll(() => titleOf(page)).toBe('Connect Wallet')
    await page.getByRole('button', { name: 'Halyard' }).waitFor()
    expect(pageErrors).toEqual([])
  })

  test('§2.5/1 §2.12.1 Back pops the history and reverses the animation', async () => {
    const { page } = await gallery.visit('Connect')
    const direction = () =>
      page.locator(dialog).evaluate((card) => card.style.getPropertyValue('--direction'))
    await page.getByRole('button', { name: 'What is a wallet?' }).click()
    await expect.poll(() => titleOf(page)).toBe('What is a wallet?')
    expect(await direction()).toBe('1')
    await page.getByRole('button', { name: 'Get a wallet' }).click()
    await expect.poll(() => titleOf(page)).toBe('Get a wallet')
    await page.getByRole('button', { name: 'Back' }).click()
    await expect.poll(() => titleOf(page)).toBe('What is a wallet?')
    expect(await direction()).toBe('-1')
    await page.getByRole('button', { name: 'Back' }).click()
    await expect.poll(() => titleOf(page)).toBe('Connect Wallet')
    expect(await page.getByRole('button', { name: 'Back' }).count()).toBe(0)
    await page.context().close()
  })

  test('§2.12.1 the animation is mirrored in a right-to-left language', async () => {
    const { page } = await gallery.visit('Connect', { query: 'dir=rtl' })
    await page.getByRole('button', { name: 'What is a wallet?' }).click()
    expect(
      await page.locator(dialog).evaluate((card) => card.style.getPropertyValue('--direction')),
    ).toBe('-1')
    await page.context().close()
  })

  test('§2.7.1 closing resets the history to Connect', async () => {
    const { page } = await gallery.visit('WhatIsAWallet')
    await page.keyboard.press('Escape')
    await page.locator(dialog).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Connect Wallet' }).click()
    await expect.poll(() => titleOf(page)).toBe('Connect Wallet')
    await page.context().close()
  })

  test('§2.7.2 an embedded card shows Account once a wallet is connected, even after closing', async () => {
    const { page } = await gallery.visit('', { query: 'embedded' })
    const panel = page.locator('.gf-card[role=region]')
    await panel.waitFor()
    expect(await panel.getAttribute('aria-modal')).toBe(null)
    expect(await page.locator('.gf-cover').count()).toBe(0)
    await panel.getByRole('button', { name: 'Halyard' }).click()
    await expect.poll(() => panel.getAttribute('data-view')).toBe('Account')
    await page.evaluate(() => window.gallery.kit.close())
    await expect.poll(() => panel.getAttribute('data-view')).toBe('Account')
    await page.context().close()
  })

  test('behavior: a view whose code loads slowly shows skeletons, and Back works', async () => {
    const { page } = await gallery.visit('Connect')
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/WhatIsAWallet*.js', (route) => held.then(() => route.continue()))
    const card = page.locator(dialog)
    await page.getByRole('button', { name: 'What is a wallet?' }).click()
    await card.locator('.gf-view:not([data-ending-style]) .gf-skeleton').first().waitFor()
    expect(await titleOf(page)).toBe('What is a wallet?')
    expect(await card.getAttribute('aria-busy')).toBe('true')
    expect(await axe(page, dialog)).toEqual([])
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('button', { name: 'Halyard' }).waitFor()
    await page.getByRole('button', { name: 'What is a wallet?' }).click()
    release()
    await page.getByText('One key for every site').waitFor()
    await expect.poll(() => card.getAttribute('aria-busy')).toBe(null)
    expect(await card.locator('.gf-skeleton').count()).toBe(0)
    await page.context().close()
  })

  test('error: if a view’s code fails to load, an error is shown with Try again, then with Reload', async () => {
    const { page } = await gallery.visit('Connect')
    gallery.server.faults.breaking = /WhatIsAWallet/
    await page.getByRole('button', { name: 'What is a wallet?' }).click()
    await page.getByRole('alert').filter({ hasText: 'Part of this page failed to load' }).waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    const reload = page.getByRole('button', { name: 'Reload the page' })
    await reload.waitFor()
    expect(await axe(page, dialog)).toEqual([])
    gallery.server.faults.breaking = undefined
    await reload.click()
    await page.getByRole('button', { name: 'What is a wallet?' }).click()
    await page.getByText('One key for every site').waitFor()
    await page.context().close()
  })

  test('error: while offline, the card does not offer to reload the page', async () => {
    const { page, context } = await gallery.visit('Connect')
    await context.setOffline(true)
    await page.getByRole('button', { name: 'What is a wallet?' }).click()
    const again = page.getByRole('button', { name: 'Try again' })
    await again.waitFor()
    await again.evaluate((button) => button.setAttribute('data-first', ''))
    await again.click()
    await page.locator('button:not([data-first])', { hasText: 'Try again' }).waitFor()
    expect(await page.getByRole('button', { name: 'Reload the page' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('button', { name: 'Halyard' }).waitFor()
    await context.close()
  })
})

describe('dialog', () => {
  test('has a role, aria-modal and a name', async () => {
    const { page } = await gallery.visit('Connect')
    const card = page.getByRole('dialog', { name: 'Connect Wallet' })
    expect(await card.getAttribute('aria-modal')).toBe('true')
    await page.context().close()
  })

  test('opening moves the focus into the card; Escape closes the card and restores the focus', async () => {
    const { page } = await gallery.visit('')
    const opener = page.getByRole('button', { name: 'Connect Wallet' })
    await opener.focus()
    await page.keyboard.press('Enter')
    await page.locator(dialog).waitFor()
    const inside = () =>
      page.locator(dialog).evaluate((card) => card.contains(document.activeElement))
    await expect.poll(inside).toBe(true)
    await page.keyboard.press('Escape')
    await page.locator(dialog).waitFor({ state: 'detached' })
    await expect
      .poll(() => opener.evaluate((button) => button === document.activeElement))
      .toBe(true)
    await page.context().close()
  })

  test('an Escape that the page has handled does not close the card', async () => {
    const { page } = await gallery.visit('Connect')
    await page.evaluate(() => {
      const handle = (event: Event) => event.preventDefault()
      addEventListener('keydown', handle, { capture: true, once: true })
    })
    await page.keyboard.press('Escape')
    expect(await page.evaluate(() => window.gallery.kit.getState().view.open)).toBe(true)
    await page.keyboard.press('Escape')
    await page.locator(dialog).waitFor({ state: 'detached' })
  })

  test('Tab and Shift+Tab cycle inside the dialog', async () => {
    const { page } = await gallery.visit('Connect')
    const names: string[] = []
    const name = () =>
      page.evaluate(
        () => document.activeElement?.ariaLabel ?? document.activeElement?.textContent ?? '',
      )
    for (let step = 0; step < 6; step++) {
      await page.keyboard.press('Tab')
      names.push(await name())
    }
    expect(names[0]).toBe('What is a wallet?')
    expect(names[1]).toBe('Close')
    expect(names[2]).toContain('Halyard')
    expect(names[4]).toContain('All Wallets')
    expect(names[5]).toBe('What is a wallet?')
    await page.keyboard.press('Shift+Tab')
    expect(await name()).toContain('All Wallets')
    await page.context().close()
  })

  test('arrow keys, Home and End move the focus in the list', async () => {
    const { page } = await gallery.visit('Connect')
    await page.getByRole('button', { name: 'Halyard' }).focus()
    const name = () => page.evaluate(() => document.activeElement?.textContent)
    await page.keyboard.press('ArrowDown')
    expect(await name()).toContain('Nacre')
    await page.keyboard.press('End')
    expect(await name()).toContain('All Wallets')
    await page.keyboard.press('ArrowDown')
    expect(await name()).toContain('All Wallets')
    await page.keyboard.press('Home')
    expect(await name()).toContain('Halyard')
    await page.context().close()
  })

  test('the focus stays in the card when the view changes', async () => {
    const { page } = await gallery.visit('Connect')
    await page.getByRole('button', { name: 'All Wallets' }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => titleOf(page)).toBe('All Wallets')
    expect(
      await page.locator(dialog).evaluate((card) => card.contains(document.activeElement)),
    ).toBe(true)
    await page.context().close()
  })

  test('a click on the overlay closes the card; a click that began in the card does not', async () => {
    const { page } = await gallery.visit('Connect')
    const box = (await page.locator(dialog).boundingBox())!
    await page.mouse.move(box.x + 100, box.y + 20)
    await page.mouse.down()
    await page.mouse.move(20, 20)
    await page.mouse.up()
    expect(await page.evaluate(() => window.gallery.kit.getState().view.open)).toBe(true)
    await page.mouse.click(20, 20)
    await page.locator(dialog).waitFor({ state: 'detached' })
    await page.context().close()
  })

  test('a double-click on the page’s button opens the modal and clicks nothing in it', async () => {
    const { page } = await gallery.visit('')
    await page.locator('.gf-cover[data-closed]:not([data-stage])').waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Connect Wallet' }).dblclick()
    await page.getByRole('dialog', { name: 'Connect Wallet' }).waitFor()
    expect(await page.evaluate(() => window.gallery.kit.getState().view.open)).toBe(true)
    // A single click on the overlay still closes the modal.
    await page.mouse.click(20, 300)
    await page.locator(dialog).waitFor({ state: 'detached' })
  })

  test('focus that moves to a frame in the page stays there', async () => {
    const { page } = await gallery.visit('Connect')
    await page.evaluate(() => {
      const other = document.createElement('iframe')
      other.srcdoc = '<input autofocus>'
      other.style.cssText = 'position:fixed;inset:0 0 auto auto;z-index:2147483647'
      document.body.append(other)
      other.focus()
    })
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('IFRAME')
    expect(
      await page.locator('iframe').evaluate((frame) => frame.closest('[inert],[aria-hidden]')),
    ).toBe(null)
    await page.context().close()
  })

  test('the page behind the modal does not scroll or move', async () => {
    await using browser = await launchBrowser({ scrollbars: true })
    const { page } = await browser.newPage()
    await goTo(page, gallery.server.url, '', 'tall')
    const scrollbar = () => page.evaluate(() => innerWidth - document.documentElement.clientWidth)
    expect(await scrollbar()).toBeGreaterThan(0)
    await page.mouse.wheel(0, 300)
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(300)
    const place = () =>
      page.evaluate(() => {
        const { x, y, width } = document.querySelector('main')!.getBoundingClientRect()
        return { x, y, width }
      })
    const before = await place()
    await page.evaluate(() => void window.gallery.kit.open())
    await page.locator(dialog).waitFor()
    expect(await place()).toEqual(before)
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).overflowY)).toBe(
      'hidden',
    )
    await page.keyboard.press('Escape')
    await page.locator(dialog).waitFor({ state: 'detached' })
    expect(await place()).toEqual(before)
    expect(await page.evaluate(() => document.documentElement.getAttribute('style') || '')).toBe('')
  })

  test('§2.9 §2.12.2/5 §4.3.3 §9.6.2 a view that cannot be closed shakes for 500 ms and stays open', async () => {
    const { page } = await gallery.visit('UnsupportedChain', {
      before: (page) => page.clock.install(),
    })
    const shakes = () => page.locator(dialog).getAttribute('data-shake')
    await page.clock.pauseAt(Date.now() + 60_000)
    await page.keyboard.press('Escape')
    expect(await shakes()).toBe('')
    await page.clock.runFor(499)
    expect(await shakes()).toBe('')
    await page.clock.runFor(2)
    expect(await shakes()).toBe(null)
    expect(await titleOf(page)).toBe('Switch Network')
    await page.context().close()
  })
})
