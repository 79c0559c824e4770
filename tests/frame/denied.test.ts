import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser, type TestBrowser } from '../browser.ts'
import { approve, denyStorage, login, openHost, send, startSigning } from './openHost.ts'
import { startFrame, type FrameStack } from './startFrame.ts'

const rpcUrls = { 'eip155:31337': ['http://127.0.0.1:9'] }
const password = 'correct horse battery staple'

let browser: TestBrowser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

const open = (frame: FrameStack) => openHost(browser, frame, { init: denyStorage })

const isConnected = (page: Page) =>
  expect.poll(() => send(page, 'IS_CONNECTED')).toMatchObject({ type: /SUCCESS/ })

describe('with storage denied', () => {
  let frame: FrameStack
  beforeAll(async () => {
    frame = await startFrame({ rpcUrls })
  })
  afterAll(() => frame?.stop())

  test('a wallet signs, and each visit needs a login, which restores the same wallet', async () => {
    const { page, inside, url } = await open(frame)
    const address = await login(frame, page, 'ada@example.com', 1)
    for (const _ of ['first', 'second']) {
      await startSigning(page, address)
      expect(await approve(page, inside)).toBe(address)
    }
    expect(await frame.lastMail('ada@example.com')).not.toContain('Your wallet was restored')

    await page.goto(url)
    await isConnected(page)
    expect((await send(page, 'IS_CONNECTED')).payload).toEqual({ isConnected: false })
    expect(await login(frame, page, 'ada@example.com', 2)).toBe(address)
    await startSigning(page, address)
    expect(await approve(page, inside)).toBe(address)
    await expect.poll(() => frame.lastMail('ada@example.com')).toContain('Your wallet was restored')
  })

  test('the shares are only in memory: the second document finds nothing from the first', async () => {
    const { page, inside, url } = await open(frame)
    await login(frame, page, 'grace@example.com', 1)
    const stored = await inside.locator('body').evaluate(async () => ({
      databases: await indexedDB.databases(),
      caches: await caches.keys(),
      cookie: document.cookie,
    }))
    expect(stored).toEqual({ databases: [], caches: [], cookie: '' })
    await page.goto(url)
    await isConnected(page)
    expect(await send(page, 'GET_USER', {})).toMatchObject({ type: '@w3m-frame/GET_USER_ERROR' })
  })
})

describe('with storage denied, without automatic recovery', () => {
  let frame: FrameStack
  beforeAll(async () => {
    frame = await startFrame({ rpcUrls, project: { recovery: ['password'] } })
  })
  afterAll(() => frame?.stop())

  test('each visit asks for the password before the first approval', async () => {
    const { page, inside, url } = await open(frame)
    const address = await login(frame, page, 'ada@example.com', 1)
    await startSigning(page, address)
    await inside.getByLabel('Recovery password').fill(password)
    await inside.getByRole('button', { name: 'Set the password' }).click()
    expect(await approve(page, inside)).toBe(address)

    await page.goto(url)
    expect(await login(frame, page, 'ada@example.com', 2)).toBe(address)
    await startSigning(page, address)
    await inside.getByLabel('Recovery password').fill(password)
    await inside.getByRole('button', { name: 'Restore' }).click()
    expect(await approve(page, inside)).toBe(address)
  })
})
