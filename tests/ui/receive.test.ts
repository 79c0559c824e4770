import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'

import { cutAtTheStart, overflowing, useScenes } from './scene.ts'
import { scanCode } from './scanCode.ts'

const open = useScenes()
const dialog = (page: Page) => page.getByRole('dialog')
const toast = (page: Page) => page.locator('.gf-toast')
/** The view on screen, without one that is animating out. */
const view = (page: Page) => page.locator('.gf-view:not([data-ending-style])')
const code = (page: Page) => page.getByRole('img', { name: /^QR code of your address/ })
const networkRow = (page: Page) =>
  view(page).getByRole('list', { name: 'Network', exact: true }).getByRole('button')
const activeNetwork = (page: Page) =>
  page.evaluate(() => window.gallery.kit.getState().chains.eip155?.networkId)

const address = '0x9f3C2a7B61e04D5580cA9E17fF3b62d0A84cb41E'
const solana = '7Vbq2mKfTz8Xc4RjWd91LsPuHnEaGy6oZtQv3Mi5Fk2B'
const payments = 'bc1q8xw3v5k0n7t2r6c9y4h1m8j5z0d3f6g9a2m2ka'
const ordinals = 'bc1p0e4r7t1u8i2o5p9a3s6d0f7g1h4j8k2l5z9x3c6v0b4n7m1s77wd5x8q2w'

/** Grants access to the clipboard. */
const before = (page: Page) =>
  page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

/** Replaces the system's share dialog: `outcome` is the name of its error, or undefined if the text is shared. */
const shareWith = (outcome?: string) => (page: Page) =>
  page.addInitScript((name) => {
    const shared: unknown[] = []
    Object.assign(window, { shared })
    Object.defineProperty(navigator, 'share', {
      value: async (data: unknown) => {
        shared.push(data)
        if (name) throw new DOMException('', name)
      },
    })
  }, outcome)
const shared = (page: Page) =>
  page.evaluate(() => (window as unknown as { shared: unknown[] }).shared)

describe('the QR code', () => {
  test.each([
    [320, 780, 'light'],
    [390, 844, 'dark'],
    [1440, 900, 'dark'],
  ] as const)('is the bare address, scanned at %i × %i px, %s', async (width, height, theme) => {
    const page = await open('WalletReceive', { width, height, theme, reducedMotion: 'reduce' })
    await code(page).waitFor()
    expect(await scanCode(page)).toBe(address)
    expect(await scanCode(page, { scale: 2 })).toBe(address)
    expect(await scanCode(page, { of: '.gf-qr', scale: 1 })).toBe(address)
    expect(await overflowing(page)).toEqual([])
    const box = (await page.locator('.gf-qr').boundingBox())!
    expect([box.width, box.height].map(Math.round)).toEqual([248, 248])
  })

  test.each([
    ['WalletReceive.solana', solana],
    ['WalletReceive.bitcoin', payments],
  ])('is scanned with other formats of addresses (%s)', async (scene, text) => {
    const page = await open(scene, { width: 320, reducedMotion: 'reduce' })
    await code(page).waitFor()
    expect(await scanCode(page)).toBe(text)
    expect(await scanCode(page, { of: '.gf-qr', scale: 1 })).toBe(text)
  })

  test('fits into a low window, where the view scrolls to its end', async () => {
    const page = await open('WalletReceive', { width: 740, height: 320, reducedMotion: 'reduce' })
    await page.locator('.gf-qr').scrollIntoViewIfNeeded()
    expect(await scanCode(page)).toBe(address)
    await page.getByRole('button', { name: 'Copy' }).click()
    expect(await overflowing(page)).toEqual([])
  })

  test('does not move when the name has loaded', async () => {
    const place = async (scene: string) => {
      const page = await open(scene, { reducedMotion: 'reduce' })
      if (scene.endsWith('loading'))
        await page.getByRole('status', { name: 'Loading name' }).waitFor()
      else await page.locator('.gf-receive-name bdi').waitFor()
      return page.locator('.gf-qr').boundingBox()
    }
    expect(await place('WalletReceive.loading')).toEqual(await place('WalletReceive'))
  })
})

