import { describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'

import { cutAtTheStart, overflowing, useScenes } from './scene.ts'

const open = useScenes()
const dialog = (page: Page) => page.getByRole('dialog')
const toast = (page: Page) => page.locator('.gf-toast')
/** The row of the active wallet. Excludes a view that is animating out. */
const activeRow = (page: Page) =>
  page.locator('.gf-view:not([data-ending-style]) [aria-current=true]')
const address = '0x9f3C2a7B61e04D5580cA9E17fF3b62d0A84cb41E'

describe('the balance', () => {
  test('§3.4/8 §3.4/9 §9.3.3/1 is rounded down to three decimals, with its symbol', async () => {
    const page = await open('Account')
    await dialog(page).getByText('2.481ETH').waitFor()
  })

  test.each([
    ['is shown as <0.001 below the precision', 'Account.unnamed', '<0.001ETH'],
    ['is shown as 0.00 if it is zero', 'Account.zero', '0.00ETH'],
  ])('behavior: %s', async (_, scene, text) => {
    const page = await open(scene)
    await dialog(page).getByText(text).waitFor()
  })

  test.each(['Account.testNetwork', 'Account.unsupported'])(
    '§5.8.2 §9.3.4/2 is 0.00 on a test network or an unsupported network, with a tag (%s)',
    async (scene) => {
      const page = await open(scene)
      await dialog(page).getByText('0.00ETH').waitFor()
      await page.getByText(/^(Test network|Chain 7781 isn’t supported)$/).waitFor()
    },
  )

  test.each([320, 390, 1440])('behavior: 15 digits fit on one line at %i px', async (width) => {
    const page = await open('Account.long', { width })
    const line = page.locator('.gf-balance')
    await dialog(page).getByText('123,456,789,012,345.481').waitFor()
    const { inner, outer, height } = await line.evaluate((element) => ({
      inner: element.scrollWidth,
      outer: element.clientWidth,
      height: element.clientHeight,
    }))
    expect(inner).toBeLessThanOrEqual(outer)
    expect(height).toBeLessThanOrEqual(46)
    expect(await overflowing(page)).toEqual([])
  })

  test('behavior: the height does not change when the balance has loaded', async () => {
    const height = async (scene: string) => {
      const page = await open(scene, { reducedMotion: 'reduce' })
      if (scene === 'Account') await dialog(page).getByText('2.481').waitFor()
      else await page.getByRole('status', { name: 'Loading balance' }).waitFor()
      return (await dialog(page).boundingBox())?.height
    }
    expect(await height('Account.loading')).toBe(await height('Account'))
  })

  test('§8.1.2 §9.1.3/2 a failure is shown, and the balance is requested again after 30 s', async () => {
    const page = await open('Account.failed', { before: (fresh) => fresh.clock.install() })
    // The query retries once after a second.
    await page.clock.fastForward(2_000)
    await page.getByRole('alert').filter({ hasText: 'Token Balance Unavailable' }).waitFor()
    await toast(page).getByText('Token Balance Unavailable').waitFor()
    const inPlace = page.locator('.gf-profile').getByText('Token Balance Unavailable')
    expect(await inPlace.count()).toBe(0)
    const countdown = page.getByText(/Retrying in \d+ s/)
    await countdown.waitFor()
    await page.evaluate(() => {
      window.gallery.control.faults.balance = false
    })
    const left = async () => Number(/\d+/.exec(await countdown.innerText())![0])
    const before = await left()
    await page.clock.fastForward(Math.max(0, before * 1_000 - 10_000))
    await expect.poll(left).toBeLessThanOrEqual(10)
    // The failure is announced once, by the toast; then the text replaces the balance.
    await inPlace.waitFor()
    await toast(page).waitFor({ state: 'detached' })
    expect(await page.getByRole('alert').filter({ hasText: 'Token' }).count()).toBe(0)
    expect(await page.locator('.gf-balance').count()).toBe(0)
    await page.clock.fastForward(10_000)
    await dialog(page).getByText('2.481ETH').waitFor()
    expect(await page.getByText('Token Balance Unavailable').count()).toBe(0)
  })
})

describe('what the page keeps', () => {
  test('§3.8 a balance for each network and address, for 30 s', async () => {
    const page = await open('Account.two', { before: (fresh) => fresh.clock.install() })
    await dialog(page).getByText('2.481ETH').waitFor()
    await page.evaluate(() => {
      const adapter = window.gallery.kit.adapters.get('eip155')!
      const actions = adapter.actions()
      const reads: string[] = []
      Object.assign(window, { reads })
      // Each balance is the number of its request.
      adapter.actions = async () => ({
        ...(await actions),
        async getBalance(account) {
          const count = reads.push(`${account.network.caipNetworkId}:${account.address}`)
          return { balance: `${count}`, symbol: 'ETH', value: 1n, decimals: 18 }
        },
      })
    })
    const reads = () => page.evaluate(() => (window as unknown as { reads: string[] }).reads)
    const [first, second] = [address, '0x5c81E0a4F7b2D93816a05cE24f8B7dA10e3390Ef']
    const moveTo = (caipNetworkId: `eip155:${string}`) =>
      page.evaluate((id) => {
        const { control } = window.gallery
        control.emit({ type: 'chainChanged', connectorId: control.ids[0], caipNetworkId: id })
      }, caipNetworkId)
    const activate = (index: number) =>
      page.evaluate((wallet) => {
        const { control } = window.gallery
        control.emit({ type: 'activated', connectorId: control.ids[wallet]! })
      }, index)
    const shown = (balance: string) => dialog(page).getByText(`${balance}ETH`).waitFor()

    await moveTo('eip155:10')
    await shown('1')
    await activate(3)
    await shown('2')
    await activate(0)
    await shown('1')
    await moveTo('eip155:1')
    await shown('2.481')
    expect(await reads()).toEqual([`eip155:10:${first}`, `eip155:1:${second}`])

    await page.clock.fastForward(30_000)
    await moveTo('eip155:10')
    await shown('3')
    expect((await reads()).at(-1)).toBe(`eip155:10:${first}`)
  })

  test('§9.1.3/1 the name of an account, for 5 minutes', async () => {
    let requests = 0
    const page = await open('Account', {
      before: async (fresh) => {
        await fresh.clock.install()
        await fresh.exposeFunction('countRead', () => void (requests += 1))
      },
    })
    await page.getByRole('button', { name: 'Wallets. Active: mira.eth' }).waitFor()
    await page.evaluate(() => {
      const adapter = window.gallery.kit.adapters.get('eip155')!
      const actions = adapter.actions()
      adapter.actions = async () => ({
        ...(await actions),
        identity: {
          resolveName: async () => undefined,
          async getIdentity() {
            await (window as unknown as { countRead(): Promise<void> }).countRead()
            return { name: 'tomas.eth', avatar: undefined }
          },
        },
      })
    })
    const reopen = async () => {
      await page.keyboard.press('Escape')
      await page.clock.runFor(1_000)
      await dialog(page).waitFor({ state: 'detached' })
      await page.evaluate(() => void window.gallery.kit.open({ view: 'Account' }))
      await page.clock.runFor(1_000)
    }
    await page.clock.fastForward(280_000)
    await reopen()
    await page.getByRole('button', { name: 'Wallets. Active: mira.eth' }).waitFor()
    expect(requests).toBe(0)
    await page.clock.fastForward(20_000)
    await reopen()
    await page.getByRole('button', { name: 'Wallets. Active: tomas.eth' }).waitFor()
    expect(requests).toBe(1)
  })
})

describe('the profile', () => {
  test('the copy button copies the full address and confirms it', async () => {
    const page = await open('Account', {
      before: async (fresh) => {
        await fresh.clock.install()
        await fresh.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      },
    })
    await page.getByRole('button', { name: 'Copy address' }).click()
    await page.getByRole('status').filter({ hasText: 'Address copied' }).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address)
    await page.clock.fastForward(2_000)
    await expect
      .poll(() => page.getByRole('status').filter({ hasText: 'Address copied' }).count())
      .toBe(0)
  })

  test('beside a name, the copy button shows the address', async () => {
    const page = await open('Account')
    const button = page.getByRole('button', { name: 'Copy address 0x9f3C…b41E' })
    expect(await button.innerText()).toContain('0x9f3C…b41E')
    const unnamed = await open('Account.unnamed')
    await unnamed.getByRole('button', { name: 'Copy address', exact: true }).waitFor()
    expect(await dialog(unnamed).getByText('0x9f3C…b41E').count()).toBe(1)
  })

  test('a toast does not cover the name or address of the account', async () => {
    const page = await open('Account', { reducedMotion: 'reduce' })
    await page.evaluate(() => window.gallery.toast('error', 'Failed to disconnect'))
    await toast(page).waitFor()
    const name = (await page.getByRole('button', { name: /^Wallets/ }).boundingBox())!
    expect((await toast(page).boundingBox())!.y).toBeGreaterThanOrEqual(name.y + name.height - 6)
  })

  test('error: if the clipboard is unavailable, a toast is shown', async () => {
    const page = await open('Account', {
      before: (fresh) =>
        fresh.addInitScript(() =>
          Object.defineProperty(navigator, 'clipboard', { value: undefined }),
        ),
    })
    await page.getByRole('button', { name: 'Copy address' }).click()
    await toast(page).getByText('Couldn’t copy the address').waitFor()
  })

  test('§3.4/13 links to the explorer with rel=noopener', async () => {
    const page = await open('Account')
    const link = page.getByRole('link', { name: 'View on explorer' })
    expect(await link.getAttribute('href')).toBe(`https://explorer.example/address/${address}`)
    expect(await link.getAttribute('rel')).toContain('noopener')
  })

  test('the name opens ProfileWallets, and the network opens Networks', async () => {
    const page = await open('Account')
    await page.getByRole('button', { name: 'Wallets. Active: mira.eth' }).click()
    await page.getByRole('dialog', { name: 'Wallets' }).waitFor()
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('button', { name: 'Network: Ethereum. Change' }).click()
    await page.getByRole('dialog', { name: 'Choose Network' }).waitFor()
  })

  test('if only one network is configured, there is no button to change it', async () => {
    const page = await open('Account.oneNetwork')
    await page.getByRole('img', { name: 'Network: Ethereum' }).waitFor()
    expect(await page.getByRole('button', { name: /^Network/ }).count()).toBe(0)
  })

  test('without a gateway, the account offers only what needs none', async () => {
    const page = await open('Account')
    const rows = await dialog(page).locator('.gf-row').allInnerTexts()
    expect(rows).toEqual(['Send', 'Disconnect'])
  })
})

