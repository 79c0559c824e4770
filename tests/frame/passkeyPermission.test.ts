import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAuthenticator } from '../addAuthenticator.ts'
import { launchBrowser, type TestBrowser } from '../browser.ts'
import { approve, login, openHost, openPort, passkeys, startSigning } from './openHost.ts'
import { startFrame, type FrameStack } from './startFrame.ts'

let browser: TestBrowser
let frame: FrameStack
beforeAll(async () => {
  ;[browser, frame] = await Promise.all([
    launchBrowser(),
    startFrame({ rpcUrls: { 'eip155:31337': ['http://127.0.0.1:9'] } }),
  ])
})
afterAll(async () => {
  await browser?.close()
  await frame?.stop()
})

/** Makes documents look like those of Firefox and Safari, which do not expose what the page allows. */
function hidePolicy() {
  Reflect.deleteProperty(Document.prototype, 'featurePolicy')
}

const offer = 'Add a passkey to your wallet?'

test('a browser that does not report permissions offers a passkey where the page allows it', async () => {
  const { page, inside, hosts } = await openHost(browser, frame, {
    allow: passkeys,
    init: hidePolicy,
  })
  await addAuthenticator(page)
  await openPort(page)
  const address = await login(frame, page, 'ada@example.com', 1)
  expect(await inside.locator('body').evaluate(() => 'featurePolicy' in document)).toBe(false)
  await inside.getByRole('heading', { name: offer }).waitFor()
  await inside.getByRole('button', { name: 'Create a passkey' }).click()
  await inside.getByRole('heading', { name: offer }).waitFor({ state: 'detached' })
  await startSigning(page, address)
  expect(await approve(page, inside)).toBe(address)
  // The probe sends nothing.
  expect([...hosts].map((host) => host.split(':')[0])).toEqual(['localhost', 'localhost'])
})

test('a browser that does not report permissions offers no passkey where the page does not allow it', async () => {
  const { page, inside } = await openHost(browser, frame, { init: hidePolicy })
  await addAuthenticator(page)
  await openPort(page)
  const address = await login(frame, page, 'grace@example.com', 1)
  // Otherwise, the offer would hide the approval.
  await startSigning(page, address)
  expect(await approve(page, inside)).toBe(address)
  expect(await inside.getByRole('heading', { name: offer }).count()).toBe(0)
})
