import { accounts } from '@gatefold/chain'
import type { Page } from 'playwright-core'
import { isHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

import { launchBrowser } from '../browser.ts'
import type { TestBrowser } from '../browser.ts'
import { startStack } from '../stack.ts'
import type { Stack } from '../stack.ts'
import { openBook } from './bookPage.ts'
import type { BookPage } from './bookPage.ts'

let stack: Stack
let browser: TestBrowser

beforeAll(async () => {
  ;[stack, browser] = await Promise.all([
    startStack({ frame: true, socials: 'all' }),
    launchBrowser(),
  ])
})
afterAll(async () => {
  await browser?.close()
  await stack?.stop()
})

let book: BookPage
// Open pages slow down the other tests.
afterEach(() => book?.page.close())

/** Opens the Book with the ways to connect. */
async function openConnect(): Promise<void> {
  book = await openBook(browser, stack.book!.url)
  await book.connect.click()
}

/** Opens the list of all social logins. */
async function openSocials(): Promise<void> {
  await openConnect()
  await book.row('More social logins').click()
}

/** Clicks a login in the list. @returns the window with the provider's page */
async function openProvider(name: string): Promise<Page> {
  const button = book.card.getByRole('button', { name, exact: true })
  const [popup] = await Promise.all([book.page.waitForEvent('popup'), button.click()])
  await popup.getByRole('button', { name: 'Log in' }).waitFor()
  return popup
}

const stored = () =>
  book.page.evaluate(() =>
    Object.fromEntries(
      Object.entries(localStorage).filter(([key]) => key.startsWith('@appkit-wallet/')),
    ),
  )

/** Waits for the account, and declines the passkey that is offered after the first login on a device. */
async function waitForAccount() {
  await book.account.waitFor()
  await book.press('Not now')
  await book.card.waitFor({ state: 'detached' })
}

test('§4.8 §4.13.3 a visitor logs in with Google, signs, reloads and signs out', async () => {
  await openConnect()
  const popup = await openProvider('Continue with Google')
  await popup.getByLabel('Email address').fill('mira@north.example')
  await Promise.all([
    popup.waitForEvent('close'),
    popup.getByRole('button', { name: 'Log in' }).click(),
  ])
  await waitForAccount()
  expect(await stored()).toEqual({
    '@appkit-wallet/EMAIL_LOGIN_USED_KEY': 'true',
    '@appkit-wallet/EMAIL': 'mira@north.example',
    '@appkit-wallet/SOCIAL_USERNAME': 'Mira',
    '@appkit-wallet/LAST_USED_CHAIN_KEY': '31337',
  })

  await book.page.reload()
  await book.account.waitFor()
  await book.page.getByRole('button', { name: 'Sign a message' }).click()
  await book.panel.getByRole('textbox').fill('A page of the saga')
  await book.panel.getByRole('button', { name: 'Sign', exact: true }).click()
  await book.frame.locator('[aria-disabled=false]').filter({ hasText: 'Sign' }).waitFor()
  await book.press('Sign')
  expect(isHex(await book.page.locator('.hex bdi').getAttribute('title'))).toBe(true)
  await book.page.getByRole('button', { name: 'Back to the cover' }).click()

  await book.account.click()
  await book.row('Settings').click()
  await book.card.getByText('Logged in with Google').waitFor()
  await book.card.getByRole('list', { name: 'Disconnect' }).getByRole('button').click()
  await book.connect.waitFor()
  expect(await stored()).toEqual({})
})

test.each(['GitHub', 'Apple', 'Facebook', 'X', 'Discord'])(
  '§4.8 §5.10.3 a visitor logs in with %s',
  async (name) => {
    await openSocials()
    const popup = await openProvider(name)
    await Promise.all([
      popup.waitForEvent('close'),
      popup.getByRole('button', { name: 'Log in' }).click(),
    ])
    await waitForAccount()
    expect(await stored()).toMatchObject({ '@appkit-wallet/EMAIL_LOGIN_USED_KEY': 'true' })
  },
)

test('a visitor who cancels at the provider can try again', async () => {
  await openSocials()
  const popup = await openProvider('GitHub')
  await popup.getByRole('button', { name: 'Cancel' }).click()
  await book.card
    .getByRole('alert')
    .filter({ hasText: 'You declined the login at GitHub' })
    .waitFor()
  const again = await openProvider('Try again')
  await again.getByRole('button', { name: 'Log in' }).click()
  await waitForAccount()
})

test('§1.5 a visitor logs in with Farcaster by a QR code', async () => {
  await openSocials()
  await book.row('Farcaster').click()
  await book.card.getByText('Scan').first().waitFor()
  const account = privateKeyToAccount(accounts[5].privateKey)
  const farcaster = stack.farcaster!
  await farcaster.register(42, account.address)
  await farcaster.confirm(farcaster.lastUrl()!, { fid: 42, account, username: 'mira' })
  await waitForAccount()
  expect(await stored()).toMatchObject({ '@appkit-wallet/SOCIAL_USERNAME': 'mira' })
})
