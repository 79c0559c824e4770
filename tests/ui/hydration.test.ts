import type { Page } from 'playwright-core'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { createServedKit, PageButtons } from '../../packages/kit/gallery/PageButtons.tsx'
import { launchBrowser } from '../browser.ts'
import { closeAfterTest } from '../closeAfterTest.ts'
import type { PageOptions } from '../browser.ts'
import { serveGallery } from './gallery.ts'

let server: Awaited<ReturnType<typeof serveGallery>>
let browser: Awaited<ReturnType<typeof launchBrowser>>
beforeAll(async () => {
  // React's development build reports hydration differences.
  ;[server, browser] = await Promise.all([serveGallery({ development: true }), launchBrowser()])
})
afterAll(async () => {
  await browser.close()
  await server.stop()
})

/**
 * Opens a page whose buttons are server-rendered for the page's cookies. `change` can alter the
 * HTML.
 */
async function serve(
  locale: string,
  options: PageOptions = {},
  change: (html: string) => string = (html) => html,
) {
  const opened = await browser.newPage(options)
  await opened.page.route('**/served.html*', async (route) => {
    const { cookie = '' } = await route.request().allHeaders()
    const kit = createServedKit(locale, cookie)
    const html = change(renderToString(createElement(PageButtons, { kit })))
    const response = await route.fetch()
    const body = (await response.text()).replace('<div id="app">', `<div id="app">${html}`)
    await route.fulfill({ response, body })
  })
  await opened.page.goto(`${server.url}/served.html?locale=${locale}`)
  return opened
}

test.each([
  ['en', 1280, 'Connect Wallet'],
  ['en', 390, 'Connect Wallet'],
  // German is a lazy chunk, so the server renders English, and the page first hydrates English.
  ['de', 1280, 'Wallet verbinden'],
])(
  'server-rendered buttons are hydrated without a difference (%s, %i px)',
  async (locale, width, label) => {
    const { page, consoleErrors, pageErrors, context } = await serve(locale, { width })
    await page.getByRole('button', { name: label, exact: true }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Halyard/ })
      .click()
    await page
      .getByRole('button', { name: /0xf39F…2266/ })
      .first()
      .waitFor()
    expect([...consoleErrors, ...pageErrors]).toEqual([])
    await context.close()
  },
)

// The server renders no account: its storage is empty, or has no cookie.
test.each([
  ['no-ssr', /has no `ssr: true`/],
  ['no-cookie', /`cookieStorage\(\)` was called without the cookie/],
])(
  'error: with the mistake %s, a warning names the fix, and hydration matches',
  async (setup, text) => {
    const { page, consoleErrors, pageErrors, context } = await browser.newPage()
    closeAfterTest({ context })
    const warnings: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'warning') warnings.push(message.text())
    })
    await page.route('**/served.html*', async (route) => {
      vi.spyOn(console, 'warn').mockImplementation(() => {})
      const html = renderToString(
        createElement(PageButtons, { kit: createServedKit('en', '', setup) }),
      )
      vi.restoreAllMocks()
      const response = await route.fetch()
      const body = (await response.text()).replace('<div id="app">', `<div id="app">${html}`)
      await route.fulfill({ response, body })
    })
    await page.goto(`${server.url}/served.html?setup=${setup}`)
    await page.getByRole('button', { name: 'Connect Wallet', exact: true }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Halyard/ })
      .click()
    await account(page).waitFor()
    await page.reload()
    await account(page).waitFor()
    expect(warnings).toHaveLength(2) // one for each load
    expect(warnings[1]).toMatch(text)
    expect([...consoleErrors, ...pageErrors]).toEqual([])
  },
)

/** Reloads the page, and delays its scripts until the server-rendered account is shown. */
async function revisit(page: Page) {
  let delayed = 0
  await page.route('**/*.js', async (route) => {
    delayed++
    await account(page).waitFor()
    await route.continue()
  })
  await page.goto(`${server.url}/served.html?locale=en`)
  expect(delayed).toBeGreaterThan(0)
}
const account = (page: Page) => page.getByRole('button', { name: /^Account .*0xf39F…2266/ }).first()

test('§9.12.3 the account of a session in the cookies is also hydrated without a difference', async () => {
  const { page, consoleErrors, pageErrors, context } = await serve('en')
  await page.getByRole('button', { name: 'Connect Wallet', exact: true }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Halyard/ })
    .click()
  await account(page).waitFor()
  await revisit(page)
  await account(page).click()
  await page.getByRole('dialog', { name: 'Account' }).waitFor()
  expect([...consoleErrors, ...pageErrors]).toEqual([])
  await context.close()
})

test('error: an account that cannot be restored is replaced by the connect button', async () => {
  const { page, consoleErrors, pageErrors, context } = await serve('en')
  // The open page would overwrite the cookie, so the test leaves it first.
  await page.goto('about:blank')
  const state = {
    connections: { eip155: { missing: 'connected' } },
    accounts: { eip155: 'eip155:1:0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' },
  }
  await context.addCookies([
    {
      name: 'gatefold',
      value: encodeURIComponent(JSON.stringify({ version: 0, state })),
      url: server.url,
    },
  ])
  await revisit(page)
  await page.getByRole('button', { name: 'Connect Wallet', exact: true }).waitFor()
  expect([...consoleErrors, ...pageErrors]).toEqual([])
  await context.close()
})

test('before scripts run, the page has the buttons but no modal', async () => {
  const { page, context } = await serve('en', { javaScript: false })
  expect(await page.getByRole('button').allInnerTexts()).toEqual([
    'Connect Wallet',
    'Ethereum',
    'dev.gatefold.halyard',
    'MetaMask',
  ])
  expect(await page.locator('[data-gatefold]').count()).toBe(0)
  await context.close()
})

test('error: a hydration difference is reported', async () => {
  const { page, consoleErrors, pageErrors, context } = await serve('en', {}, (html) =>
    html.replace('Connect Wallet', 'Something else'),
  )
  await page.getByRole('button', { name: 'Connect Wallet' }).waitFor()
  await expect.poll(() => [...consoleErrors, ...pageErrors].join()).toMatch(/hydrat/i)
  await context.close()
})
