import { listen, type RunningSite } from '@gatefold/site'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axe, launchBrowser, type TestBrowser } from '../browser.ts'
import { login, openHost, startSigning, type HostWindow, type Reply } from './openHost.ts'
import { startFrame, type FrameStack } from './startFrame.ts'

declare const window: HostWindow

let browser: TestBrowser
let frame: FrameStack
let stranger: RunningSite

beforeAll(async () => {
  ;[browser, frame, stranger] = await Promise.all([
    launchBrowser(),
    startFrame({ rpcUrls: { 'eip155:31337': ['http://127.0.0.1:9'] } }),
    listen(() => new Response('<!doctype html><title>Stranger</title>', { headers: html }), {
      port: 0,
    }),
  ])
})
afterAll(async () => {
  await browser?.close()
  await Promise.all([frame?.stop(), stranger?.stop()])
})

const html = { 'content-type': 'text/html' }

/** As in Firefox and Safari, which have no IntersectionObserver v2. */
function removeVisibility() {
  delete (IntersectionObserverEntry.prototype as { isVisible?: boolean }).isVisible
}

const reply = (page: Page) => page.evaluate<Reply>(() => window.signed!)

/**
 * A page with a request for a signature, in a browser that cannot detect
 * whether the frame is covered.
 */
async function openRequest(email: string, init = removeVisibility) {
  const opened = await openHost(browser, frame, { init })
  const address = await login(frame, opened.page, email, 1)
  await startSigning(opened.page, address)
  return { ...opened, address }
}

type Opened = Awaited<ReturnType<typeof openRequest>>

async function openWindow({ page, inside }: Opened): Promise<Page> {
  const opening = page.waitForEvent('popup')
  await inside.getByRole('button', { name: 'Review the request' }).click()
  const popup = await opening
  await popup.getByRole('heading', { name: 'Sign a message' }).waitFor()
  return popup
}

/** Starts a second request, which waits for the first. Returns its result. */
async function startNext({ page, address }: Opened) {
  await page.evaluate((from) => {
    Object.assign(window, {
      next: window.send('RPC_REQUEST', {
        method: 'personal_sign',
        params: ['0x6e657874', from],
        chainId: 31_337,
      }),
    })
  }, address)
  return () => page.evaluate(() => (window as unknown as { next: Promise<Reply> }).next)
}

test('without IntersectionObserver v2, a request is approved in a window of the frame', async () => {
  const opened = await openRequest('ada@example.com')
  const { page, inside, url } = opened
  expect(await inside.getByRole('button', { name: 'Sign', exact: true }).count()).toBe(0)
  const popup = await openWindow(opened)
  expect(new URL(popup.url()).origin).toBe(frame.url)
  await popup.getByText(new URL(url).host).waitFor()
  await popup.getByText('hello').waitFor()
  expect(await axe(popup)).toEqual([])
  const next = await startNext(opened)
  await popup.getByText('1 of 2').waitFor()
  await popup.getByRole('button', { name: 'Sign', disabled: false }).click()
  expect(await reply(page)).toMatchObject({ type: '@w3m-frame/RPC_REQUEST_SUCCESS' })
  // It is shown in the same window, which closes after the last one.
  await popup.getByText('next').waitFor()
  await Promise.all([
    popup.waitForEvent('close'),
    popup.getByRole('button', { name: 'Reject' }).click(),
  ])
  expect(await next()).toMatchObject({ payload: { message: 'User rejected the request.' } })
})

test('a window that is closed rejects, and an aborted request closes it', async () => {
  const opened = await openRequest('grace@example.com')
  const { page, inside, address } = opened
  const popup = await openWindow(opened)
  await inside.getByRole('button', { name: 'Show the window' }).waitFor()
  await popup.close()
  expect(await reply(page)).toMatchObject({ payload: { message: 'User rejected the request.' } })

  await startSigning(page, address)
  const second = await openWindow(opened)
  await Promise.all([
    second.waitForEvent('close'),
    page.evaluate(() => void window.send('RPC_ABORT')),
  ])
  expect(await reply(page)).toMatchObject({ payload: { message: 'Request was aborted' } })
})

test('a blocked window is reported, and the button stays', async () => {
  const { inside, page } = await openRequest('alan@example.com', () => {
    delete (IntersectionObserverEntry.prototype as { isVisible?: boolean }).isVisible
    window.open = () => null
  })
  await inside.getByRole('button', { name: 'Review the request' }).click()
  await inside.getByText('The browser blocked the window.').waitFor()
  await inside.getByRole('button', { name: 'Review the request' }).waitFor()
  await inside.getByRole('button', { name: 'Reject' }).click()
  expect(await reply(page)).toMatchObject({ payload: { message: 'User rejected the request.' } })
})

