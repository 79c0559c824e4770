import { listen } from '@gatefold/site'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'

import { launchBrowser } from '../browser.ts'
import type { TestBrowser } from '../browser.ts'
import { startStack } from '../stack.ts'
import type { Stack } from '../stack.ts'
import { bookPage } from './bookPage.ts'
import type { BookPage } from './bookPage.ts'

let stack: Stack
let browser: TestBrowser
beforeAll(async () => {
  ;[stack, browser] = await Promise.all([
    startStack({ frame: true, socials: 'google' }),
    launchBrowser(),
  ])
})
afterAll(async () => {
  await browser?.close()
  await stack?.stop()
})

let book: BookPage
afterEach(() => book?.page.close())

/** Opens the Book in a new browser context. */
async function openBook(
  options: { init?: () => void; url?: string; path?: string } = {},
): Promise<void> {
  const opened = await browser.newPage()
  if (options.init) await opened.context.addInitScript(options.init)
  await opened.page.goto(`${options.url ?? stack.book!.url}${options.path ?? ''}`)
  book = bookPage(opened)
}

/**
 * Serves the Book with a policy that makes Chromium block all windows, because
 * headless Chromium has no pop-up blocker.
 */
function serveWithoutWindows() {
  return listen(
    async (request) => {
      const { pathname, search } = new URL(request.url)
      const response = await fetch(new URL(pathname + search, stack.book!.url))
      const headers = new Headers(response.headers)
      for (const name of ['content-encoding', 'content-length']) headers.delete(name)
      headers.append(
        'content-security-policy',
        'sandbox allow-scripts allow-same-origin allow-forms',
      )
      return new Response(response.body, { status: response.status, headers })
    },
    { port: 0 },
  )
}

/** Makes the page look like one in Telegram's in-app browser. */
function asTelegram() {
  Object.assign(window, { TelegramWebviewProxy: {} })
}

const frameUrl = () => stack.frameUrl!
const atProvider = () => book.page.getByRole('button', { name: 'Log in' })
const used = () =>
  book.page.evaluate(() => localStorage.getItem('@appkit-wallet/EMAIL_LOGIN_USED_KEY'))

/** Opens the provider's page in this tab. */
async function leave(): Promise<void> {
  await book.connect.click()
  await book.row('Continue with Google').click()
  await atProvider().waitFor()
}

async function waitForAccount() {
  await book.account.waitFor()
  // The card that offers a passkey.
  await book.press('Not now')
  await book.card.waitFor({ state: 'detached' })
}

test('§6.7 in Telegram, a visitor logs in in the same tab, and the login is not used again', async () => {
  await openBook({ init: asTelegram, path: '/?page=2#tgWebAppData=secret' })
  await leave()
  expect(decodeURIComponent(book.page.url())).not.toContain('tgWebAppData')
  const returning = book.page.waitForRequest((request) => request.url().includes('result_uri='))
  await book.page.getByLabel('Email address').fill('mira@north.example')
  await atProvider().click()
  const returnUrl = (await returning).url()
  await waitForAccount()
  const { search, hash } = new URL(book.page.url())
  expect([search, hash]).toEqual(['?page=2', '#tgWebAppData=secret'])

  await book.account.click()
  await book.row('Settings').click()
  await book.card.getByText('Logged in with Google').waitFor()
  await book.card.getByRole('list', { name: 'Disconnect' }).getByRole('button').click()
  await book.connect.waitFor()
  await book.page.goto(returnUrl)
  await book.page.waitForURL((url) => !url.searchParams.has('result_uri'))
  await book.connect.click()
  await book.row('Continue with Google').waitFor()
  expect(await book.page.locator('#gatefold-frame').count()).toBe(0)
})

test('a visitor whose browser blocks the window logs in in the same tab', async () => {
  const site = await serveWithoutWindows()
  onTestFinished(() => site.stop())
  await openBook({ url: site.url })
  await book.connect.click()
  await book.row('Continue with Google').click()
  await book.card.getByRole('alert').filter({ hasText: 'The window didn’t open' }).waitFor()
  await book.row('Continue in this tab').click()
  await book.page.getByLabel('Email address').fill('tomas@north.example')
  await atProvider().click()
  await waitForAccount()
  expect(await used()).toBe('true')
})

test('a visitor who cancels at the provider returns to a page that reports it', async () => {
  await openBook({ init: asTelegram })
  await leave()
  await book.page.getByRole('button', { name: 'Cancel' }).click()
  await book.card
    .getByRole('alert')
    .filter({ hasText: 'You declined the login at Google' })
    .waitFor()
  await book.row('Use another login').click()
  await book.row('Continue with Google').waitFor()
})

test('a visitor who goes back from the provider can use the page', async () => {
  await openBook({ init: asTelegram })
  await leave()
  await book.page.goBack()
  await book.page.reload()
  await leave()
  await book.page.getByLabel('Email address').fill('ada@north.example')
  await atProvider().click()
  await waitForAccount()
})

test('attack: a result of a login that this tab has not started is not used', async () => {
  const result = new URL('/social/google?state=somebody&code=else', frameUrl())
  const query = new URLSearchParams({ page: '2', result_uri: result.href })
  await openBook({ path: `/?${query}` })
  await book.page.waitForURL((url) => url.search === '?page=2')
  // A login of this tab, at the same provider, with another state.
  await book.page.evaluate(() =>
    sessionStorage.setItem(
      '@gatefold/social-login',
      JSON.stringify({ provider: 'google', state: 'own', startedAt: Date.now(), hash: '' }),
    ),
  )
  await book.page.goto(`${stack.book!.url}/?${query}`)
  await book.page.waitForURL((url) => url.search === '?page=2')
  // The modal that a used result opens would cover the button.
  await expect(book.connect.click()).resolves.toBeUndefined()
  await book.row('Continue with Google').waitFor()
  expect(await book.page.locator('#gatefold-frame').count()).toBe(0)
})
