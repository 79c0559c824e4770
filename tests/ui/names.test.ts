import { describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'

import { untilIdle } from '../browser.ts'
import { cutAtTheStart, leaveAndAnswer, overflowing, untilHanging, useScenes } from './scene.ts'

const open = useScenes()
const field = (page: Page) => page.getByRole('textbox', { name: 'Name' })
/** The button at the end of the view, which says what is missing. */
const submit = (page: Page) => page.locator('.gf-view:not([data-ending-style]) .gf-button').last()
const row = (page: Page, name: string) =>
  page.locator('.gf-view:not([data-ending-style])').getByRole('listitem').filter({ hasText: name })
const name = 'mira-northey'

/** Types a name and confirms it. @param fault - what the wallet does */
async function start(page: Page, fault?: 'hang' | 'reject' | 'fail') {
  await page.evaluate((wanted) => {
    if (wanted) window.gallery.control.faults[wanted] = true
  }, fault)
  await field(page).fill(name)
  await submit(page).getByText('Register this name').click()
}
const endFault = (page: Page) =>
  page.evaluate(() => {
    const { control } = window.gallery
    Object.assign(control.faults, { hang: false, reject: false, fail: false })
    control.release()
  })
const signed = (page: Page) => page.evaluate(() => window.gallery.control.signed.length)

describe('Account', () => {
  test('offers a name if the gateway has a zone and the account has no name', async () => {
    const page = await open('Account.chooseName')
    await page.getByRole('button', { name: 'Choose a name' }).click()
    await page.getByText('Friends can send to your-name.book.eth instead of 0x').waitFor()
    await page.getByRole('button', { name: 'Choose name' }).click()
    await field(page).waitFor()
  })

  test.each(['Account.tokens', 'Account.unnamed'])('%s offers none', async (scene) => {
    const page = await open(scene)
    await page.getByRole('button', { name: 'Disconnect' }).waitFor()
    await untilIdle(page)
    expect(await page.getByRole('button', { name: 'Choose a name' }).count()).toBe(0)
  })

  test('an account with a name shows it in the header, on the page and among the wallets', async () => {
    const page = await open('ChooseAccountName.named')
    await page.getByRole('button', { name: 'Go to account' }).click()
    const wallets = page.getByRole('button', { name: 'Wallets. Active: mira-northey.book.eth' })
    await wallets.waitFor()
    await wallets.click()
    await row(page, 'mira-northey.book.eth').waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await page
      .getByRole('button', { name: /mira-northey\.book\.eth/ })
      .first()
      .waitFor()
  })
})

describe('RegisterAccountName', () => {
  test('§5.4.1 says what is wrong with a name as it is typed, and sends no request for it', async () => {
    const page = await open('RegisterAccountName', { before: (it) => it.clock.install() })
    const [asked, expected]: [string[], string[]] = [[], []]
    page.on('request', (request) => {
      const [, label] = /\/suggestions\/([^?]*)/.exec(request.url()) ?? []
      if (label !== undefined) asked.push(decodeURIComponent(label))
    })
    await page.getByText('At least 4 letters, digits or hyphens.').waitFor()
    const wrong = 'Change the name'
    for (const [typed, says, button, offered] of [
      ['mi', '2 more characters. A name has at least 4.', 'Enter a longer name'],
      ['mir', 'One more character. A name has at least 4.', 'Enter a longer name'],
      ['mir-', 'A hyphen can only be between two letters or digits.', wrong],
      ['a'.repeat(64), 'A name has at most 63 characters.', wrong],
      ['0xdeadbeef', 'A name can’t look like an address.', wrong],
      ['mi_ra', 'Names can’t contain “_”. Use a hyphen instead.', wrong, 'mi-ra'],
      ['m\u0456ra', 'Names can’t contain “\u0456”. Use a hyphen instead.', wrong],
    ] as const) {
      await field(page).fill(typed)
      await page.getByText(says).waitFor()
      await submit(page).getByText(button).waitFor()
      expect(await submit(page).isDisabled()).toBe(true)
      // Longer than the pause after which a name is looked up.
      await page.clock.runFor(1_000)
      if (offered) expected.push(offered)
      await expect.poll(() => asked).toEqual(expected)
    }
  })

  test('offers a name without the characters that a name cannot have', async () => {
    const page = await open('RegisterAccountName')
    await field(page).fill('Mïra n!')
    await row(page, 'mira-n.book.eth').getByRole('button').click()
    await expect.poll(() => field(page).inputValue()).toBe('mira-n')
    await submit(page).getByText('Register this name').waitFor()
  })

  test('a pasted name may have the zone and capital letters', async () => {
    const page = await open('RegisterAccountName')
    await field(page).fill(' Mira-Northey.Book.ETH ')
    await row(page, 'mira-northey.book.eth').getByText('Available').waitFor()
  })

  test('§3.13 a registered name comes with similar ones that are available', async () => {
    const page = await open('RegisterAccountName')
    await field(page).fill('mira')
    await row(page, 'mira.book.eth').getByText('Registered').waitFor()
    expect(await submit(page).isDisabled()).toBe(true)
    await page
      .getByRole('list', { name: 'Similar names' })
      .getByRole('button', { name: /^mira-north\.book\.eth/ })
      .click()
    await submit(page).getByText('Register this name').waitFor()
    expect(await field(page).inputValue()).toBe('mira-north')
  })

  test('error: a failed check never says available', async () => {
    const page = await open('RegisterAccountName.unchecked')
    await page.getByRole('alert').getByText('Not checked yet').waitFor()
    expect(await page.getByText('Available', { exact: true }).count()).toBe(0)
    const again = page.waitForRequest(/\/suggestions\/mira-northey/)
    await submit(page).getByText('Check again').click()
    await again
    await page.getByRole('alert').getByText('Not checked yet').waitFor()
    expect(await signed(page)).toBe(0)
  })

  test('§4.10.1 signs, registers and shows the name, using only the keyboard', async () => {
    const page = await open('RegisterAccountName')
    await page.evaluate(() => {
      window.gallery.control.faults.hang = true
    })
    await field(page).fill(name)
    await submit(page).getByText('Register this name').waitFor()
    await field(page).press('Enter')
    await page.getByText(`Sign for ${name}.book.eth`).waitFor()
    await endFault(page)
    await page.getByText(`${name}.book.eth is yours`).waitFor()
    // The name is registered: there is nothing to go back to.
    expect(await page.getByRole('button', { name: 'Back' }).count()).toBe(0)
    const message = await page.evaluate(() => window.gallery.control.signed[0]!)
    expect(JSON.parse(message)).toEqual({
      name: `${name}.book.eth`,
      attributes: {},
      timestamp: expect.any(Number) as number,
    })
    await page.getByRole('button', { name: 'Go to my account' }).click()
    await page.getByRole('button', { name: 'Disconnect' }).waitFor()
  })

  test('a wallet that does not respond can be cancelled; a later signature is not used', async () => {
    const page = await open('RegisterAccountName', { before: (it) => it.clock.install() })
    const posts: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('/profile/')) posts.push('sent')
    })
    await field(page).fill(name)
    await page.clock.runFor(2_000)
    await page.evaluate(() => {
      window.gallery.control.faults.hang = true
    })
    await submit(page).getByText('Register this name').click()
    await page.getByText('Sign for').waitFor()
    await page.clock.runFor(61_000)
    await page.getByRole('alert').getByText('Halyard hasn’t responded').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => field(page).inputValue()).toBe(name)
    await endFault(page)
    await expect.poll(() => signed(page)).toBe(1)
    await page.clock.runFor(2_000)
    await submit(page).getByText('Register this name').waitFor()
    expect(posts).toEqual([])
  })

  test('§4.10.2 a declined signature returns to the name, to sign again', async () => {
    const page = await open('RegisterAccountName')
    await start(page, 'reject')
    await page.getByRole('alert').getByText('You declined the request in Halyard').waitFor()
    expect(await field(page).inputValue()).toBe(name)
    await endFault(page)
    await submit(page).getByText('Sign again').click()
    await page.getByText(`${name}.book.eth is yours`).waitFor()
  })

  test('error: a wallet that fails is the reason; the name can be signed again', async () => {
    const page = await open('RegisterAccountName')
    await start(page, 'fail')
    await page.getByRole('alert').getByText('The name isn’t registered yet').waitFor()
    await endFault(page)
    await submit(page).getByText('Sign again').click()
    await page.getByText(`${name}.book.eth is yours`).waitFor()
  })

  test.each([
    ['that the name is registered', {}, `${name}.book.eth is yours`],
    ['that the wallet failed', { fail: true }, `Couldn’t register ${name}.book.eth`],
  ])('after the visitor has left, a toast reports %s', async (_, faults, text) => {
    const page = await open('RegisterAccountName')
    await start(page, 'hang')
    await page.getByText('Sign for').waitFor()
    await leaveAndAnswer(page, faults)
    await page.locator('.gf-toast').getByText(text).waitFor()
  })

  test.each([
    ['nameTaken', 'Someone registered this name first. Your signature wasn’t used.'],
    ['tooManyNames', 'This account has the maximum number of names.'],
    ['clock', 'This device’s clock is wrong.'],
    ['wrongSigner', 'Halyard didn’t sign with 0x41D0…7aC3.'],
  ])('§4.10.2 error: the gateway’s refusal %s has its own text', async (scene, text) => {
    const page = await open(`RegisterAccountName.${scene}`)
    await start(page)
    await page.getByRole('alert').getByText(text).waitFor()
    expect(await field(page).inputValue()).toBe(name)
  })

  test('error: a name that someone else was faster to register is no longer available', async () => {
    const page = await open('RegisterAccountName.nameTaken')
    await start(page)
    await row(page, `${name}.book.eth`).getByText('Registered', { exact: true }).waitFor()
    await page.getByRole('list', { name: 'Similar names' }).waitFor()
    expect(await submit(page).isDisabled()).toBe(true)
  })

  test('error: after a failure of the gateway, the signature is sent again without the wallet', async () => {
    const page = await open('RegisterAccountName.nameLost')
    await start(page)
    await page.getByRole('alert').getByText('The name isn’t registered yet').waitFor()
    const again = page.waitForRequest((request) => request.method() === 'POST')
    await submit(page).getByText('Try again').click()
    await again
    await page.getByRole('alert').getByText('The name isn’t registered yet').waitFor()
    expect(await signed(page)).toBe(1)
  })

  test('§4.10.2 error: another account in the wallet ends the request; its late signature is not used, and the name is kept', async () => {
    const page = await open('RegisterAccountName')
    const posts: unknown[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('/profile/'))
        posts.push((request.postDataJSON() as { address: string }).address)
    })
    const useAccount = (index: number) =>
      page.evaluate((at) => {
        const { control } = window.gallery
        control.emit({
          type: 'accountsChanged',
          connectorId: control.ids[0],
          accounts: [{ namespace: 'eip155', address: control.address(at), type: 'eoa' }],
        })
        return control.address(at)
      }, index)
    await start(page, 'hang')
    await page.getByText('Sign for').waitFor()
    await untilHanging(page)
    const other = await useAccount(1)
    await page.getByRole('alert').getByText('To use this name for 0xa7E2…11b0').waitFor()
    expect(await field(page).inputValue()).toBe(name)
    // The wallet signs once its first account is selected again.
    await useAccount(0)
    await page.getByRole('alert').getByText('To use this name for 0x41D0…7aC3').waitFor()
    await endFault(page)
    await expect.poll(() => signed(page)).toBe(1)
    await useAccount(1)
    await page.getByRole('alert').getByText('To use this name for 0xa7E2…11b0').waitFor()
    await submit(page).getByText('Sign again').click()
    await page.getByText(`${name}.book.eth is yours`).waitFor()
    expect(posts).toEqual([other])
  })

  test('what was typed is kept when the wallet disconnects, or the visitor goes back', async () => {
    const page = await open('RegisterAccountName')
    await field(page).fill(name)
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('button', { name: 'Choose a name' }).click()
    await page.getByRole('button', { name: 'Choose name' }).click()
    await expect.poll(() => field(page).inputValue()).toBe(name)
    await page.evaluate(() => {
      const { control } = window.gallery
      control.emit({ type: 'disconnected', connectorId: control.ids[0] })
    })
    await page.locator('.gf-card[role]').waitFor({ state: 'detached' })
    await page.evaluate(async () => {
      const { kit } = window.gallery
      void kit.open()
    })
    await page.getByRole('button', { name: /^Halyard/ }).click()
    await page.locator('.gf-card[role]').waitFor({ state: 'detached' })
    await page.evaluate(() => void window.gallery.kit.open({ view: 'RegisterAccountName' }))
    await expect.poll(() => field(page).inputValue()).toBe(name)
  })

  test('an account that has a name sees it, and cannot register another one', async () => {
    const page = await open('RegisterAccountName.owned')
    await page.getByRole('alert').getByText('already has mira-northey.book.eth').waitFor()
    await page.getByRole('button', { name: 'Go to account' }).click()
    await page.getByRole('button', { name: 'Disconnect' }).waitFor()
  })

  test('error: a name that was registered in another tab; what was typed is kept', async () => {
    const page = await open('RegisterAccountName')
    await field(page).fill(name)
    await submit(page).getByText('Register this name').waitFor()
    await page.route('**/v1/profile/reverse/**', (route) =>
      route.fulfill({ json: [{ name: 'northey.book.eth' }] }),
    )
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
    await page.getByRole('alert').getByText('already has northey.book.eth').waitFor()
    expect(await field(page).inputValue()).toBe(name)
  })

  test('a site without names says so; a failed look-up can be repeated', async () => {
    const none = await open('RegisterAccountName.none')
    await none.getByText('Names aren’t available here').waitFor()
    const failed = await open('RegisterAccountName.failed')
    await failed.getByRole('alert').getByText('Couldn’t load names').waitFor()
    const again = failed.waitForRequest(/\/profile\/zone/)
    await failed.getByRole('button', { name: 'Try again' }).click()
    await again
  })
})

