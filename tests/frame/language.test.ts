import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { launchBrowser, type TestBrowser } from '../browser.ts'
import { approve, login, openHost, openPort, send, startSigning } from './openHost.ts'
import type { HostWindow } from './openHost.ts'
import { startFrame, type FrameStack } from './startFrame.ts'

declare const window: HostWindow

let browser: TestBrowser
let frame: FrameStack

beforeAll(async () => {
  browser = await launchBrowser()
  frame = await startFrame({ rpcUrls: { 'eip155:31337': ['http://127.0.0.1:9'] } })
})
afterAll(async () => {
  await browser?.close()
  await frame?.stop()
})

type Host = Awaited<ReturnType<typeof openHost>>

/** The language of the document, and what the card says. */
async function read({ inside }: Host) {
  const card = inside.getByRole('dialog')
  await card.getByRole('heading').waitFor()
  return {
    lang: await inside.locator('html').getAttribute('lang'),
    title: await card.getByRole('heading').textContent(),
    buttons: await card.getByRole('button').allTextContents(),
  }
}

const german = {
  lang: 'de',
  title: 'Nachricht unterschreiben',
  buttons: ['Ablehnen', 'Unterschreiben'],
}
const english = { lang: 'en', title: 'Sign a message', buttons: ['Reject', 'Sign'] }

/** Catalogs that the page has loaded. */
const catalogs = (requests: readonly string[]) =>
  requests.filter((url) => /\/assets\/(de|ar)-/.test(url)).length

async function sign(host: Host, email: string) {
  const address = await login(frame, host.page, email, 1)
  await startSigning(host.page, address)
  return address
}

it('an approval is in the language of the page', async () => {
  const host = await openHost(browser, frame)
  await openPort(host.page)
  await send(host.page, 'SYNC_THEME', { locale: 'de-AT' })
  await sign(host, 'ada@example.com')
  await expect.poll(() => read(host)).toEqual(german)
  await host.inside.getByText('Geschützter Bereich').waitFor()
  await host.inside.getByText('Anfrage von').waitFor()
  await host.inside.getByText('Das bewegt nichts und kostet nichts.').waitFor()
  // The language also changes while the card is shown.
  await send(host.page, 'SYNC_THEME', { locale: 'en' })
  await host.inside.getByText('requested by').waitFor()
  await send(host.page, 'SYNC_THEME', { locale: 'de' })
  await host.inside.getByRole('button', { name: 'Unterschreiben', disabled: false }).click()
  const reply = await host.page.evaluate(() => window.signed!)
  expect(reply.type).toBe('@w3m-frame/RPC_REQUEST_SUCCESS')
})

it('a mail is in the language of the page', async () => {
  const { page } = await openHost(browser, frame)
  await openPort(page)
  await send(page, 'SYNC_THEME', { locale: 'ar' })
  await login(frame, page, 'hedy@example.com', 1)
  expect(await frame.lastMail('hedy@example.com')).toContain('لتسجيل الدخول:\n\n')
})

it('to a page that names no language, it is that of the browser', async () => {
  const host = await openHost(browser, frame, { locale: 'de-CH' })
  await sign(host, 'grace@example.com')
  await expect.poll(() => read(host)).toEqual(german)
})

it('a visitor who reads English loads no catalog', async () => {
  const host = await openHost(browser, frame)
  const address = await sign(host, 'alan@example.com')
  expect(await read(host)).toEqual(english)
  expect(await approve(host.page, host.inside)).toBe(address)
  expect(host.requests.some((url) => url.includes('/assets/ApprovalCard'))).toBe(true)
  expect(catalogs(host.requests)).toBe(0)
})

it('attack: the page cannot inject a text, or load another file, by the name of a language', async () => {
  const host = await openHost(browser, frame)
  const before = new Set(host.requests)
  for (const locale of ['<b>Approve</b>', '../de', 'de_AT', '__proto__', 'constructor', 'fr'])
    expect(await send(host.page, 'SYNC_THEME', { locale })).toMatchObject({ type: /SUCCESS/ })
  // These are not valid messages: the locale must be a short tag.
  await host.page.evaluate(() => {
    void window.send('SYNC_THEME', { locale: { tag: 'de', catalog: { 'approval.sign': 'Free' } } })
    void window.send('SYNC_THEME', { locale: 'de-'.repeat(1_000) })
  })
  await sign(host, 'kurt@example.com')
  expect(await read(host)).toEqual(english)
  expect(await text(host.page)).not.toMatch(/Free|constructor|de_AT/)
  expect(catalogs(host.requests.filter((url) => !before.has(url)))).toBe(0)
})

const text = (page: Page) => page.frameLocator('#w3m-iframe').locator('body').textContent()

it('the pages of the frame’s origin have the language of their URL, or of the browser', async () => {
  const { page } = await browser.newPage({ locale: 'ar-EG' })
  const title = page.getByRole('heading')
  await page.goto(`${frame.url}/settings?locale=de`)
  await expect.poll(() => title.textContent()).toBe('Wallet-Einstellungen')
  expect(await page.title()).toBe('Sichere Wallet')
  await page.goto(`${frame.url}/settings?locale=%3Cb%3E`)
  await expect.poll(() => title.textContent()).toBe('إعدادات المحفظة')
  expect(await page.locator('html').getAttribute('dir')).toBe('rtl')
  await page.goto(`${frame.url}/loading`)
  await expect.poll(() => title.textContent()).toBe('لحظة')
  expect(await page.locator('html').getAttribute('lang')).toBe('ar')
})
