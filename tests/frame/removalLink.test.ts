import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  createTestDevice,
  readLocalCode,
  testSet,
} from '../../packages/server/src/testing/createTestDevice.ts'
import { axe, launchBrowser, type TestBrowser } from '../browser.ts'
import { startKillableServer, type KillableServer } from './startKillableServer.ts'

// The link that removes a new device, while the server is down or restarts.

let server: KillableServer
let browser: TestBrowser
beforeAll(async () => {
  ;[server, browser] = await Promise.all([startKillableServer(), launchBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

const createDevice = async () =>
  createTestDevice({
    url: server.frameUrl,
    send: async (path, init) => fetch(server.frameUrl + path, init),
    readCode: async (email) => readLocalCode(server.url, email),
    now: server.now,
  })

/** A user with a wallet on one device, a login on another one, and the page of the link that removes it. */
async function openLink(email: string) {
  await server.pass(3_601_000)
  const [owner, other] = [await createDevice(), await createDevice()]
  const own = await owner.login(email)
  await owner.createWallet(own.session, testSet())
  await server.pass(31_000)
  const { session } = await other.login(email)
  const isLoggedIn = async () => (await other.post('/api/user', {}, session)).status === 200
  expect(await isLoggedIn()).toBe(true)
  const { page } = await browser.newPage({ width: 390 })
  await page.goto(/http\S+\/device\/remove\S+/.exec(await lastMail())![0])
  const audit = async () => {
    const { body } = await owner.post<{ entries: { event: string }[] }>(
      '/api/audit',
      {},
      own.session,
    )
    return body.entries.filter(({ event }) => event === 'device_removed').length
  }
  return { page, isLoggedIn, audit }
}

async function lastMail() {
  const response = await fetch(`${server.url}/dev/mail.json`)
  const { mails } = (await response.json()) as { mails: { text: string }[] }
  return mails[0]!.text
}

const failed = 'The server isn’t responding. Try again in a moment; nothing is done twice.'

it('a click while the server is down stays on the page, and another one removes the device', async () => {
  const { page, isLoggedIn, audit } = await openLink('ada@example.com')
  const button = page.getByRole('button', { name: 'Remove the device' })
  await server.kill()
  for (let tries = 0; tries < 2; tries += 1) {
    await button.click()
    await page.getByRole('alert').filter({ hasText: failed }).waitFor()
    await expect.poll(() => button.isEnabled()).toBe(true)
  }
  expect(await button.evaluate((element) => element === document.activeElement)).toBe(true)
  expect(await axe(page)).toEqual([])

  await server.restart()
  expect(await isLoggedIn()).toBe(true)
  await button.click()
  const heading = page.getByRole('heading', { name: 'Device removed' })
  await heading.waitFor()
  expect(await heading.evaluate((element) => element === document.activeElement)).toBe(true)
  expect(await page.title()).toBe('Device removed')
  expect(await isLoggedIn()).toBe(false)
  expect(await audit()).toBe(1)
})

it('a click whose response is lost has removed the device once, and another one says so', async () => {
  const { page, isLoggedIn, audit } = await openLink('bea@example.com')
  const button = page.getByRole('button', { name: 'Remove the device' })
  await server.order({ type: 'kill', after: 1 })
  await button.click()
  await page.getByRole('alert').filter({ hasText: failed }).waitFor()
  await server.restart()
  expect(await isLoggedIn()).toBe(false)
  expect(await audit()).toBe(1)
  await button.click()
  await page.getByRole('heading', { name: 'Device removed' }).waitFor()
  expect(await audit()).toBe(1)
  await page.reload()
  await page.getByRole('heading', { name: 'Device removed' }).waitFor()
})

it('without scripts, the form removes the device after a restart', async () => {
  const { page, isLoggedIn } = await openLink('cleo@example.com')
  const opened = await browser.newPage({ width: 390, javaScript: false })
  await opened.page.goto(page.url())
  await server.kill()
  await server.restart()
  await opened.page.getByRole('button', { name: 'Remove the device' }).click()
  await opened.page.getByRole('heading', { name: 'Device removed' }).waitFor()
  expect(await isLoggedIn()).toBe(false)
})

it('a click while requests are limited stays on the page, and a later one removes the device', async () => {
  const { page, isLoggedIn } = await openLink('dora@example.com')
  const send = () => fetch(page.url())
  let limited = await send()
  while (limited.status === 200) limited = await send()
  expect(limited.status).toBe(429)
  expect(limited.headers.get('retry-after')).toMatch(/^\d+$/)
  expect(limited.headers.get('content-type')).toMatch(/^text\/html/)
  const body = await limited.text()
  expect(body).toContain('Too many requests')

  // The server's response: until the click, it could have room again.
  await page.route('**/device/remove', (route) =>
    route.fulfill({ status: 429, contentType: 'text/html; charset=utf-8', body }),
  )
  const button = page.getByRole('button', { name: 'Remove the device' })
  await button.click()
  await page
    .getByRole('alert')
    .filter({ hasText: /^Wait \d+ s, then try again\.$/ })
    .waitFor()
  expect(await button.evaluate((element) => element === document.activeElement)).toBe(true)
  await page.unrouteAll()
  await server.pass(60_000)
  await button.click()
  await page.getByRole('heading', { name: 'Device removed' }).waitFor()
  expect(await isLoggedIn()).toBe(false)
})
