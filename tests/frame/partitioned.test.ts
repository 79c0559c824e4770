import { listen, type RunningSite } from '@gatefold/site'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser, type TestBrowser } from '../browser.ts'
import { partitioned } from './openHost.ts'
import { hostPage, startFrame, type FrameStack } from './startFrame.ts'

type Reply = { type: string; payload?: { address?: string } }
declare const window: Window & { send(name: string, payload?: unknown): Promise<Reply> }

let frame: FrameStack
let site: RunningSite

beforeAll(async () => {
  frame = await startFrame({ rpcUrls: { 'eip155:31337': ['http://127.0.0.1:9'] } })
  site = await listen(
    () => new Response(hostPage(frame.documentUrl()), { headers: { 'content-type': 'text/html' } }),
    { port: 0 },
  )
})
afterAll(async () => {
  await Promise.all([frame?.stop(), site?.stop()])
})

const send = (page: Page, name: string, payload?: unknown) =>
  page.evaluate(([n, p]) => window.send(n, p), [name, payload] as const)

/** Logs in on a page, and returns the address and the devices of the user. */
async function login(page: Page, url: string, nth: number) {
  await page.goto(url)
  await expect.poll(() => send(page, 'IS_CONNECTED')).toMatchObject({ payload: {} })
  const connected = await send(page, 'IS_CONNECTED')
  if (nth > 1) frame.advance(31)
  await send(page, 'CONNECT_EMAIL', { email: 'ada@example.com' })
  await send(page, 'CONNECT_OTP', { otp: await frame.codeFor('ada@example.com', nth) })
  const { payload } = await send(page, 'GET_USER', {})
  return { wasConnected: connected.payload, address: payload?.address }
}

/** On a different site than the frame. */
const otherSite = () => site.url.replace('localhost', '127.0.0.1')

test('with partitioned storage, each site is a device with the same wallet', async () => {
  await using browser: TestBrowser = await launchBrowser({ args: partitioned })
  const { page } = await browser.newPage()
  const first = await login(page, site.url, 1)
  const second = await login(page, otherSite(), 2)
  expect(second).toEqual({ wasConnected: { isConnected: false }, address: first.address })
  expect(await frame.lastMail('ada@example.com')).toContain('Your wallet was restored')
  // Each site keeps its own login.
  for (const url of [site.url, otherSite()]) {
    await page.goto(url)
    await expect
      .poll(() => send(page, 'IS_CONNECTED'))
      .toMatchObject({ payload: { isConnected: true } })
    expect((await send(page, 'GET_USER', {})).payload?.address).toBe(first.address)
  }
})