describe('disconnecting', () => {
  test('§4.1.6 disconnects the wallet and closes the card', async () => {
    const page = await open('Account')
    await page.getByRole('button', { name: 'Disconnect' }).click()
    await dialog(page).waitFor({ state: 'detached' })
    expect(await page.evaluate(() => window.gallery.kit.getState().chains.eip155)).toMatchObject({
      status: 'disconnected',
      connections: [],
    })
  })

  test('behavior: while the button is busy, it keeps the focus and ignores clicks', async () => {
    const page = await open('Account.disconnecting')
    await page.evaluate(() => {
      const adapter = window.gallery.kit.adapters.get('eip155')!
      const counter = Object.assign(window, { calls: 0 })
      adapter.disconnect = () => {
        counter.calls += 1
        return new Promise(() => {})
      }
    })
    await page.getByRole('button', { name: 'Disconnect' }).click()
    const row = page.getByRole('button', { name: 'Disconnecting…' })
    expect(await row.getAttribute('aria-disabled')).toBe('true')
    await row.press('Enter')
    expect(await row.evaluate((element) => element === document.activeElement)).toBe(true)
    expect(await page.evaluate(() => (window as unknown as { calls: number }).calls)).toBe(1)
  })

  test('§8.4 error: a failure shows a toast and can be retried', async () => {
    const page = await open('Account.disconnectFails')
    await page.getByRole('button', { name: 'Disconnect' }).click()
    await toast(page).getByText('Failed to disconnect').waitFor()
    await page.evaluate(() => {
      window.gallery.control.faults.disconnect = false
    })
    await page.getByRole('button', { name: 'Disconnect' }).click()
    await dialog(page).waitFor({ state: 'detached' })
  })

  test('§4.1.7 if another wallet is connected, it becomes active and the list is shown', async () => {
    const page = await open('Account.two')
    await page.getByRole('button', { name: 'Disconnect' }).click()
    await page.getByRole('dialog', { name: 'Wallets' }).waitFor()
    await toast(page).getByText('Halyard disconnected').waitFor()
    const row = activeRow(page)
    expect(await row.innerText()).toContain('Orrery')
  })
})