describe('RegisterAccountNameSuccess', () => {
  test('copies the name, and opens its QR code', async () => {
    const page = await open('RegisterAccountNameSuccess', {
      before: (fresh) => fresh.context().grantPermissions(['clipboard-read', 'clipboard-write']),
    })
    await page.getByRole('button', { name: 'Copy the name' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    await page.getByRole('button', { name: 'Show QR code' }).click()
    await page.getByRole('dialog', { name: 'Receive' }).waitFor()
  })
})

describe('WalletSend', () => {
  test('sends to a registered name that is not in ENS', async () => {
    const page = await open('WalletSend.registeredName')
    await page.getByText('0xa7E2…11b0').waitFor()
    await page.getByRole('textbox', { name: 'Receiver' }).fill('nobody.book.alt')
    await page.getByRole('alert').getByText('No address found for this name').waitFor()
  })

  test('error: a failed look-up is not the answer that the name has no address', async () => {
    const page = await open('WalletSend.nameFailed')
    await page.getByRole('alert').getByText('Couldn’t look up this name').waitFor()
    await submit(page).getByText('Check the address').waitFor()
    expect(await submit(page).isDisabled()).toBe(true)
  })
})

test('where the browser can, the name is shared', async () => {
  const page = await open('RegisterAccountNameSuccess.share')
  await page.getByRole('button', { name: 'Share the name' }).click()
  await expect.poll(() => page.title()).toBe('mira-northey.book.eth')
})

test.each([
  'ChooseAccountName.longZone',
  'RegisterAccountName.longZone',
  'RegisterAccountName.registered',
  'RegisterAccountName.characters',
  'RegisterAccountNameSuccess.long',
])('%s fits a window of 320 px, in Arabic and German', async (scene) => {
  for (const locale of ['ar', 'de']) {
    const page = await open(scene, {
      width: 320,
      height: 640,
      query: `locale=${locale}`,
    })
    await untilIdle(page)
    expect(await overflowing(page)).toEqual([])
    expect(await cutAtTheStart(page)).toEqual([])
  }
})
