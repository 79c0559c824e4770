import { createHash, randomBytes } from 'node:crypto'
import type { SocialLoginResponse } from '@gatefold/protocol/frame'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axe, launchBrowser, type TestBrowser } from '../browser.ts'
import { startSocials, type Socials } from '../socials/index.ts'
import { createTestDevice } from '../../packages/server/src/testing/createTestDevice.ts'
import { approve, startSigning } from './openHost.ts'
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
  const other =
    '<!doctype html><title>Other</title><script>window.received = []; addEventListener("message", ({ data }) => window.received.push(data))</script>'
  const otherSite = await frame.serve({ '/': other })
  site = await frame.serve({
    '/': hostPage(frame.documentUrl(), `<iframe name="other" src="${otherSite}"></iframe>`),
    '/other': other,
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
  await logInAt(popup, email)
  await popup.getByRole('heading', { name: 'Almost done' }).waitFor()
  return popup
}

/** Logs in on the page of a provider. */
async function logInAt(page: Page, email: string) {
  await page.getByLabel('Email address').fill(email)
  await page.getByRole('button', { name: 'Log in' }).click()
}

/** What a page gets from the window of a login. */
async function resultOf(page: Page): Promise<string> {
  const result = await page.waitForFunction(() =>
    (window as unknown as Host).received
      .map(({ data }) => (data as { resultUri?: string } | null)?.resultUri)
      .find(Boolean),
  )
  return (await result.jsonValue())!
}

/** Replaces the document of the frame. */
const load = (page: Page, url: string) =>
  page.evaluate((src) => {
    document.querySelector<HTMLIFrameElement>('#w3m-iframe')!.src = src
  }, url)

/**
 * Logs in without a window: the page itself navigates to the provider and
 * returns with the result in its URL.
 */
async function logInByRedirect(page: Page, provider: string, email: string) {
  const { payload } = await send(page, 'GET_SOCIAL_REDIRECT_URI', { provider })
  const target = new URL(payload.uri)
  target.searchParams.set('state', `${target.searchParams.get('state')}--${site}/`)
  await page.goto(target.href)
  await logInAt(page, email)
  await page.waitForURL((url) => url.searchParams.has('result_uri'))
  await page.waitForFunction(() => (window as unknown as Host).received.length > 0)
  const uri = new URL(page.url()).searchParams.get('result_uri')!
  const reply = await send(page, 'CONNECT_SOCIAL', { uri, chainId: 31337 })
  return (reply.payload as { address?: string }).address!
}

/** Logs in in a window. @returns the address */
async function logInByWindow(page: Page, provider: string, email: string) {
  const { payload } = await send(page, 'GET_SOCIAL_REDIRECT_URI', { provider })
  await visit(page, payload.uri, email)
  const reply = await send(page, 'CONNECT_SOCIAL', { uri: await resultOf(page), chainId: 31337 })
  return (reply.payload as { address?: string }).address!
}

test('§4.8 a login in a window gives the page a result that its frame redeems', async () => {
  const page = await openHost()
  const { payload } = await send(page, 'GET_SOCIAL_REDIRECT_URI', { provider: 'google' })
  await visit(page, payload.uri)
  const uri = await resultOf(page)
  expect(await send(page, 'CONNECT_SOCIAL', { uri, chainId: 1 })).toMatchObject({
    type: '@w3m-frame/CONNECT_SOCIAL_SUCCESS',
  })
  // The result can be used only once.
  expect(await send(page, 'CONNECT_SOCIAL', { uri })).toMatchObject({
    type: '@w3m-frame/CONNECT_SOCIAL_ERROR',
    payload: { message: 'This login has expired. Start again.' },
  })
})

test('two accounts on one device have separate wallets', async () => {
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
  const popup = await visit(other, payload.uri)
  await popup.getByRole('heading', { name: 'This login cannot be finished' }).waitFor()
  // Messages arrive in their order.
  await popup.evaluate(() => (opener as Window).postMessage('end', '*'))
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

test('attack: a page that opens a login of its own server does not get the code', async () => {
  const page = await openHost()
  const thief = await createTestDevice({
    url: frame.url,
    send: async (path, init) => fetch(frame.url + path, init),
    readCode: async (email) => frame.codeFor(email),
  })
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const started = await thief.post<SocialLoginResponse>('/api/login/social', {
    origin: site,
    provider: 'github',
    challenge,
  })
  const popup = await visit(page, started.body.uri)
  const uri = await resultOf(page)
  expect(new URL(popup.url()).searchParams.get('code')).toMatch(/^[0-9a-f]{32}$/)
  expect([...new URL(uri).searchParams.keys()]).toEqual(['state'])
  const inside = page.frames().find((one) => one.name() === 'other')!
  const received = [page, inside].map((one) =>
    one.evaluate(() => JSON.stringify((window as unknown as Host).received)),
  )
  expect((await Promise.all(received)).join()).not.toContain('code')
  const stolen = await thief.post('/api/login/social/finish', { origin: site, uri, verifier })
  expect(stolen.status).toBe(502)
})

test('a frame that is reloaded while the visitor is at the provider gets the result', async () => {
  const page = await openHost()
  const { payload } = await send(page, 'GET_SOCIAL_REDIRECT_URI', { provider: 'github' })
  await load(page, 'about:blank')
  await visit(page, payload.uri)
  await load(page, frame.documentUrl())
  const uri = await resultOf(page)
  expect(await send(page, 'CONNECT_SOCIAL', { uri, chainId: 31337 })).toMatchObject({
    type: '@w3m-frame/CONNECT_SOCIAL_SUCCESS',
  })
})

test('attack: a page cannot send a result itself if the window found no frame', async () => {
  const page = await openHost()
  const { payload } = await send(page, 'GET_SOCIAL_REDIRECT_URI', { provider: 'github' })
  await load(page, 'about:blank')
  await visit(page, payload.uri)
  const uri = await resultOf(page)
  await page.evaluate(() => (window as unknown as Host).received.splice(0))
  await load(page, frame.documentUrl())
  await page.waitForFunction(() => (window as unknown as Host).received.length > 0)
  await page.evaluate((result) => {
    const { contentWindow } = document.querySelector<HTMLIFrameElement>('#w3m-iframe')!
    contentWindow!.postMessage({ type: '@gatefold/social-result', uri: result }, '*')
  }, `${uri}&error=access_denied`)
  // This request waits for the frame's storage, so the frame has handled the
  // message by then.
  await send(page, 'GET_SOCIAL_REDIRECT_URI', { provider: 'github' })
  expect(await send(page, 'CONNECT_SOCIAL', { uri })).toMatchObject({
    type: '@w3m-frame/CONNECT_SOCIAL_ERROR',
    payload: {
      message: 'The window of the login could not reach the wallet in this page. Start again.',
    },
  })
})

test('error: a window without a connection to its page reports that the login cannot be finished', async () => {
  const page = await openHost()
  const { payload } = await send(page, 'GET_SOCIAL_REDIRECT_URI', { provider: 'github' })
  const [popup] = await Promise.all([
    page.context().waitForEvent('page'),
    page.evaluate((url) => void window.open(url, '_blank', 'noopener'), payload.uri),
  ])
  await logInAt(popup, 'ada@example.com')
  await popup.getByRole('heading', { name: 'This login cannot be finished' }).waitFor()
})

test('attack: a login whose result is in the URL of the page restores a wallet only with a mailed code', async () => {
  const email = 'mary@example.com'
  const address = await logInByWindow(await openHost(), 'google', email)
  const page = await openHost()
  expect(await logInByRedirect(page, 'google', email)).toBe(address)
  expect(await send(page, 'IS_CONNECTED')).toMatchObject({ payload: { isConnected: true } })
  await startSigning(page, address)
  const inside = page.frameLocator('#w3m-iframe')
  await inside.getByRole('heading', { name: 'Confirm it’s you' }).waitFor()
  await inside.getByRole('button', { name: 'Send a code' }).click()
  await inside.getByLabel(`Code from the email to ${email}`).fill(await frame.codeFor(email))
  await inside.getByRole('button', { name: 'Continue' }).click()
  expect(await approve(page, inside)).toBe(address)
})

test('error: a user without an address restores a wallet only after a login in a window', async () => {
  const email = 'jean@example.com'
  const address = await logInByWindow(await openHost(), 'x', email)
  const page = await openHost()
  expect(await logInByRedirect(page, 'x', email)).toBe(address)
  const params = { method: 'personal_sign', params: ['0x68656c6c6f', address], chainId: 31337 }
  const reply = await send(page, 'RPC_REQUEST', params)
  expect(reply).toMatchObject({ type: '@w3m-frame/RPC_REQUEST_ERROR' })
  expect(reply.payload.message).toContain('Log out, then log in with a window')
  await send(page, 'SIGN_OUT')
  await page.evaluate(() => (window as unknown as Host).received.splice(0))
  expect(await logInByWindow(page, 'x', email)).toBe(address)
  await startSigning(page, address)
  expect(await approve(page, page.frameLocator('#w3m-iframe'))).toBe(address)
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