describe('the wallets', () => {
  const captions = (page: Page) => dialog(page).getByRole('heading', { level: 3 }).allInnerTexts()

  test('are listed in three groups, with the active one marked', async () => {
    const page = await open('ProfileWallets')
    expect(await captions(page)).toEqual(['Active', 'Also connected', 'Previously used'])
    expect(await activeRow(page).innerText()).toContain('mira.eth')
  })

  test('can be switched', async () => {
    const page = await open('ProfileWallets')
    await page.getByRole('button', { name: 'Switch to 0x5c81…90Ef' }).click()
    await toast(page).getByText('Switched to Orrery').waitFor()
    expect(await activeRow(page).innerText()).toContain('Orrery')
  })

  test.each([
    ['de', 'Zu 0x5c81…90Ef wechseln', 'Zu Orrery gewechselt'],
    ['ar', 'التبديل إلى 0x5c81…90Ef', 'تم التبديل إلى Orrery'],
  ])('the toast after a switch is in the page’s language (%s)', async (locale, action, text) => {
    const page = await open('ProfileWallets', { query: `locale=${locale}` })
    await page.getByRole('button', { name: action }).click()
    await toast(page).getByText(text).waitFor()
    await page.getByRole('status').filter({ hasText: text }).waitFor({ state: 'attached' })
    // The state contains the English text.
    expect(await page.evaluate(() => window.gallery.kit.getState().toast?.message)).toBe(
      'Switched to Orrery',
    )
  })

  test('behavior: the button is busy while the wallet is being switched', async () => {
    const page = await open('ProfileWallets.switching')
    const button = page.getByRole('button', { name: /Switch to/ })
    await button.click()
    await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true')
    await button.locator('[data-spin]').waitFor()
  })

  test('a wallet’s actions are collapsed at first; they copy, open the explorer and disconnect', async () => {
    const page = await open('ProfileWallets', {
      before: (fresh) => fresh.context().grantPermissions(['clipboard-read', 'clipboard-write']),
    })
    const more = page.getByRole('button', { name: 'More options for 0x5c81…90Ef' })
    expect(await more.getAttribute('aria-expanded')).toBe('false')
    await more.click()
    expect(await more.getAttribute('aria-expanded')).toBe('true')
    await page.getByRole('button', { name: 'Copy', exact: true }).click()
    await page.getByText('Copied', { exact: true }).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      '0x5c81E0a4F7b2D93816a05cE24f8B7dA10e3390Ef',
    )
    expect(await page.getByRole('link', { name: 'Explorer' }).getAttribute('href')).toContain(
      '0x5c81E0a4F7b2D93816a05cE24f8B7dA10e3390Ef',
    )
    await page.getByRole('button', { name: 'Disconnect', exact: true }).click()
    await toast(page).getByText('Orrery disconnected').waitFor()
    expect(await page.getByRole('button', { name: 'Connect Orrery' }).count()).toBe(1)
    // The focused button has been removed with its row.
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('dialog')
  })

  test('a previous wallet can be reconnected or forgotten', async () => {
    const page = await open('ProfileWallets')
    await page.getByRole('button', { name: 'Forget Thistle' }).click()
    expect(await captions(page)).toEqual(['Active', 'Also connected'])

    const again = await open('ProfileWallets')
    await again.getByRole('button', { name: 'Connect Thistle' }).click()
    await toast(again).getByText('Thistle connected').waitFor()
    await again.getByRole('dialog', { name: 'Wallets' }).waitFor()
    expect(await activeRow(again).innerText()).toContain('Thistle')
  })

  test('can all be disconnected; a button to add a wallet remains', async () => {
    const page = await open('ProfileWallets.many')
    await page.getByRole('button', { name: 'Disconnect all' }).click()
    await toast(page).getByText('All wallets disconnected').waitFor()
    expect(await captions(page)).toEqual(['Previously used'])
    await page.getByRole('button', { name: 'Add EVM wallet' }).waitFor()
  })

  test('can be added', async () => {
    const page = await open('ProfileWallets.one')
    await page.getByRole('button', { name: 'Add EVM wallet' }).click()
    await page.getByRole('dialog', { name: 'Connect Wallet' }).waitFor()
    await page.getByRole('button', { name: /Nacre/ }).click()
    await page.getByRole('dialog', { name: 'Wallets' }).waitFor()
    await toast(page).getByText('Nacre connected').waitFor()
    expect(await captions(page)).toEqual(['Active', 'Also connected'])
  })

  test('§5.8.3 without multiWallet, a second wallet cannot be added', async () => {
    const page = await open('ProfileWallets.single')
    await activeRow(page).waitFor()
    expect(await page.getByRole('button', { name: /^Add/ }).count()).toBe(0)
  })

  test('each chain family has a tab, with arrow-key navigation and an empty state', async () => {
    const page = await open('ProfileWallets.families')
    await page.getByRole('tab', { name: 'EVM' }).focus()
    await page.keyboard.press('ArrowRight')
    const tab = page.getByRole('tab', { name: 'Solana', selected: true })
    expect(await tab.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.getByText('No Solana wallet yet').waitFor()
    await page.getByRole('button', { name: 'Add Solana wallet' }).waitFor()
  })

  test('from right to left, the left arrow key moves to the next tab', async () => {
    const page = await open('ProfileWallets.families', { query: 'dir=rtl' })
    await page.getByRole('tab', { name: 'EVM' }).press('ArrowLeft')
    const next = page.getByRole('tab', { name: 'Solana', selected: true })
    await next.press('ArrowRight')
    await page.getByRole('tab', { name: 'EVM', selected: true }).waitFor()
  })
})

