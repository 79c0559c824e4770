import { describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'

import {
  answer,
  cutAtTheStart,
  leaveAndAnswer,
  overflowing,
  setFaults,
  untilHanging,
  useScenes,
} from './scene.ts'

const open = useScenes()
const receiver = '0xa7E250C9d13B4f0A6627eB81c5f9D04aE3b711b0'
const amount = (page: Page) => page.getByRole('textbox', { name: 'Amount' })
const to = (page: Page) => page.getByRole('textbox', { name: 'Receiver' })
const review = (page: Page) => page.getByRole('dialog', { name: 'Review send' })
/** The button that says what is missing. */
const submit = (page: Page) =>
  page.locator('.gf-view:not([data-ending-style]) .gf-button[data-kind=primary]')

describe('WalletSend', () => {
  test('§5.2 the button says what is missing, one thing after the other', async () => {
    const page = await open('WalletSend')
    await submit(page).getByText('Enter an amount').waitFor()
    await amount(page).fill('0')
    await submit(page).getByText('Enter an amount').waitFor()
    await amount(page).fill('5')
    await submit(page).getByText('Not enough ETH').waitFor()
    await page.getByRole('alert').getByText('Only 2.481 ETH').waitFor()
    await amount(page).fill('0.25')
    await submit(page).getByText('Enter a receiver').waitFor()
    await to(page).fill('0x77aE91f3')
    await submit(page).getByText('Check the address').waitFor()
    await page.getByRole('alert').getByText('too short. It has 40 characters after 0x').waitFor()
    expect(await submit(page).isDisabled()).toBe(true)
    await to(page).fill(receiver)
    await submit(page).getByText('Preview send').waitFor()
    expect(await submit(page).isEnabled()).toBe(true)
  })

  test('an amount can be typed with a comma; letters, signs and a second point are ignored', async () => {
    const page = await open('WalletSend')
    await amount(page).pressSequentially('1,2.x-e3')
    expect(await amount(page).inputValue()).toBe('1.23')
  })

  test('the maximum of the native currency leaves the network fee, and what it can rise by', async () => {
    const page = await open('WalletSend')
    await page.getByRole('button', { name: 'Max', exact: true }).click()
    await expect.poll(() => amount(page).inputValue()).toBe('2.4801')
    await to(page).fill(receiver)
    await submit(page).getByText('Preview send').waitFor()
    expect(await page.locator('.gf-facts').innerText()).toContain('Left after\n<0.001 ETH')
  })

  test('the maximum is entered also if another receiver is entered before its fee is known', async () => {
    const page = await open('WalletSend')
    await setFaults(page, { hangCheck: true })
    await page.getByRole('button', { name: 'Max', exact: true }).click()
    await page.locator('.gf-max[aria-disabled]').waitFor()
    await to(page).fill(receiver)
    await submit(page).getByText('Enter an amount').waitFor()
    await setFaults(page, { hangCheck: false })
    await answer(page)
    await expect.poll(() => amount(page).inputValue()).toBe('2.4801')
    await submit(page).getByText('Preview send').waitFor()
  })

  test('the maximum can be asked for again if its fee could not be read; the failure is reported once', async () => {
    const page = await open('WalletSend')
    await setFaults(page, { prepare: true })
    const toasts = await page.evaluateHandle(() => {
      const { kit } = window.gallery
      const ids = new Set<number | undefined>()
      kit.subscribe(() => ids.add(kit.getState().toast?.id))
      return ids
    })
    const max = page.getByRole('button', { name: 'Max', exact: true })
    await max.click()
    await page.getByRole('alert').getByText('The transfer would fail').waitFor()
    expect(await amount(page).inputValue()).toBe('')
    await page.evaluate(() => window.gallery.kit.dispatch({ type: 'locale.changed', locale: 'de' }))
    const inGerman = page.getByRole('textbox', { name: 'Betrag' })
    await inGerman.waitFor()
    await setFaults(page, { prepare: false })
    await max.click()
    await expect.poll(() => inGerman.inputValue()).toBe('2,4801')
    expect(await toasts.evaluate((ids) => [...ids].filter(Boolean).length)).toBe(1)
  })

  test.each([
    ['that a sponsor pays', 'sponsored', 'Network fee\nFree', 'Left after\n0.00 ETH'],
    ['that only the wallet knows', 'unknownFee', 'Network fee\nShown when you confirm', ''],
  ])(
    'the maximum of the native currency leaves nothing for a fee %s, and no amount is shown for it',
    async (_, scene, fee, left) => {
      const page = await open(`WalletSend.${scene}`)
      await page.getByRole('button', { name: 'Max', exact: true }).click()
      await expect.poll(() => amount(page).inputValue()).toBe('2.481')
      await to(page).fill(receiver)
      await submit(page).getByText('Preview send').waitFor()
      const facts = await page.locator('.gf-facts').innerText()
      expect(facts).toContain(fee)
      expect(facts.includes('Left after')).toBe(left !== '')
      expect(facts).toContain(left)
      await submit(page).click()
      await review(page).getByText('Transfers can’t be undone').waitFor()
      const shown = review(page).locator('.gf-view:not([data-ending-style]) .gf-facts')
      await expect.poll(() => shown.innerText()).toContain(fee)
      expect(await shown.innerText()).not.toMatch(/\d/)
    },
  )

  test('§5.3.2 an amount in dollars is converted, with the price of the token', async () => {
    const page = await open('WalletSend')
    await page.getByRole('button', { name: /Enter the amount in \$$/ }).click()
    await amount(page).fill('900')
    await page
      .getByRole('button', { name: /Enter the amount in ETH$/ })
      .getByText('0.25 ETH')
      .waitFor()
    await page.getByRole('button', { name: /Enter the amount in ETH$/ }).click()
    expect(await amount(page).inputValue()).toBe('0.25')
  })

  test('an amount that needs the fee’s part of the balance is refused before the wallet opens', async () => {
    const page = await open('WalletSend.noGas')
    await page.getByText('You need up to 0.0008 ETH for the network fee.').waitFor()
    await submit(page).getByText('Not enough ETH').waitFor()
  })

  test('a transfer that would fail is refused, with the reason', async () => {
    for (const view of ['WalletSend', 'WalletSendPreview']) {
      const page = await open(`${view}.fails`)
      await page.getByRole('alert').getByText('The transfer would fail').waitFor()
      expect(await submit(page).isDisabled()).toBe(true)
    }
  })

  test('a name is resolved, and its address is shown beside it', async () => {
    const page = await open('WalletSend.named')
    await page.getByText('0xa7E2…11b0').waitFor()
    await submit(page).click()
    await review(page).getByText('To tomas.eth').waitFor()
    // The whole address is on screen, to be compared.
    await review(page).getByText(receiver, { exact: true }).waitFor()
  })

  test('in Arabic, a long address is cut at its end, and the hint is in the direction of the language', async () => {
    const page = await open('WalletSend.filled', { query: 'locale=ar' })
    const field = page.locator('.gf-field input')
    const style = () =>
      field.evaluate((it) => {
        const { direction, textAlign } = getComputedStyle(it)
        return { direction, textAlign }
      })
    await field.waitFor()
    expect(await style()).toEqual({ direction: 'ltr', textAlign: 'right' })
    await field.fill('')
    expect(await style()).toEqual({ direction: 'rtl', textAlign: 'right' })
  })

  test('without a gateway, the native currency can be sent', async () => {
    const page = await open('WalletSend.offline')
    await page.getByRole('button', { name: 'Token: ETH' }).waitFor()
    await amount(page).fill('1')
    await submit(page).getByText('Preview send').click()
    await review(page).getByText('1 ETH', { exact: true }).waitFor()
  })

  test('on a chain that the site does not support, nothing can be sent before the network is switched', async () => {
    const account = await open('Account.unsupported')
    const rows = account.getByRole('list', { name: 'Actions' }).getByRole('listitem')
    expect(await rows.allInnerTexts()).not.toContain('Send')

    const page = await open('WalletSend.unsupported')
    await page.getByText('This site can’t send on Chain 7781').waitFor()
    await page.getByRole('button', { name: 'Choose a network' }).click()
    await page.getByRole('button', { name: 'Ethereum' }).click()
    await page.getByRole('button', { name: 'Token: ETH' }).waitFor()
  })

  test('error: a name without an address', async () => {
    const page = await open('WalletSend.filled')
    expect(await to(page).getAttribute('aria-invalid')).toBe(null)
    await to(page).fill('nobody.eth')
    await page.getByRole('alert').getByText('No address found for this name').waitFor()
    expect(await to(page).getAttribute('aria-invalid')).toBe('true')
    await page
      .getByRole('textbox', { name: 'Receiver', description: 'No address found for this name' })
      .waitFor()
  })

  test('another token is chosen from those on the network, and amount and receiver are kept', async () => {
    const page = await open('WalletSend.filled')
    await submit(page).getByText('Preview send').waitFor()
    await page.getByRole('button', { name: 'Token: ETH' }).click()
    await page.getByRole('dialog', { name: 'Select Token' }).waitFor()
    const names = await page
      .getByRole('list', { name: 'Tokens' })
      .getByRole('listitem')
      .allInnerTexts()
    expect(names.map((text) => text.split('\n')[0])).toEqual(['Ether', 'Quill', 'Moss'])
    await page.getByRole('button', { name: /^Quill/ }).click()
    await page.getByRole('button', { name: 'Token: QLL' }).waitFor()
    expect([await amount(page).inputValue(), await to(page).inputValue()]).toEqual([
      '0.25',
      receiver,
    ])
  })

  test('what was typed is kept when the visitor goes back from the list', async () => {
    const page = await open('WalletSend')
    await amount(page).fill('1.5')
    await page.getByRole('button', { name: 'Token: ETH' }).click()
    await page.getByRole('dialog', { name: 'Select Token' }).waitFor()
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('dialog', { name: 'Send', exact: true }).waitFor()
    await expect.poll(() => amount(page).inputValue()).toBe('1.5')
  })

  test('the list of tokens can be searched, and says if nothing matches', async () => {
    const page = await open('WalletSendSelectToken.many')
    await page.getByRole('textbox', { name: 'Search tokens' }).fill('token 17')
    const items = page.getByRole('list', { name: 'Tokens' }).getByRole('listitem')
    await expect.poll(() => items.count()).toBe(1)
    await page.getByRole('textbox', { name: 'Search tokens' }).fill('zz')
    await page.getByText('No token is called “zz”').waitFor()
  })
})

describe('WalletSendPreview', () => {
  const send = (page: Page) => page.getByRole('button', { name: 'Send', exact: true })
  const confirming = 'Confirm in Halyard'

  test('shows amount, receiver, network, fee and total, and marks a new receiver', async () => {
    const page = await open('WalletSendPreview')
    await page.getByText('0.2508 ETH').waitFor()
    const text = await page.locator('.gf-view:not([data-ending-style])').innerText()
    const parts = ['$900.00', '0.25 ETH', receiver, 'New', 'Ethereum', '0.0008 ETH', '0.2508 ETH']
    for (const part of parts) expect(text).toContain(part)
    await page.getByText('You haven’t sent anything to this address on this site before').waitFor()
  })

  test('the whole address is in lines of similar length', async () => {
    const page = await open('WalletSendPreview')
    const address = page.getByText(receiver)
    await address.waitFor()
    const widths = await address.evaluate((element) =>
      Array.from(element.getClientRects(), ({ width }) => width),
    )
    expect(widths.length).toBeGreaterThan(1)
    expect(Math.min(...widths)).toBeGreaterThan(0.8 * Math.max(...widths))
  })

  test('warns of a receiver that is a contract', async () => {
    const page = await open('WalletSendPreview.contract')
    await page.getByText('The receiver is a contract').waitFor()
  })

  test.each([
    ['a known one', 'lookAlike', 'like 0xa7E2…11b0, which you’ve sent to before'],
    ['the visitor’s own', 'ownLookAlike', 'like your own address, 0x9f3C…b41E'],
  ])('warns of an address that starts and ends like %s', async (_, state, hint) => {
    const page = await open(`WalletSendPreview.${state}`)
    await page.getByRole('alert').getByText('This address only looks familiar').waitFor()
    await page.getByText(hint).waitFor()
  })

  test('a confirmed transfer links to the explorer; the receiver is then no longer new', async () => {
    const page = await open('WalletSendPreview')
    const avatar = await page
      .getByRole('listitem')
      .filter({ hasText: 'To 0xa7E2' })
      .locator('svg')
      .innerHTML()
    await setFaults(page, { hang: true })
    await send(page).click()
    await page.getByRole('status').getByText(confirming).waitFor()
    await answer(page)
    await page.getByRole('status').getByText('0.25 ETH sent').waitFor()
    // The receiver has the same picture as before.
    expect(await page.locator('.gf-facing-page').nth(1).locator('svg').innerHTML()).toBe(avatar)
    const link = page.getByRole('link', { name: 'View on explorer' })
    expect(await link.getAttribute('href')).toMatch(
      /^https:\/\/explorer\.example\/tx\/0x(8c1f){16}$/,
    )
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await amount(page).fill('0.1')
    await to(page).fill(receiver)
    await submit(page).getByText('Preview send').click()
    await page.getByText('Total, up to').waitFor()
    expect(await review(page).getByText('New', { exact: true }).count()).toBe(0)
  })

  test('error: a transfer that the visitor declines can be reviewed and sent again', async () => {
    const page = await open('WalletSendPreview')
    await setFaults(page, { reject: true })
    await send(page).click()
    await page.getByRole('alert').getByText('You declined the request in Halyard').waitFor()
    await setFaults(page, { reject: false })
    // Another account: it has not confirmed this transfer.
    await page.evaluate(() => {
      const { control } = window.gallery
      control.emit({
        type: 'accountsChanged',
        connectorId: control.ids[0],
        accounts: [{ namespace: 'eip155', address: control.address(1), type: 'eoa' }],
      })
    })
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Total, up to').waitFor()
    await send(page).click()
    await page.getByRole('status').getByText('0.25 ETH sent').waitFor()
  })

  test.each([
    [
      'fails',
      'WalletSendPreview',
      { fail: true },
      'Nothing was sent',
      'No tokens were moved, and you can try again. Reason: The wallet failed.',
      'Try again',
    ],
    [
      'does not return the transaction',
      'WalletSendPreview.token',
      { noHash: true },
      '12.5 QLL may have been sent',
      'Check there before you send again.',
      'Done',
    ],
  ])('error: a wallet that %s', async (_, scene, faults, title, hint, next) => {
    const page = await open(scene)
    await setFaults(page, faults)
    await send(page).click()
    await page.getByRole('alert').getByText(title).waitFor()
    await page.getByText(hint).waitFor()
    await page.getByRole('button', { name: next, exact: true }).waitFor()
    // A transfer that may have been sent cannot be tried again.
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(
      Number(next === 'Try again'),
    )
  })

  test.each([
    ['fails', { fail: true }, '0.25 ETH wasn’t sent'],
    ['does not return the transaction', { noHash: true }, '0.25 ETH may have been sent'],
  ])(
    'error: after the visitor has left, a toast reports a wallet that %s',
    async (_, faults, text) => {
      const page = await open('WalletSendPreview')
      await setFaults(page, { hang: true })
      await send(page).click()
      await leaveAndAnswer(page, faults)
      await page.locator('.gf-toast').getByText(text).waitFor()
    },
  )

  test('error: a wallet that does not respond within a minute', async () => {
    const page = await open('WalletSendPreview', { before: (fresh) => fresh.clock.install() })
    await setFaults(page, { hang: true })
    await send(page).click()
    await page.getByRole('status').getByText(confirming).waitFor()
    await untilHanging(page)
    await page.clock.fastForward(61_000)
    await page.getByRole('status').getByText('Halyard hasn’t responded').waitFor()
  })

  test('cancel goes back without a request to the wallet', async () => {
    const page = await open('WalletSend.filled')
    await submit(page).getByText('Preview send').click()
    await review(page).getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('dialog', { name: 'Send', exact: true }).waitFor()
    await expect.poll(() => to(page).inputValue()).toBe(receiver)
  })
})

test('a focused field has one ring', async () => {
  const page = await open('WalletSend')
  for (const field of [amount(page), to(page)]) {
    await field.fill('1')
    expect(await field.evaluate((input) => getComputedStyle(input).outlineStyle)).toBe('none')
  }
})

test.each(['WalletSend.filled', 'WalletSendPreview', 'WalletSendSelectToken'])(
  '%s fits at 320 px',
  async (scene) => {
    const page = await open(scene, { width: 320 })
    expect(await overflowing(page)).toEqual([])
    expect(await cutAtTheStart(page)).toEqual([])
  },
)
