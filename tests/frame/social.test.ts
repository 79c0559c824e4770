import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axe, launchBrowser, type TestBrowser } from '../browser.ts'
import { startSocials, type Socials } from '../socials/index.ts'
import { hostPage, startFrame, type FrameStack } from './startFrame.ts'

let socials: Socials
let frame: FrameStack
let browser: TestBrowser
let site: string

beforeAll(async () => {
  ;[socials, browser] = await Promise.all([startSocials(), launchBrowser()])
  frame = await startFrame({
    socials: socials.settings,
    rpcUrls: { 'eip155:31337': ['http://127.0.0.1:1'] },
  })
  site = await frame.serve({
    '/': hostPage(frame.documentUrl()),
    '/other':
      '<!doctype html><title>Other</title><script>window.received = []; addEventListener("message", ({ data }) => window.received.push(data))</script>',
  })
})
afterAll(async () => {
  await Promise.all([browser?.close(), frame?.stop(), socials?.stop()])
})

type Sent = { type: string; payload: { uri: string; message: string } }
type Host = Window & {
  received: { data?: unknown }[]
  send: (name: string, payload?: unknown) => Promise<Sent>
}

/** Opens the page that embeds the frame, once the frame is ready. */
async function openHost() {
  const { page } = await browser.newPage()
  await page.goto(site)
  await page.waitForFunction(() => (window as unknown as Host).received.length > 0)
  return page
}

const send = (page: Page, name: string, payload?: unknown) =>
  page.evaluate((message) => (window as unknown as Host).send(message.name, message.payload), {
    name,
    payload,
  })

/** Logs in at the provider in a window that a page opens. @returns the window, on the frame's page */
async function visit(page: Page, uri: string, email = 'ada@example.com') {
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.evaluate((url) => void window.open(url, 'popupWindow'), uri),
  ])
  await popup.getByLabel('E-mail address').fill(email)
  await popup.getByRole('button', { name: 'Log in' }).click()
  await popup.getByRole('heading', { name: 'Almost done' }).waitFor()
  // Messages arrive in their order.
  await popup.evaluate(() => (opener as Window).postMessage('end', '*'))
  return popup
}

test('§4.8 a login in a window gives the page a result that its frame redeems', async () => {
  const page = await openHost()
  const { payload } = await send(page, 'GET_SOCIAL_REDIRECT_URI', { provider: 'google' })
  await visit(page, payload.uri)
  const result = await page.waitForFunction(
    () =>
      (window as unknown as Host).received.find(
        ({ data }) => (data as { resultUri?: string }).resultUri,
      )?.data as { resultUri: string } | undefined,
  )
  const { resultUri: uri } = (await result.jsonValue())!
  expect(await send(page, 'CONNECT_SOCIAL', { uri, chainId: 1 })).toMatchObject({
    type: '@w3m-frame/CONNECT_SOCIAL_SUCCESS',
  })
  // The result was used up.
  expect(await send(page, 'CONNECT_SOCIAL', { uri })).toMatchObject({
    type: '@w3m-frame/CONNECT_SOCIAL_ERROR',
    payload: { message: 'This login has expired. Start again.' },
  })
})

test('two accounts on one device have a wallet each', async () => {
  const page = await openHost()
  const logIn = async (email: string) => {
    const { payload } = await send(page, 'GET_SOCIAL_REDIRECT_URI', { provider: 'x' })
    const popup = await visit(page, payload.uri, email)
    const uri = popup.url()
    await popup.close()
    const reply = await send(page, 'CONNECT_SOCIAL', { uri, chainId: 31337 })
    await send(page, 'SIGN_OUT')
    return (reply.payload as { address?: string }).address
  }
  const first = await logIn('grace@example.com')
  const second = await logIn('alan@example.com')
  expect(first).toMatch(/^0x[0-9a-fA-F]{40}$/)
  expect(second).toMatch(/^0x[0-9a-fA-F]{40}$/)
  expect(second).not.toBe(first)
  expect(await logIn('grace@example.com')).toBe(first)
  expect(await logIn('alan@example.com')).toBe(second)
})

test('attack: a window of another origin that opens the login does not get its result', async () => {
  const page = await openHost()
  const { payload } = await send(page, 'GET_SOCIAL_REDIRECT_URI', { provider: 'github' })
  const { page: other } = await browser.newPage()
  await other.goto(`${site.replace('localhost', '127.0.0.1')}/other`)
  await visit(other, payload.uri)
  await other.waitForFunction(() => (window as unknown as Host).received.includes('end' as never))
  expect(await other.evaluate(() => (window as unknown as Host).received)).toEqual(['end'])
})

test('attack: a frame does not redeem the result of another one', async () => {
  const [page, victim] = [await openHost(), await openHost()]
  const { payload } = await send(page, 'GET_SOCIAL_REDIRECT_URI', { provider: 'github' })
  const popup = await visit(page, payload.uri)
  expect(await send(victim, 'CONNECT_SOCIAL', { uri: popup.url() })).toMatchObject({
    type: '@w3m-frame/CONNECT_SOCIAL_ERROR',
  })
  expect(await send(victim, 'IS_CONNECTED')).toMatchObject({ payload: { isConnected: false } })
})

test.each(['light', 'dark'] as const)(
  'the pages of a login are accessible, without a request to another host (%s)',
  async (colorScheme) => {
    for (const path of ['/loading', '/social/google?state=unknown']) {
      const { page, hosts } = await browser.newPage({ width: 360, colorScheme })
      await page.goto(frame.url + path)
      expect(await axe(page)).toEqual([])
      expect([...hosts]).toEqual([new URL(frame.url).host])
    }
  },
)
