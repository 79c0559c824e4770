import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'

import { goTo, openGallery, titleOf } from './gallery.ts'
import type { Gallery } from './gallery.ts'

let gallery: Gallery
beforeAll(async () => {
  gallery = await openGallery()
})
afterAll(() => gallery.stop())

const card = (page: Page) => page.getByRole('dialog')

/** The mock frame. */
const panel = (page: Page) => page.getByText('The secure frame', { exact: true })

/** Opens the view of a login with Google, and its window. */
async function openLogin() {
  const { page } = await gallery.visit('Connect.email')
  const opening = page.waitForEvent('popup')
  await card(page).getByRole('button', { name: 'Continue with Google' }).click()
  const popup = await opening
  await card(page).getByText('Log in with Google').waitFor()
  return { page, popup }
}

const send = (popup: Page, message: object) =>
  popup.evaluate((data) => (window.opener as Window).postMessage(data, '*'), message)

test('§4.8 §7.7.3/2 the result of the window logs in, closes the window, and is an event', async () => {
  const { page, popup } = await openLogin()
  const logins = await page.evaluateHandle(() => {
    const events: unknown[] = []
    window.gallery.kit.on('SOCIAL_LOGIN_SUCCESS', (properties) => events.push(properties))
    return events
  })
  await page.evaluate(() => {
    window.gallery.control.frame.replies['CONNECT_SOCIAL'] =
      window.gallery.control.frame.replies['GET_USER']
  })
  expect(new URL(popup.url()).pathname).toBe('/loading')
  const closing = popup.waitForEvent('close')
  await send(popup, { resultUri: 'https://frame.example/result' })
  await closing
  await card(page).waitFor({ state: 'detached' })
  expect(await page.evaluate(() => window.gallery.kit.getState().sessions['AUTH']?.userName)).toBe(
    'mira@north.example',
  )
  expect(await logins.jsonValue()).toEqual([{ provider: 'google' }])
})

test('§4.8 closing the window too early is a failure, and the window can be opened again', async () => {
  const { page, popup } = await openLogin()
  await popup.close()
  await card(page).getByRole('alert').filter({ hasText: 'You closed the window' }).waitFor()
  const opening = page.waitForEvent('popup')
  await card(page).getByRole('button', { name: 'Open it again' }).click()
  await opening
  await card(page).getByText('Log in with Google').waitFor()
})

test('leaving the view closes the window', async () => {
  const { page, popup } = await openLogin()
  const closing = popup.waitForEvent('close')
  await card(page).getByRole('button', { name: 'Back' }).click()
  await closing
})

test('a result that another site sends is not used', async () => {
  const { page, popup } = await openLogin()
  // The same server by another name: another origin.
  const elsewhere = gallery.server.url.includes('localhost')
    ? gallery.server.url.replace('localhost', '127.0.0.1')
    : gallery.server.url.replace('127.0.0.1', 'localhost')
  // The page navigates itself: a navigation by the browser would clear
  // `opener`.
  await popup.evaluate((url) => location.assign(url), elsewhere)
  await popup.waitForURL(`${elsewhere}/**`)
  await send(popup, { resultUri: 'https://frame.example/result' })
  await card(page).getByRole('alert').filter({ hasText: 'This login was stopped' }).waitFor()
  expect(await page.evaluate(() => window.gallery.kit.getState().sessions['AUTH'])).toBeUndefined()
})

test('the result of another window of the page is not used', async () => {
  const { page } = await openLogin()
  await page.evaluate(() => window.postMessage({ resultUri: 'https://frame.example/x' }, '*'))
  // This message is handled after the first one, so both have been handled by then.
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        addEventListener('message', resolve, { once: true })
        window.postMessage('last', '*')
      }),
  )
  await card(page).getByText('Log in with Google').waitFor()
})

test('a blocked window has a button that opens it', async () => {
  const { page } = await gallery.visit('ConnectingSocial.blocked', {
    before: (opened) =>
      opened.addInitScript(() => {
        const original = Object.getOwnPropertyDescriptor(window, 'open')!
        Object.assign(window, {
          allowPopups: () => Object.defineProperty(window, 'open', original),
        })
      }),
  })
  await card(page).getByRole('alert').filter({ hasText: 'didn’t open' }).waitFor()
  await page.evaluate(() => (window as unknown as { allowPopups(): void }).allowPopups())
  const opening = page.waitForEvent('popup')
  await card(page).getByRole('button', { name: 'Open Google' }).click()
  await opening
})

