import { accounts, gatefoldLocal } from '@gatefold/chain'
import { createClient, createTestClient, http, parseEther, verifyMessage } from 'viem'
import { getBalance, setBalance } from 'viem/actions'
import type { Address, Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { launchBrowser } from '../browser.ts'
import type { TestBrowser } from '../browser.ts'
import { startStack } from '../stack.ts'
import type { Stack } from '../stack.ts'
import { openBook } from './bookPage.ts'
import type { BookPage } from './bookPage.ts'

const email = 'mira@north.example'
let stack: Stack
let browser: TestBrowser
let book: BookPage

beforeAll(async () => {
  ;[stack, browser] = await Promise.all([startStack({ frame: true }), launchBrowser()])
  book = await openBook(browser, stack.book!.url)
})
afterAll(async () => {
  await browser?.close()
  await stack?.stop()
})

/** The last code that was mailed to an address. */
async function codeFor(address: string): Promise<string> {
  let code: string | undefined
  await expect
    .poll(async () => {
      const response = await fetch(`${stack.server!.url}/dev/mail.json`)
      const { mails } = (await response.json()) as { mails: { to: string; text: string }[] }
      code = mails.flatMap(({ to, text }) =>
        to === address ? (/^\d{6}$/m.exec(text)?.[0] ?? []) : [],
      )[0]
      return code
    })
    .toBeDefined()
  return code!
}

const chain = () => createClient({ chain: gatefoldLocal(stack.chains[0]!.url), transport: http() })
const node = () => createTestClient({ mode: 'anvil', transport: http(stack.chains[0]!.url) })

/** Clicks Approve in the frame once it is enabled. */
async function approve(action: string): Promise<void> {
  await book.frame.locator('[aria-disabled=false]').filter({ hasText: action }).waitFor()
  await book.press(action)
}

/** The address that the page shows. */
async function address(): Promise<Address> {
  const cookie = (await book.page.context().cookies()).find(({ name }) => name.includes('gatefold'))
  return /0x[0-9a-fA-F]{40}/.exec(decodeURIComponent(cookie!.value))![0] as Address
}

const field = () => book.card.getByLabel('Email address')
const code = () => book.card.getByLabel('6-digit code')

// One visit. The tests build on each other.

test('§2.14, §4.11.2 nothing of the frame is loaded before the visitor uses the email field', async () => {
  await book.connect.click()
  await field().waitFor()
  expect(await book.page.locator('#gatefold-frame').count()).toBe(0)
  await field().fill('mira@north')
  await field().press('Enter')
  await book.card.getByRole('alert').filter({ hasText: 'not complete' }).waitFor()
  expect(await book.page.locator('#gatefold-frame').count()).toBe(0)
})

test('§4.12, §5.10.1 a visitor without a wallet logs in with an email address and a code', async () => {
  await field().fill(email)
  await field().press('Enter')
  await code().waitFor()
  await code().fill('000000')
  await book.card.getByRole('alert').filter({ hasText: 'not right' }).waitFor()
  // Pasted with the space that some mail programs add.
  await code().fill(` ${await codeFor(email)} `)
  await book.account.waitFor()
  // A passkey is offered once; the visitor is logged in already.
  await book.frame.getByRole('heading', { name: 'Add a passkey' }).waitFor()
  await book.press('Not now')
  await book.card.waitFor({ state: 'detached' })
  const stored = await book.page.evaluate(() =>
    Object.fromEntries(
      Object.entries(localStorage).filter(([key]) => key.startsWith('@appkit-wallet/')),
    ),
  )
  // §3.17, §4.13.3
  expect(stored).toEqual({
    '@appkit-wallet/EMAIL_LOGIN_USED_KEY': 'true',
    '@appkit-wallet/EMAIL': email,
    '@appkit-wallet/LAST_USED_CHAIN_KEY': '31337',
  })
})

test('§3.10.2 signs a message that is approved in the frame', async () => {
  await book.page.getByRole('button', { name: 'Sign a message' }).click()
  await book.panel.getByRole('textbox').fill('A page of the saga')
  await book.panel.getByRole('button', { name: 'Sign', exact: true }).click()
  await approve('Sign')
  await book.card.waitFor({ state: 'detached' })
  const word = book.page.locator('.hex bdi')
  const signature = (await word.getAttribute('title')) as Hex
  expect(
    await verifyMessage({ address: await address(), message: 'A page of the saga', signature }),
  ).toBe(true)
})

test('§4.14.2, §8.10.3 closing the modal rejects the request, in the page and in the frame', async () => {
  await book.panel.getByRole('button', { name: 'Sign again' }).click()
  await book.frame.getByRole('dialog').waitFor()
  await book.row('Close').click()
  await book.panel.getByText('You declined the request').waitFor()
  await book.frame.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await book.page.locator('#gatefold-frame').isVisible()).toBe(false)
  await book.page.getByRole('button', { name: 'Back to the cover' }).click()
})

test('§4.11.2 after a reload the visitor is still logged in, and sends a transaction', async () => {
  const me = await address()
  const tomas = accounts[1].address
  // Mined before the page reads the receipt, because the next read comes only
  // after a while.
  await setBalance(node(), { address: me, value: parseEther('2') })
  await book.page.reload()
  await book.account.waitFor()
  const before = await getBalance(chain(), { address: tomas })
  await book.page.getByRole('button', { name: 'Send a transaction' }).click()
  await book.panel.getByLabel('To', { exact: true }).fill('tomas.eth')
  await book.panel.getByLabel('Amount').fill('0.25')
  await book.panel.getByRole('button', { name: 'Send', exact: true }).click()
  await book.frame.getByText('0.25 ETH').first().waitFor()
  await approve('Approve')
  await book.page.getByText(/0\.25 ETH sent to/).waitFor()
  expect((await getBalance(chain(), { address: tomas })) - before).toBe(parseEther('0.25'))
  await book.page.getByRole('button', { name: 'Back to the cover' }).click()
})

test('§4.13.2 signing out removes what was stored', async () => {
  await book.account.click()
  await book.row('Settings').click()
  await book.card.getByText(email).waitFor()
  await book.card.getByRole('list', { name: 'Disconnect' }).getByRole('button').click()
  await book.connect.waitFor()
  expect(
    await book.page.evaluate(() =>
      Object.keys(localStorage).filter((key) => key.startsWith('@appkit-wallet/')),
    ),
  ).toEqual([])
  await book.page.reload()
  await book.connect.waitFor()
  expect(await book.page.locator('#gatefold-frame').count()).toBe(0)
})