describe('accessibility and layout', () => {
  // A phone zooms out if a page is wider than its screen, and cuts the card off.
  test.each(['item', 'nested'])(
    'a long name does not widen the page of a phone, as %s of a grid or a row',
    async (place) => {
      for (const width of [320, 390])
        for (const display of ['grid', 'flex', 'block']) {
          const page = await open('Account.long', { width, height: 844, touch: true })
          await page.evaluate(
            ([inside, value]) => {
              const main = document.querySelector('main')!
              const buttons = main.querySelector('[data-gf-buttons]')!
              main.style.display = value
              if (inside === 'nested') {
                // How the item shares a row with others depends on the page, so the other item is removed.
                document.querySelector('#before')?.remove()
                const item = document.createElement('div')
                main.append(item)
                item.append(buttons)
              }
            },
            [place, display] as const,
          )
          const widths = () =>
            page.evaluate(() => [innerWidth, document.documentElement.scrollWidth])
          await expect.poll(widths).toEqual([width, width])
          await page.context().close()
        }
    },
  )

  test.each(['Account.long', 'Account.longWallet', 'ProfileWallets', 'ProfileWallets.families'])(
    'nothing overflows the card at 320 px, with default or large master sizes or right to left: %s',
    async (scene) => {
      for (const query of ['', 'size=12px&radius=16px', 'dir=rtl']) {
        const page = await open(scene, { width: 320, query })
        expect(await overflowing(page), query).toEqual([])
      }
    },
  )
})