describe('the account', () => {
  test('is shown by its name, and by its whole address in groups of four', async () => {
    const page = await open('WalletReceive')
    await view(page).getByText('mira.eth').waitFor()
    const groups = page.getByRole('group', { name: 'Your address' })
    expect((await groups.innerText()).split(/\s+/)).toEqual(
      '0x9f3C 2a7B 61e0 4D55 80cA 9E17 fF3b 62d0 A84c b41E'.split(' '),
    )
    expect(await groups.locator('b').allInnerTexts()).toEqual(['0x9f3C', 'b41E'])
  })

  test('without a name, only the address is shown', async () => {
    const page = await open('WalletReceive.unnamed')
    await code(page).waitFor()
    await expect.poll(() => page.locator('.gf-receive-name').count()).toBe(0)
  })

  test('without a name, one can be registered if the gateway has a zone', async () => {
    const named = await open('WalletReceive')
    await view(named).getByText('mira.eth').waitFor()
    const chooseName = (page: Page) => view(page).getByRole('button', { name: 'Choose a name' })
    const page = await open('WalletReceive.unnamed')
    await chooseName(page).click()
    await page.getByRole('dialog', { name: 'Choose name' }).waitFor()
    expect(await chooseName(named).count()).toBe(0)
  })

  test('a long name is cut at its end', async () => {
    const page = await open('WalletReceive.long', { width: 320 })
    await view(page).getByText('the-lighthouse-keeper').waitFor()
    expect(await overflowing(page)).toEqual([])
    expect(await cutAtTheStart(page)).toEqual([])
  })

  test('an account that the wallet switches to replaces the address on screen', async () => {
    const page = await open('WalletReceive')
    await code(page).waitFor()
    await page.evaluate(() =>
      window.gallery.control.emit({
        type: 'accountsChanged',
        connectorId: 'dev.gatefold.halyard',
        accounts: [
          {
            namespace: 'eip155',
            address: '0xa7E250C9d13B4f0A6627eB81c5f9D04aE3b711b0',
            type: 'eoa',
          },
        ],
      }),
    )
    await expect.poll(() => scanCode(page)).toBe('0xa7E250C9d13B4f0A6627eB81c5f9D04aE3b711b0')
  })

  test('after the wallet has disconnected, the card closes', async () => {
    const page = await open('WalletReceive')
    await page.evaluate(() => window.gallery.kit.adapters.get('eip155')!.disconnect())
    await dialog(page).waitFor({ state: 'detached' })
  })

  test('without a wallet, the view opens as Connect', async () => {
    const page = await open('Connect')
    await page.evaluate(() => {
      window.gallery.kit.close()
      void window.gallery.kit.open({ view: 'WalletReceive' })
    })
    await page.getByRole('dialog', { name: 'Connect Wallet' }).waitFor()
  })
})

