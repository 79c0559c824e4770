import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as react from '../../packages/kit/src/exports/react.ts'
import { openGallery } from './gallery.ts'
import type { Gallery } from './gallery.ts'

let gallery: Gallery
beforeAll(async () => {
  gallery = await openGallery()
})
afterAll(() => gallery.stop())

/** What the page shows for each hook. */
const outputs = (page: Page): Promise<Record<string, string>> =>
  page
    .locator('[data-hook]')
    .evaluateAll((elements) =>
      Object.fromEntries(
        elements.map((element) => [element.getAttribute('data-hook'), element.textContent]),
      ),
    )
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** Width and height in px, without transforms: the card may still be moving. */
const sizeOf = (element: Locator) =>
  element.evaluate(({ offsetWidth, offsetHeight }: HTMLElement) => [offsetWidth, offsetHeight])

test('every hook has an effect on a page', async () => {
  const { page, consoleErrors } = await gallery.visit('', { query: 'hooks&prefetch=intent' })
  await expect.poll(() => outputs(page)).toMatchObject({ useKitWallets: 'Halyard,Nacre' })
  const disconnected = await outputs(page)
  const hooks = Object.keys(react).filter((name) => /^use[A-Z]/.test(name))
  expect(Object.keys(disconnected).toSorted()).toEqual(hooks.toSorted())
  expect(disconnected).toMatchObject({
    useKit: 'function',
    useKitState: 'eip155',
    useKitEvent: '',
    useModal: 'false Connect',
    useConnectModal: 'function',
    useAccountModal: 'undefined',
    useNetworkModal: 'undefined',
    useKitAccount: 'disconnected undefined',
    useKitNetwork: 'Ethereum',
    useKitConnections: '0',
    useKitTheme: 'light',
    useKitBalance: '',
    useKitIdentity: '',
    useKitTokens: '',
    useKitPriceHistory: '',
    useKitNfts: '',
    useKitActivity: '',
    useKitPendingTransactions: '0',
    useKitNames: '',
    useKitProvider: 'undefined',
  })

  await press(page, 'openConnectModal')
  await page.getByRole('dialog', { name: 'Connect Wallet' }).waitFor()
  expect(await outputs(page)).toMatchObject({ useModal: 'true Connect' })
  await page.keyboard.press('Escape')
  await expect.poll(() => outputs(page)).toMatchObject({ useModal: 'false Connect' })

  await page.evaluate(
    () => (window.gallery.control.identity = { name: 'book.eth', avatar: undefined }),
  )
  await press(page, 'connect')
  await expect
    .poll(() => outputs(page))
    .toMatchObject({
      useKitEvent: 'Halyard',
      useConnectModal: 'undefined',
      useAccountModal: 'function',
      useNetworkModal: 'function',
      useKitAccount: 'connected Halyard',
      useKitConnections: '1',
      useKitBalance: 'ETH',
      useKitIdentity: 'book.eth',
      useKitTokens: 'ETH',
      useKitPriceHistory: 'USD',
      useKitNfts: 'Plate 12',
      useKitActivity: 'trade',
      useKitNames: 'book.eth',
      useKitNameCheck: 'keeper.book.eth',
      useKitProvider: 'object',
      useKitOnramp: 'ETH',
      useKitOnrampQuotes: 'Tollhouse',
    })

  for (const action of ['sign', 'sign typed data', 'send', 'receipt', 'resolve', 'register', 'buy'])
    await press(page, action)
  await expect
    .poll(() => outputs(page))
    .toMatchObject({
      useKitSignMessage: '0x',
      useKitSignTypedData: '0x712',
      useKitSend: `0x${'8c1f'.repeat(16)}`,
      useKitReceipt: 'success',
      useKitResolveName: 'success',
      // The mock wallet does not sign with a key.
      useKitRegisterName: expect.stringContaining('The signature is not by'),
      useKitCreateOnrampOrder: 'created',
      useKitOnrampOrder: 'created',
    })

  const second = await page.evaluate(() => window.gallery.kit.getState().networks[1]!.name)
  await press(page, 'switchNetwork')
  await expect.poll(() => outputs(page)).toMatchObject({ useKitNetwork: second })
  await press(page, 'setTheme')
  await expect.poll(() => outputs(page)).toMatchObject({ useKitTheme: 'dark' })

  for (const [action, view] of [
    ['openAccountModal', 'Account'],
    ['openNetworkModal', 'Networks'],
    ['open Networks', 'Networks'],
  ] as const) {
    await press(page, action)
    await page.locator(`[role=dialog][data-view=${view}]`).waitFor()
    expect(await outputs(page)).toMatchObject({ useModal: `true ${view}` })
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }

  await press(page, 'disconnect')
  await expect
    .poll(() => outputs(page))
    .toMatchObject({
      useKitDisconnect: 'success',
      useKitAccount: 'disconnected undefined',
      useKitConnections: '0',
    })
  expect(consoleErrors).toEqual([])
})

test('§3.20/30 with disableAppend, the modal is rendered where the site places it', async () => {
  const { page } = await gallery.visit('', { query: 'hooks=modal&disableAppend&prefetch=none' })
  await press(page, 'openConnectModal')
  await page.locator('#modal-place [role=dialog]').waitFor()
  expect(await page.getByRole('dialog').count()).toBe(1)

  const { page: without } = await gallery.visit('', { query: 'hooks&disableAppend&prefetch=none' })
  await press(without, 'openConnectModal')
  await without.waitForFunction(() => window.gallery.kit.getState().view.open)
  expect(await without.getByRole('dialog').count()).toBe(0)
})

test('the site’s avatars are shown in the button and in the account view', async () => {
  const { page } = await gallery.visit('', { query: 'hooks&avatar&noGateway' })
  await expect.poll(() => outputs(page)).toMatchObject({ useKitWallets: 'Halyard,Nacre' })
  await press(page, 'connect')
  const letters = page.locator('[data-gf-buttons] .letters')
  await letters.waitFor()
  expect(await letters.textContent()).toBe('f3')
  expect(await sizeOf(letters)).toEqual([24, 24])
  await press(page, 'openAccountModal')
  const large = page.getByRole('dialog').locator('.letters')
  await large.waitFor()
  expect(await sizeOf(large)).toEqual([64, 64])
})