test.each([
  'Connect.long',
  'ConnectingExternal.long',
  'Account.long',
  'Account.longWallet',
  'ProfileWallets',
  'AllWallets.offline',
])('a long line is not cut off at its start in a right-to-left language: %s', async (scene) => {
  const page = await open(scene, { width: 320, query: 'locale=ar', reducedMotion: 'reduce' })
  expect(await cutAtTheStart(page)).toEqual([])
  // Short lines start next to the image.
  const gaps = await page.locator('.gf-row-text > b').evaluateAll((lines) =>
    lines
      .filter(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)
      .map((line) => {
        const range = document.createRange()
        range.selectNodeContents(line)
        return line.getBoundingClientRect().right - range.getBoundingClientRect().right
      }),
  )
  for (const gap of gaps) expect(gap).toBeLessThan(1)
})

test('the keyboard is enough to open the wallets, switch, and close', async () => {
  const page = await open('Account.two')
  const press = (...keys: string[]) =>
    keys.reduce((done, key) => done.then(() => page.keyboard.press(key)), Promise.resolve())
  const focused = () =>
    page.evaluate(
      () =>
        document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent,
    )
  await press('Tab', 'Tab')
  expect(await focused()).toContain('Wallets. Active')
  await press('Enter')
  await page.getByRole('dialog', { name: 'Wallets' }).waitFor()
  await press('Tab', 'Tab', 'Tab', 'Tab', 'Tab')
  expect(await focused()).toBe('Switch to 0x5c81…90Ef')
  await press('Enter')
  await toast(page).getByText('Switched to Orrery').waitFor()
  await press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
})