test('§8.10.3 closing the approval rejects the request, and the next one is shown again', async () => {
  const { page } = await gallery.visit('ApproveTransaction')
  await panel(page).waitFor()
  await card(page).getByRole('button', { name: 'Close' }).click()
  await panel(page).waitFor({ state: 'hidden' })
  const outcome = page.evaluate(async () => {
    const session = await window.gallery.kit.connectors.get('AUTH')!.restore()
    const provider = (await session!.provider('eip155')) as {
      request(call: object): Promise<unknown>
    }
    return provider
      .request({ method: 'personal_sign', params: ['0x48'] })
      .catch(({ code, message }: { code: number; message: string }) => ({ code, message }))
  })
  await panel(page).waitFor()
  await card(page).getByRole('button', { name: 'Close' }).click()
  expect(await outcome).toEqual({ code: 4001, message: 'Request was aborted' })
})

test.each([
  ['message', 'Sign Message', 'Nachricht unterschreiben'],
  ['signIn', 'Sign In', 'Anmelden'],
  ['typedData', 'Sign Data', 'Daten unterschreiben'],
  ['restore', 'Restore Wallet', 'Wallet wiederherstellen'],
  ['confirm', 'Confirm Login', 'Anmeldung bestätigen'],
  ['protect', 'Protect Wallet', 'Wallet schützen'],
  ['offer', 'Add Passkey', 'Passkey hinzufügen'],
  ['alone', 'Sign Without Server', 'Ohne Server unterschreiben'],
])('the title fits what the frame shows: %s', async (kind, english, german) => {
  const scene = `ApproveTransaction.${kind}`
  const { page } = await gallery.visit(scene)
  await panel(page).waitFor()
  await expect.poll(() => titleOf(page)).toBe(english)
  await goTo(page, gallery.server.url, scene, 'locale=de')
  await panel(page).waitFor()
  await expect.poll(() => titleOf(page)).toBe(german)
})

test('§4.14.1 a method that the wallet does not serve is refused, with a message', async () => {
  const { page } = await gallery.visit('AccountSettings')
  const outcome = await page.evaluate(async () => {
    const session = await window.gallery.kit.connectors.get('AUTH')!.restore()
    const provider = (await session!.provider('eip155')) as {
      request(call: object): Promise<unknown>
    }
    return provider
      .request({ method: 'eth_sign', params: [] })
      .catch(({ code, message }: { code: number; message: string }) => ({ code, message }))
  })
  expect(outcome).toEqual({ code: 4200, message: 'Requested RPC call is not allowed' })
  await page.getByRole('alert').filter({ hasText: 'Action not allowed' }).waitFor()
})

test('§4.2.1 the type of the account can be switched on a network that has both', async () => {
  const { page } = await gallery.visit('AccountSettings.smart')
  await card(page).getByText('Switch to the standard account').click()
  await card(page).getByText('Switch to the smart account').waitFor()
  const accounts = await page.evaluate(async () => {
    const session = await window.gallery.kit.connectors.get('AUTH')!.restore()
    return session!.getState().grants.eip155!.accounts
  })
  expect(accounts.map(({ address, type }) => `${type}:${address.slice(0, 6)}`)).toEqual(
    accounts.map(() => 'eoa:0xf39F'),
  )
})

test('§3.4/16 §4.2.1 the session names the account of each network', async () => {
  const { page } = await gallery.visit('AccountSettings.smart')
  await card(page).getByText('Switch to the standard account').waitFor()
  const accounts = await page.evaluate(async () => {
    const session = await window.gallery.kit.connectors.get('AUTH')!.restore()
    return session!.getState().grants.eip155!.accounts
  })
  for (const { caipNetworkId, address, type } of accounts)
    expect({ caipNetworkId, address: address.slice(0, 6), type }).toEqual(
      caipNetworkId === 'eip155:1'
        ? { caipNetworkId, address: '0xd12f', type: 'smartAccount' }
        : { caipNetworkId, address: '0xf39F', type: 'eoa' },
    )
  expect(accounts.length).toBeGreaterThan(1)
})

test('the account settings link to the settings of the wallet, on the origin of the frame', async () => {
  const { page } = await gallery.visit('AccountSettings')
  const link = card(page).getByRole('link', { name: /^Wallet settings/ })
  expect(new URL((await link.getAttribute('href'))!).pathname).toBe('/settings')
})

test('a code can be filled in by the browser, or typed with the digits of Arabic, Persian and full-width keyboards', async () => {
  const { page } = await gallery.visit('EmailVerifyOtp')
  const code = card(page).getByRole('textbox')
  expect(await code.getAttribute('autocomplete')).toBe('one-time-code')
  await code.pressSequentially('٤٠۷１9')
  expect(await code.inputValue()).toBe('40719')
})