describe('the address', () => {
  test('is copied by a button, which confirms it, also to screen readers', async () => {
    const page = await open('WalletReceive', {
      before: async (fresh) => {
        await fresh.clock.install()
        await before(fresh)
      },
    })
    await page.getByRole('button', { name: 'Copy' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    await page.getByRole('status').filter({ hasText: 'Address copied' }).waitFor()
    expect(await clipboard(page)).toBe(address)
    await page.clock.fastForward(2_000)
    await page.getByRole('button', { name: 'Copy', exact: true }).waitFor()
  })

  test('is copied without spaces if the visitor selects it', async () => {
    const page = await open('WalletReceive', { before })
    const select = (selector: string) =>
      page.evaluate((wanted) => {
        getSelection()!.selectAllChildren(document.querySelector(wanted)!)
        document.execCommand('copy')
      }, selector)
    await code(page).waitFor()
    await select('.gf-address')
    expect(await clipboard(page)).toBe(address)
    // A selection of more than the address is copied unchanged.
    await select('.gf-view')
    expect(await clipboard(page)).toContain('Only send on Ethereum')
  })

  test('error: if the clipboard is unavailable, a toast is shown', async () => {
    const page = await open('WalletReceive', {
      before: (fresh) =>
        fresh.addInitScript(() =>
          Object.defineProperty(navigator, 'clipboard', { value: undefined }),
        ),
    })
    await page.getByRole('button', { name: 'Copy' }).click()
    await toast(page).getByText('Couldn’t copy the address').waitFor()
  })

  test('is shared as text, where the browser can share', async () => {
    const without = await open('WalletReceive')
    await code(without).waitFor()
    expect(await without.getByRole('button', { name: 'Share' }).count()).toBe(0)
    const page = await open('WalletReceive', { before: shareWith() })
    await page.getByRole('button', { name: 'Share' }).click()
    await expect.poll(() => shared(page)).toEqual([{ text: address }])
    expect(await toast(page).count()).toBe(0)
  })

  test.each(['AbortError', 'InvalidStateError'])(
    'nothing is said if the visitor dismisses the dialog, or if it is already open (%s)',
    async (name) => {
      const page = await open('WalletReceive', { before: shareWith(name) })
      const button = page.getByRole('button', { name: 'Share' })
      await button.click()
      await button.click()
      await expect.poll(() => shared(page)).toHaveLength(2)
      expect(await toast(page).count()).toBe(0)
    },
  )

  test('error: if sharing fails, a toast says so, and only the copy button is left', async () => {
    const page = await open('WalletReceive', { before: shareWith('NotAllowedError') })
    await page.getByRole('button', { name: 'Share' }).click()
    await toast(page).getByText('Couldn’t share the address').waitFor()
    await page.getByRole('button', { name: 'Copy' }).waitFor()
    expect(await page.getByRole('button', { name: 'Share' }).count()).toBe(0)
    // The focus was on the removed button.
    const inside = await dialog(page).evaluate((card) => card.contains(document.activeElement))
    expect(inside).toBe(true)
  })
})

describe('the network', () => {
  test('can be chosen, with the keyboard too; the wallet’s network stays the same', async () => {
    const page = await open('WalletReceive')
    expect(await networkRow(page).innerText()).toContain('Same address on 6 networks')
    await networkRow(page).press('Enter')
    await page.getByRole('dialog', { name: 'Compatible Networks' }).waitFor()
    const rows = view(page).getByRole('list', { name: 'Networks' }).getByRole('button')
    const current = view(page).locator('[aria-current=true]')
    await current.filter({ hasText: 'Ethereum' }).waitFor()
    await rows.first().focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Receive' }).waitFor()
    await page.getByRole('img', { name: 'QR code of your address on OP Mainnet' }).waitFor()
    await view(page).getByText('Only send on OP Mainnet').waitFor()
    expect(await activeNetwork(page)).toBe('eip155:1')
    await networkRow(page).click()
    await current.filter({ hasText: 'OP Mainnet' }).waitFor()
    for (const title of ['Receive', 'Account']) {
      await page.getByRole('button', { name: 'Back' }).click()
      await page.getByRole('dialog', { name: title, exact: true }).waitFor()
    }
  })

  test('the chosen network stays when the wallet switches; otherwise the view follows the wallet', async () => {
    const page = await open('WalletReceive')
    const switchTo = (chainId: number) =>
      page.evaluate(
        (id) =>
          window.gallery.control.emit({
            type: 'chainChanged',
            connectorId: 'dev.gatefold.halyard',
            caipNetworkId: `eip155:${id}`,
          }),
        chainId,
      )
    await view(page).getByText('Only send on Ethereum').waitFor()
    await switchTo(8453)
    await view(page).getByText('Only send on Base').waitFor()
    await networkRow(page).click()
    await view(page).getByRole('button', { name: 'Polygon' }).click()
    await view(page).getByText('Only send on Polygon').waitFor()
    await switchTo(10)
    expect(await activeNetwork(page)).toBe('eip155:10')
    await view(page).getByText('Only send on Polygon').waitFor()
  })

  test('a long list of networks fits the window', async () => {
    const page = await open('WalletCompatibleNetworks.many', { height: 640, width: 390 })
    await view(page).getByRole('button', { name: 'Ethereum' }).waitFor()
    expect((await dialog(page).boundingBox())!.height).toBeLessThanOrEqual(640)
    await page.getByRole('button', { name: 'Island 39' }).click()
    await view(page).getByText('Only send on Island 39').waitFor()
  })

  test('without a choice, the row is not a button', async () => {
    const page = await open('WalletReceive.oneNetwork')
    await code(page).waitFor()
    expect(await networkRow(page).count()).toBe(0)
    await view(page).getByText('Halyard').waitFor()
  })

  test('a smart account is shown on its own network only, with a stronger warning', async () => {
    const page = await open('WalletReceive.smartAccount')
    await view(page).getByText('mira@north.example').waitFor()
    expect(await networkRow(page).count()).toBe(0)
    const note = view(page).locator('.gf-note[data-kind=bad]')
    expect(await note.innerText()).toContain('This account doesn’t exist on other networks.')
  })

  test('a smart account on a chain that the site does not use is shown with this chain', async () => {
    const page = await open('WalletReceive.unsupported')
    await view(page).getByText('Only send on Chain 7781').waitFor()
    expect(await scanCode(page)).toBe(address)
  })
})

describe('other chain families', () => {
  test('have their own address; choosing it leaves the active family unchanged', async () => {
    const page = await open('WalletCompatibleNetworks.families')
    const others = view(page).getByRole('list', { name: 'Other addresses' })
    expect(await others.getByRole('listitem').allInnerTexts()).toEqual([
      'Solana\n7Vbq2m…Fk2B',
      'Bitcoin\n2 addresses',
    ])
    await others.getByRole('button', { name: 'Solana' }).click()
    await view(page).getByText('Only send on Solana').waitFor()
    await expect.poll(() => scanCode(page)).toBe(solana)
    expect(await page.evaluate(() => window.gallery.kit.getState().namespace)).toBe('eip155')
    await networkRow(page).click()
    await view(page).getByRole('button', { name: 'EVM' }).click()
    await view(page).getByText('Only send on Ethereum').waitFor()
    await expect.poll(() => scanCode(page)).toBe(address)
  })

  test('§3.4/4 a Bitcoin wallet has a tab for each of its two addresses, and never one code for both', async () => {
    const page = await open('WalletReceive.bitcoin', { before, reducedMotion: 'reduce' })
    await view(page).getByText('Send inscriptions to your Ordinals address.').waitFor()
    expect(await scanCode(page)).toBe(payments)
    await page.getByRole('tab', { name: 'Payments' }).press('ArrowRight')
    await view(page).getByText('Only send inscriptions here').waitFor()
    expect(await scanCode(page)).toBe(ordinals)
    await page.getByRole('button', { name: 'Copy' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await clipboard(page)).toBe(ordinals)
    // The other address has not been copied.
    await page.getByRole('tab', { name: 'Payments' }).click()
    await view(page).getByText('Send inscriptions to your Ordinals address.').waitFor()
    expect(await page.getByRole('button', { name: 'Copied' }).count()).toBe(0)
  })

  test('an address whose wallet disconnects is replaced by that of the active family', async () => {
    const page = await open('WalletCompatibleNetworks.families')
    await view(page).getByRole('button', { name: 'Solana' }).click()
    await view(page).getByText('Only send on Solana').waitFor()
    await page.evaluate(() =>
      window.gallery.kit.dispatch({
        type: 'connection.disconnected',
        namespace: 'solana',
        connectorId: 'dev.gatefold.halyard',
      }),
    )
    await view(page).getByText('Only send on Ethereum').waitFor()
    await expect.poll(() => scanCode(page)).toBe(address)
  })
})

test.each([
  ['de', 'Nur über Ethereum senden', 'Kopieren'],
  ['ar', 'الإرسال عبر Ethereum فقط', 'نسخ'],
])(
  'WalletReceive is translated, with the address from left to right (%s)',
  async (locale, warning, copy) => {
    const page = await open('WalletReceive', { query: `locale=${locale}` })
    await view(page).getByText(warning).waitFor()
    await page.getByRole('button', { name: copy }).waitFor()
    const [first, second] = await page
      .locator('.gf-address > *')
      .evaluateAll((groups) => groups.map((group) => group.getBoundingClientRect().x))
    expect(first!).toBeLessThan(second!)
  },
)

test.each(
  ['de', 'ar'].flatMap((locale) =>
    ['WalletReceive.share', 'WalletReceive.bitcoin', 'WalletCompatibleNetworks.families'].map(
      (scene) => [scene, locale] as const,
    ),
  ),
)('%s fits at 320 px (%s)', async (scene, locale) => {
  const page = await open(scene, { width: 320, query: `locale=${locale}` })
  expect(await overflowing(page)).toEqual([])
  expect(await cutAtTheStart(page)).toEqual([])
})
