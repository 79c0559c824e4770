import { fileURLToPath } from 'node:url'

import type { Page } from 'playwright-core'
import { recoverMessageAddress, stringToHex, type EIP1193Provider, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addAuthenticator } from '../addAuthenticator.ts'
import { launchBrowser } from '../browser.ts'
import type { TestBrowser } from '../browser.ts'
import { startSocials, type Socials } from '../socials/index.ts'
import { serveSite } from '../walletConnect/page/serve.ts'
import { startFrame } from './startFrame.ts'
import type { FrameStack } from './startFrame.ts'
import { pressUntilGone } from './pressUntilGone.ts'

declare const window: Window & { provider: EIP1193Provider; outcome: Promise<string> }

const email = 'mira@north.example'
const password = 'a very long walk along the north shore'
let browser: TestBrowser
let socials: Socials
let frame: FrameStack
let site: Awaited<ReturnType<typeof serveSite>>
let url: string
/** The address of the wallet, once it is created. */
let address: string
beforeAll(async () => {
  const root = fileURLToPath(new URL('kitSite', import.meta.url))
  const rpc = 'http://127.0.0.1:9'
  ;[browser, site, socials] = await Promise.all([
    launchBrowser(),
    serveSite({ root }),
    startSocials(),
  ])
  frame = await startFrame({
    rpcUrls: { 'eip155:31337': [rpc] },
    socials: socials.settings,
    project: { recovery: ['passkey', 'password'], passkeyLogin: true },
  })
  const query = { frame: frame.url, rpc, locale: 'en', logins: '' }
  url = `${site.url}/?${new URLSearchParams(query)}`
})
afterAll(async () => {
  await browser?.close()
  await Promise.all([site?.stop(), frame?.stop(), socials?.stop()])
})

/** The page in a new browser profile, on another device. */
async function openPage() {
  const { page } = await browser.newPage()
  await page.goto(url)
  const card = page.locator('[data-gatefold] [role="dialog"]')
  const secure = page.frameLocator('#gatefold-frame')
  return {
    page,
    card,
    secure,
    connect: () => page.getByRole('button', { name: 'Connect' }).click(),
    /** Presses a button in the frame, until it is gone. */
    async press(name: string) {
      const button = secure.getByRole('button', { name, exact: true, disabled: false })
      await pressUntilGone(button)
    },
    async account() {
      await page.locator('output:not(:empty)').waitFor()
      return (await page.locator('output').textContent())!
    },
  }
}
type Opened = Awaited<ReturnType<typeof openPage>>

/** The account whose key signs a message that the page asks for. */
async function signer(opened: Opened) {
  const { page, secure } = opened
  await page.evaluate(
    ({ from, message }) => {
      window.outcome = window.provider.request({ method: 'personal_sign', params: [message, from] })
    },
    { from: address as Hex, message: stringToHex('Hello') },
  )
  await secure.locator('[aria-disabled=false]').filter({ hasText: 'Sign' }).waitFor()
  await opened.press('Sign')
  const signature = (await page.evaluate(() => window.outcome)) as Hex
  return recoverMessageAddress({ message: 'Hello', signature })
}

/**
 * Adds an address and a password in the settings. The page is on the same site, so the visitor is already logged in
 * there.
 */
async function addInSettings(page: Page) {
  await page.getByText(address).waitFor()
  await page.getByRole('textbox', { name: 'Email address' }).fill(email)
  await page.getByRole('button', { name: 'Send a code' }).click()
  const code = page.getByLabel(`Code from the email to ${email}`)
  await code.fill(await frame.codeFor(email))
  expect(await frame.lastMail(email)).toContain(`${frame.url} to confirm your new email address`)
  await page.getByRole('button', { name: 'Add the address' }).click()
  await code.waitFor({ state: 'detached' })
  await page.getByText(email).first().waitFor()

  await page.getByRole('button', { name: 'Change the methods' }).click()
  await page.getByRole('button', { name: 'Use my passkey' }).click()
  await page.getByLabel('Recovery password').fill(password)
  await page.getByRole('button', { name: 'Set a password' }).click()
  await page.getByText('A password').waitFor()
  await expect.poll(() => frame.lastMail(email)).toMatch(/Recovery: passkey “.+” and password\n/)
}

// One user on three devices. The tests build on each other.

test('§1.5 a visitor with only a passkey adds an email address and a password in the settings', async () => {
  const opened = await openPage()
  const { page, card } = opened
  await addAuthenticator(page)
  await opened.connect()
  await card.getByRole('button', { name: 'Continue with a passkey' }).click()
  await opened.press('Create a wallet with a passkey')
  address = await opened.account()
  await card.waitFor({ state: 'detached' })
  await page.locator('#root button').click()
  await card.getByRole('button', { name: 'Settings' }).click()
  await card.getByText('No email address').waitFor()
  const settings = await card.getByRole('link', { name: /Wallet settings/ }).getAttribute('href')
  // In the same tab, because a virtual authenticator belongs to a tab.
  await page.goto(settings!)
  await addInSettings(page)

  // The page shows the address after its next load.
  await page.goto(url)
  expect(await opened.account()).toBe(address)
  await page.locator('#root button').click()
  await card.getByRole('button', { name: 'Settings' }).click()
  await card.getByText(email).waitFor()
  await page.close()
})

test('§4.12 the address opens the same wallet on another device, after the password', async () => {
  const opened = await openPage()
  const { page, card, secure } = opened
  await opened.connect()
  frame.advance(60)
  await card.getByLabel('Email address').fill(email)
  await card.getByLabel('Email address').press('Enter')
  await card.getByLabel('6-digit code').fill(await frame.codeFor(email, 2))
  expect(await opened.account()).toBe(address)
  await secure.getByLabel('Recovery password').fill(password)
  await opened.press('Restore')
  await card.waitFor({ state: 'detached' })
  expect(await signer(opened)).toBe(address)
  await expect.poll(() => frame.lastMail(email)).toContain('Your wallet was restored')
  await page.close()
})

test('§4.8 an account at a provider with this address opens the same wallet, too', async () => {
  const opened = await openPage()
  const { page, card, secure } = opened
  await opened.connect()
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    card.getByRole('button', { name: 'Continue with Google' }).click(),
  ])
  await popup.getByLabel('Email address').fill(email)
  await Promise.all([
    popup.waitForEvent('close'),
    popup.getByRole('button', { name: 'Log in' }).click(),
  ])
  expect(await opened.account()).toBe(address)
  await secure.getByLabel('Recovery password').fill(password)
  await opened.press('Restore')
  await card.waitFor({ state: 'detached' })
  expect(await signer(opened)).toBe(address)
  await page.close()
})