test('a change of the email address needs a code from both addresses, and is confirmed in the settings', async () => {
  const { page } = await gallery.visit('AccountSettings')
  await page.evaluate(() => {
    const { replies } = window.gallery.control.frame
    const email = 'mira@archive.example'
    replies['UPDATE_EMAIL_PRIMARY_OTP'] = {}
    replies['UPDATE_EMAIL_SECONDARY_OTP'] = () => {
      replies['GET_USER'] = { ...(replies['GET_USER'] as object), email }
      return { newEmail: email }
    }
  })
  await card(page).getByRole('button', { name: 'mira@north.example' }).click()
  await card(page).getByLabel('Email address').fill('mira@archive.example')
  await card(page).getByRole('button', { name: 'Save' }).click()
  const enter = async (title: string, address: string, code: string) => {
    const view = card(page).locator('.gf-view:not([data-ending-style])').filter({ hasText: title })
    await view.getByText(address).waitFor()
    await view.getByLabel('6-digit code').fill(code)
  }
  await enter('First, your current address', 'mira@north.example', '407193')
  await enter('Now the new address', 'mira@archive.example', '811942')
  await page.getByRole('status').filter({ hasText: 'Email address changed' }).waitFor()
  await card(page).getByRole('button', { name: 'mira@archive.example' }).waitFor()
  await expect.poll(() => titleOf(page)).toBe('Settings')
})

test('§5.11.1 another code can be sent after 30 s', async () => {
  const { page } = await gallery.visit('EmailLogin', {
    before: (opened) => opened.clock.install(),
  })
  await card(page).getByLabel('Email address').fill('mira@north.example')
  await card(page).getByLabel('Email address').press('Enter')
  await card(page).getByText('Send again in 30 s').waitFor()
  await page.clock.runFor(31_000)
  await card(page).getByRole('button', { name: 'Send a new code' }).click()
  await page.getByRole('status').filter({ hasText: 'A new code is on its way' }).waitFor()
})

test.each([
  ['§8.3/2', 'Google', undefined, 'SOCIAL_LOGIN_CANCELED', 'Popup closed'],
  [
    '§8.3/5',
    'Google',
    'GET_SOCIAL_REDIRECT_URI',
    'SOCIAL_LOGIN_ERROR',
    'Failed to initiate social connection',
  ],
  [
    '§8.3/6',
    'Farcaster',
    'CONNECT_FARCASTER',
    'SOCIAL_LOGIN_ERROR',
    'Failed to connect to farcaster',
  ],
])('%s the site gets the reason of a failed login', async (_, name, failing, event, message) => {
  const { page } = await gallery.visit('ConnectSocials')
  const reported = page.evaluate(async (refused) => {
    const { kit, control } = window.gallery
    if (refused) control.frame.replies[refused] = control.frame.failsWith('frame.social')
    return new Promise((resolve) => {
      for (const type of ['SOCIAL_LOGIN_CANCELED', 'SOCIAL_LOGIN_ERROR'] as const)
        kit.on(type, (properties) => resolve({ type, ...properties }))
    })
  }, failing)
  const opening = name === 'Google' && page.waitForEvent('popup')
  await card(page).getByRole('button', { name }).click()
  if (opening && !failing) await (await opening).close()
  expect(await reported).toEqual({ type: event, provider: name.toLowerCase(), message })
})

test('the title of a social login is the provider', async () => {
  const { page } = await gallery.visit('ConnectingSocial')
  expect(await titleOf(page)).toBe('Google')
})

test.each([
  ['declined', 'You declined the login at Google', 'Nothing was shared'],
  ['expired', 'Google didn’t log you in', 'no longer valid'],
  ['unavailable', 'Google didn’t log you in', 'doesn’t offer this login'],
  ['timedOut', 'This took too long', '2 minutes'],
])('a social login that is %s says so, and has a way out', async (state, title, hint) => {
  const { page } = await gallery.visit(`ConnectingSocial.${state}`)
  await card(page).getByRole('alert').filter({ hasText: title }).filter({ hasText: hint }).waitFor()
  await card(page).getByRole('button', { name: 'Use another login' }).click()
  await expect.poll(() => titleOf(page)).toBe('Connect Wallet')
})

test.each([
  ['email', 'E-Mail-Wallet'],
  ['social', 'Social-Wallet'],
  ['passkey', 'Passkey-Wallet'],
])('the wallet is named by the login (%s), in the language of the visitor', async (login, name) => {
  const { page } = await gallery.visit(`ProfileWallets.${login}`, { query: 'locale=de' })
  await card(page).getByText(name).waitFor()
})

test('a wallet of an earlier login is connected by logging in again', async () => {
  const { page } = await gallery.visit('ProfileWallets.email')
  await card(page).locator('[aria-expanded]').click()
  await card(page).getByRole('button', { name: 'Disconnect', exact: true }).click()
  await card(page).getByRole('button', { name: 'Connect Email or social wallet' }).click()
  await expect.poll(() => titleOf(page)).toBe('Connect Wallet')
  await card(page).getByLabel('Email address').waitFor()
})
