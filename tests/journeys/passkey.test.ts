import { isHex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'

import { addAuthenticator } from '../addAuthenticator.ts'
import { launchBrowser } from '../browser.ts'
import type { TestBrowser } from '../browser.ts'
import { startStack } from '../stack.ts'
import type { Stack } from '../stack.ts'
import { openBook } from './bookPage.ts'
import type { BookPage } from './bookPage.ts'

let stack: Stack
let browser: TestBrowser
beforeAll(async () => {
  ;[stack, browser] = await Promise.all([startStack({ frame: true }), launchBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await stack?.stop()
})

let book: BookPage
beforeEach(async () => {
  book = await openBook(browser, stack.book!.url)
  await addAuthenticator(book.page)
})
// Open pages slow down the other tests.
afterEach(() => book?.page.close())

const create = () => book.frame.getByRole('button', { name: 'Create a wallet with a passkey' })

/** Opens the card of the frame. */
async function openCard(): Promise<void> {
  await book.connect.click()
  await book.row('Continue with a passkey').click()
  await create().waitFor()
}

async function waitForAccount(): Promise<void> {
  await book.account.waitFor()
  await book.card.waitFor({ state: 'detached' })
}

/** The address that the page stores. */
async function address(): Promise<string> {
  const cookie = (await book.page.context().cookies()).find(({ name }) => name.includes('gatefold'))
  return /0x[0-9a-fA-F]{40}/.exec(decodeURIComponent(cookie!.value))![0]
}

test('a visitor creates a wallet with a passkey, signs, reloads, signs out and gets it back', async () => {
  await openCard()
  await book.press('Create a wallet with a passkey')
  await waitForAccount()
  const created = await address()

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
  await book.card.getByRole('list', { name: 'Disconnect' }).getByRole('button').click()
  await book.connect.waitFor()
  await openCard()
  await book.press('Use my passkey')
  await waitForAccount()
  expect(await address()).toBe(created)
})

test('a visitor who cancels in the frame is not logged in, and can try again', async () => {
  await openCard()
  await book.press('Cancel')
  await book.card.getByRole('alert').filter({ hasText: 'No passkey was used' }).waitFor()
  await book.row('Try again').click()
  await create().waitFor()
  await book.press('Create a wallet with a passkey')
  await waitForAccount()
})

test('going back and closing end the login in the frame', async () => {
  await openCard()
  await book.row('Back').click()
  await create().waitFor({ state: 'detached' })
  expect(await book.page.locator('#gatefold-frame').isVisible()).toBe(false)
  await book.row('Continue with a passkey').click()
  await create().waitFor()
  await book.row('Close').click()
  await create().waitFor({ state: 'detached' })
  await book.connect.waitFor()
  // The next login is not affected.
  await openCard()
  await book.press('Create a wallet with a passkey')
  await waitForAccount()
})

test('a login with a passkey that takes too long ends, in the frame too', async () => {
  await book.page.clock.install()
  await openCard()
  await book.page.clock.fastForward('05:01')
  await book.card.getByRole('alert').filter({ hasText: 'This took too long' }).waitFor()
  await create().waitFor({ state: 'detached' })
  await book.row('Use another login').click()
  await book.row('Continue with a passkey').waitFor()
})

test('the connect methods start with email, followed by the passkey', async () => {
  await book.connect.click()
  const order = ['email', 'Continue with a passkey', 'HalyardInstalled']
  // Installed wallets announce themselves later.
  await expect
    .poll(async () => {
      const controls = await book.card
        .locator('.gf-body :is(input, button)')
        .evaluateAll((all) =>
          all.map((one) => (one instanceof HTMLInputElement ? one.type : one.textContent)),
        )
      return controls.filter((control) => order.includes(control))
    })
    .toEqual(order)
})
