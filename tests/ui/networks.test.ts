import { describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'

import { answer, overflowing, useScenes } from './scene.ts'

const open = useScenes()
const dialog = (page: Page) => page.getByRole('dialog')
/** The row of the active network. Excludes a view that is animating out. */
const current = (page: Page) =>
  page.locator('.gf-view:not([data-ending-style]) [aria-current=true]')
const activeNetwork = (page: Page) =>
  page.evaluate(() => window.gallery.kit.getState().chains.eip155?.networkId)

describe('the networks', () => {
  test('include the active network, which is marked', async () => {
    const page = await open('Networks')
    expect(await current(page).innerText()).toBe('Ethereum')
  })

  test('a network that the wallet has not approved is disabled, with the reason', async () => {
    const page = await open('Networks')
    const row = page.getByRole('button', { name: /^Base/ })
    expect(await row.innerText()).toContain('Not approved in Halyard')
    expect(await row.isDisabled()).toBe(true)
  })

  test('can be searched by name and by id; a search without results can be reset', async () => {
    const page = await open('Networks')
    const rows = () => dialog(page).locator('.gf-row b').allInnerTexts()
    const field = page.getByRole('textbox', { name: 'Search networks' })
    await field.fill('opt')
    await page.getByText('No networks match “opt”').waitFor()
    await page.getByRole('button', { name: 'Show all networks' }).click()
    expect(await field.inputValue()).toBe('')
    await field.fill('mainnet')
    expect(await rows()).toEqual(['OP Mainnet'])
    await field.fill('42161')
    expect(await rows()).toEqual(['Arbitrum One'])
  })

  test('behavior: have no search field if there are only two', async () => {
    const page = await open('Networks.two')
    await page.getByRole('button', { name: 'OP Mainnet' }).waitFor()
    expect(await page.getByRole('textbox').count()).toBe(0)
  })

  test('behavior: a long list scrolls to the active network, and the card fits the viewport', async () => {
    const page = await open('Networks.many', { height: 640, reducedMotion: 'reduce' })
    await page.evaluate(() => {
      const { kit } = window.gallery
      kit.close()
      kit.dispatch({
        type: 'connection.networkSelected',
        namespace: 'eip155',
        networkId: 'eip155:5030',
      })
      void kit.open({ view: 'Networks' })
    })
    const row = current(page)
    await row.filter({ hasText: 'Island 31' }).waitFor()
    const inside = await row.evaluate((element) => {
      const box = element.closest('.gf-scroll')!.getBoundingClientRect()
      const { top, bottom } = element.getBoundingClientRect()
      return top >= box.top && bottom <= box.bottom
    })
    expect(inside).toBe(true)
    const card = await dialog(page).boundingBox()
    expect(card!.height).toBeLessThanOrEqual(640)
  })

  test('a button in WhatIsANetwork goes back to the list', async () => {
    const page = await open('Networks')
    await page.getByRole('button', { name: 'What is a network?' }).click()
    await page.getByRole('dialog', { name: 'What is a network?' }).waitFor()
    await page.getByRole('button', { name: 'Choose a network' }).click()
    await page.getByRole('dialog', { name: 'Choose Network' }).waitFor()
  })
})

describe('switching', () => {
  test('§2.8.1 §2.8.3 §4.6.2 sends the request immediately, and goes back to the account after an approval', async () => {
    const page = await open('SwitchNetwork')
    await page.getByRole('status').getByText('Approve in Halyard').waitFor()
    await page.getByText('Confirm the switch from Ethereum to OP Mainnet.').waitFor()
    expect(await activeNetwork(page)).toBe('eip155:1')
    await answer(page)
    await page.getByRole('button', { name: 'Network: OP Mainnet. Change' }).waitFor()
    expect(await activeNetwork(page)).toBe('eip155:10')
  })

  test('behavior: a view that the page opened also sends the request, and closes after the approval', async () => {
    const page = await open('SwitchNetwork.opened')
    await expect
      .poll(() => page.evaluate(() => window.gallery.kit.getState().switching?.status))
      .toBe('waiting')
    await answer(page)
    await dialog(page).waitFor({ state: 'detached' })
    expect(await activeNetwork(page)).toBe('eip155:10')
  })

  test('behavior: if the page opened the list, the card closes after the approval', async () => {
    const page = await open('Networks')
    await page.evaluate(() => {
      const { kit } = window.gallery
      kit.close()
      void kit.open({ view: 'Networks' })
    })
    await dialog(page).getByRole('button', { name: 'OP Mainnet' }).last().click()
    await dialog(page).waitFor({ state: 'detached' })
    expect(await activeNetwork(page)).toBe('eip155:10')
  })

  test('behavior: the card closes if the wallet is already on the network', async () => {
    const page = await open('Networks')
    await page.evaluate(() => {
      const { kit } = window.gallery
      kit.close()
      void kit.open({ view: 'SwitchNetwork', data: { network: kit.getState().networks[0]! } })
    })
    await dialog(page).waitFor({ state: 'detached' })
  })

  test('after a rejection, shows the current network and can be retried', async () => {
    const page = await open('SwitchNetwork.rejected')
    await page.getByRole('alert').getByText('You declined the request in Halyard').waitFor()
    await page.getByText('Nothing changed. You’re still on Ethereum.').waitFor()
    await page.evaluate(() => {
      window.gallery.control.faults.reject = false
    })
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('dialog', { name: 'Account' }).waitFor()
    expect(await activeNetwork(page)).toBe('eip155:10')
  })

  test('error: shows a failure', async () => {
    const page = await open('SwitchNetwork.failed')
    await page.getByRole('alert').getByText('Couldn’t switch to OP Mainnet').waitFor()
    await page
      .getByText(
        /^You’re still on Ethereum\. Make sure that Halyard has .+ in its networks, then try again\.$/,
      )
      .waitFor()
    expect(await activeNetwork(page)).toBe('eip155:1')
  })

  test('§2.8.2 to a chain family without a connected wallet offers to connect one', async () => {
    const page = await open('SwitchActiveChain')
    await page.getByText('Halyard doesn’t have an address on Solana').waitFor()
    await page.getByRole('button', { name: 'Connect Solana wallet' }).click()
    await page.getByRole('dialog', { name: 'Connect Wallet' }).waitFor()
    const state = await page.evaluate(() => {
      const { namespace, view } = window.gallery.kit.getState()
      return { namespace, only: view.namespace, views: view.history.map(({ name }) => name) }
    })
    expect(state).toEqual({ namespace: 'solana', only: 'solana', views: ['Connect'] })
  })
})

describe('an unsupported chain', () => {
  test('§4.6.1/2 §8.6.1 opens the view, which cannot be closed', async () => {
    const page = await open('UnsupportedChain')
    await page.getByText('This site doesn’t support Linea').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.gf-card[data-shake]').waitFor()
    await page.locator('.gf-card:not([data-shake])').waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.locator('.gf-card[data-shake]').waitFor()
    expect(await dialog(page).isVisible()).toBe(true)
  })

  test.each(['Ethereum', 'Gnosis'])('switching to %s closes the card', async (name) => {
    const page = await open('UnsupportedChain')
    await page.getByRole('button', { name, exact: true }).click()
    await dialog(page).waitFor({ state: 'detached' })
    const chain = await page.evaluate(() => window.gallery.kit.getState().chains.eip155)
    expect(chain?.unsupportedNetworkId).toBeUndefined()
  })

  test('behavior: the card stays open after a rejected switch', async () => {
    const page = await open('UnsupportedChain')
    await page.evaluate(() => {
      window.gallery.control.faults.reject = true
    })
    await page.getByRole('button', { name: 'Ethereum' }).click()
    await page.getByText('Nothing changed. You’re still on Linea.').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.gf-card[data-shake]').waitFor()
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('dialog', { name: 'Switch Network' }).waitFor()
  })

  test('disconnect is the last button and closes the card', async () => {
    const page = await open('UnsupportedChain')
    const buttons = dialog(page).getByRole('button')
    expect(await buttons.last().innerText()).toBe('Disconnect')
    await buttons.last().click()
    await dialog(page).waitFor({ state: 'detached' })
    expect(await page.evaluate(() => window.gallery.kit.getState().chains.eip155?.status)).toBe(
      'disconnected',
    )
  })

  test('behavior: if one network is configured, the view has a single button', async () => {
    const page = await open('UnsupportedChain.unknown')
    await page.getByText('You’re on an unknown network').waitFor()
    await page.getByRole('button', { name: 'Switch to Ethereum' }).click()
    await dialog(page).waitFor({ state: 'detached' })
  })

  test.each([
    [
      'known',
      'This site doesn’t support Linea',
      'This site works on Ethereum.',
      ['Switch to Ethereum'],
    ],
    [
      'swapOne',
      'Swaps aren’t available on Ethereum',
      'You can swap on OP Mainnet.',
      ['Switch to OP Mainnet'],
    ],
    [
      'swapNone',
      'Swaps aren’t available on Ethereum',
      'None of this site’s networks support swaps.',
      [],
    ],
  ])(
    'the text depends on the networks that can be selected: %s',
    async (scene, title, hint, buttons) => {
      const page = await open(`UnsupportedChain.${scene}`)
      await dialog(page).getByText(title).waitFor()
      await dialog(page).getByText(hint).waitFor()
      const names = await dialog(page).getByRole('button').allInnerTexts()
      expect(names.filter(Boolean)).toEqual([...buttons, 'Disconnect'])
    },
  )

  test('behavior: if the wallet has approved no network, the view offers to disconnect', async () => {
    const page = await open('UnsupportedChain.stuck')
    await dialog(page)
      .getByText(
        'Halyard hasn’t approved any of this site’s networks. Disconnect, then approve one when you reconnect.',
      )
      .waitFor()
    const buttons = dialog(page).getByRole('button', { disabled: false })
    expect((await buttons.allInnerTexts()).filter(Boolean)).toEqual(['Disconnect'])
  })

  test('behavior: the card closes when the wallet returns to a supported network', async () => {
    const page = await open('UnsupportedChain')
    await page.evaluate(() => {
      const { control } = window.gallery
      const [connectorId] = control.ids
      control.emit({ type: 'chainChanged', connectorId, caipNetworkId: 'eip155:1' })
    })
    await dialog(page).waitFor({ state: 'detached' })
  })
})

describe('accessibility and layout', () => {
  test.each(['Networks', 'SwitchNetwork.failed', 'SwitchActiveChain', 'UnsupportedChain.unknown'])(
    'nothing overflows the card at 320 px, with default or large master sizes or right to left: %s',
    async (scene) => {
      for (const query of ['', 'size=12px&radius=16px', 'dir=rtl']) {
        const page = await open(scene, { width: 320, query })
        expect(await overflowing(page), query).toEqual([])
      }
    },
  )
})

test('the keyboard is enough to switch from the account to another network', async () => {
  const page = await open('Account')
  const focused = () => page.evaluate(() => document.activeElement?.textContent)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Choose Network' }).waitFor()
  for (let stop = 0; stop < 4; stop++) await page.keyboard.press('Tab')
  expect(await focused()).toBe('Ethereum')
  await page.keyboard.press('ArrowDown')
  expect(await focused()).toBe('OP Mainnet')
  await page.keyboard.press('End')
  expect(await focused()).toBe('Gnosis')
  await page.keyboard.press('Enter')
  await expect.poll(() => activeNetwork(page)).toBe('eip155:100')
  await page.getByRole('dialog', { name: 'Account' }).waitFor()
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
})