test('attack: the window approves nothing while it has not had the focus for a while', async () => {
  const opened = await openRequest('eve@example.com')
  const popup = await openWindow(opened)
  const button = popup.getByRole('button', { name: 'Sign', exact: true })
  const setFocus = (hasFocus: boolean) =>
    popup.evaluate((value) => {
      document.hasFocus = () => value
      window.dispatchEvent(new Event(value ? 'focus' : 'blur'))
    }, hasFocus)
  await setFocus(false)
  // A second window, which has the focus, shows that enough time has passed.
  const control = await openWindow(await openRequest('control@example.com'))
  await control.getByRole('button', { name: 'Sign', disabled: false }).waitFor()
  expect(await button.getAttribute('aria-disabled')).toBe('true')
  await button.click({ force: true })
  await setFocus(true)
  await popup.getByRole('button', { name: 'Sign', disabled: false }).click()
  expect(await reply(opened.page)).toMatchObject({ type: '@w3m-frame/RPC_REQUEST_SUCCESS' })
})

test('attack: the window approves nothing while it is too small to be read', async () => {
  const opened = await openRequest('ellen@example.com')
  const popup = await openWindow(opened)
  const button = popup.getByRole('button', { name: 'Sign', exact: true })
  for (const [width, height] of [
    [270, 680],
    [440, 230],
  ] as const) {
    await popup.setViewportSize({ width, height })
    const size = () => popup.evaluate(() => [innerWidth, innerHeight])
    await expect.poll(size).toEqual([width, height])
    // A second window, which is large enough, shows that enough time has passed.
    const control = await openWindow(await openRequest(`control${height}@example.com`))
    await control.getByRole('button', { name: 'Sign', disabled: false }).waitFor()
    expect(await button.getAttribute('aria-disabled')).toBe('true')
  }
  await popup.setViewportSize({ width: 440, height: 680 })
  await popup.getByRole('button', { name: 'Sign', disabled: false }).click()
  expect(await reply(opened.page)).toMatchObject({ type: '@w3m-frame/RPC_REQUEST_SUCCESS' })
})

test('attack: an answer to an earlier content has no effect', async () => {
  const opened = await openRequest('trudy@example.com')
  const popup = await openWindow(opened)
  const next = await startNext(opened)
  await popup.getByText('1 of 2').waitFor()
  const earlier = await popup.evaluate(
    () =>
      new Promise<number>((resolve) => {
        addEventListener('message', ({ data }) => resolve(data.revision), { once: true })
        window.opener.postMessage({ type: 'gatefold-ready' }, location.origin)
      }),
  )
  await popup.getByRole('button', { name: 'Sign', disabled: false }).click()
  await popup.getByText('next').waitFor()
  // For example a second click, which the window sends before it shows the next request.
  await popup.evaluate((revision) => {
    const answer = { type: 'gatefold-answer', revision, answer: 'approve' }
    window.opener.postMessage(answer, location.origin)
  }, earlier)
  // An approval would close the window first.
  const reject = popup.getByRole('button', { name: 'Reject' })
  await reject.click().catch(() => {})
  expect(await next()).toMatchObject({ payload: { message: 'User rejected the request.' } })
})

test('attack: another page cannot embed the window, fill it, or answer for it', async () => {
  const opened = await openRequest('mallory@example.com')
  const popup = await openWindow(opened)
  const { page } = opened
  // The page that embeds the frame answers instead of the window.
  await page.evaluate(() => {
    const target = document.querySelector('iframe')!.contentWindow!
    for (let revision = 0; revision < 20; revision += 1)
      target.postMessage({ type: 'gatefold-answer', revision, answer: 'approve' }, '*')
  })
  // A forged answer would close the window first.
  const reject = popup.getByRole('button', { name: 'Reject' })
  await reject.click().catch(() => {})
  expect(await reply(page)).toMatchObject({ payload: { message: 'User rejected the request.' } })

  // Another page opens the window itself, and sends it a request.
  const { page: other } = await browser.newPage()
  await other.goto(stranger.url)
  const url = `${frame.url}/approve`
  const opening = other.waitForEvent('popup')
  await other.evaluate((target) => {
    Object.assign(window, { victim: window.open(target) })
  }, url)
  const victim = await opening
  await victim.getByText('Loading the request…').waitFor()
  await victim.evaluate(() => {
    const arrived = new Promise((resolve) => addEventListener('message', resolve, { once: true }))
    Object.assign(window, { arrived })
  })
  await other.evaluate(() => {
    const { victim: target } = window as unknown as { victim: Window }
    const statement = { sentence: 'A trap', notes: [], movements: [], details: [], action: 'Yes' }
    const message = { type: 'gatefold-approval', revision: 1, origin: location.origin, waiting: 0 }
    target.postMessage({ ...message, statement, theme: null }, '*')
  })
  await victim.evaluate(async () => {
    await (window as unknown as { arrived: Promise<unknown> }).arrived
  })
  expect(await victim.getByText('A trap').count()).toBe(0)
  const response = await fetch(url)
  expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
})
