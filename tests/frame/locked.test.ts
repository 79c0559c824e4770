import { limits } from '@gatefold/protocol'
import type { FrameUser } from '@gatefold/protocol/frame'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser, type TestBrowser } from '../browser.ts'
import { hostPage, startFrame, type FrameStack } from './startFrame.ts'

type Reply = { type: string; payload?: Record<string, unknown> & { message?: string } }
declare const window: Window & {
  send(name: string, payload?: unknown): Promise<Reply>
  signed?: Promise<Reply>
}

const password = 'correct horse battery staple'
const network = 'eip155:31337'

let browser: TestBrowser
let frame: FrameStack
let site: string
beforeAll(async () => {
  ;[browser, frame] = await Promise.all([
    launchBrowser(),
    // The addresses of smart accounts need neither a node nor a bundler.
    startFrame({
      rpcUrls: { [network]: ['http://127.0.0.1:9'] },
      bundlerUrls: { [network]: ['http://127.0.0.1:9'] },
      project: { recovery: ['passkey', 'password'] },
    }),
  ])
  site = await frame.serve({ '/': hostPage(frame.documentUrl()) })
})
afterAll(async () => {
  await Promise.all([browser?.close(), frame?.stop()])
})

const send = (page: Page, name: string, payload?: unknown) =>
  page.evaluate(([n, p]) => window.send(n, p), [name, payload] as const)

/** A page that embeds the frame in a new browser profile, logged in. */
async function openHost(email: string, nth: number, change?: (user: FrameUser) => void) {
  const { page, context } = await browser.newPage()
  if (change)
    await context.route(/\/api\/(user|login\/verify)$/, async (route) => {
      const response = await route.fetch()
      const body = (await response.json()) as FrameUser | { user: FrameUser }
      if (response.ok()) change('user' in body ? body.user : body)
      await route.fulfill({ response, json: body })
    })
  await page.goto(site)
  await expect.poll(() => send(page, 'IS_CONNECTED')).toMatchObject({ type: /SUCCESS/ })
  if (nth > 1) frame.advance(31)
  await send(page, 'CONNECT_EMAIL', { email })
  await send(page, 'CONNECT_OTP', { otp: await frame.codeFor(email, nth) })
  return { page, inside: page.frameLocator('#w3m-iframe') }
}

async function accountsOf(page: Page) {
  const { payload } = await send(page, 'GET_USER', { chainId: 31_337 })
  return { address: payload!['address'] as string, accounts: payload!['accounts'] }
}

/**
 * Requests a signature. Before it, the visitor has to protect or restore the
 * wallet.
 */
async function startSigning(page: Page, address: string) {
  await page.evaluate((from) => {
    window.signed = window.send('RPC_REQUEST', {
      method: 'personal_sign',
      params: ['0x68656c6c6f', from],
      chainId: 31_337,
    })
  }, address)
}

/** Creates a wallet that only a password can restore. */
async function createWallet(email: string) {
  const { page, inside } = await openHost(email, 1)
  const { address, accounts } = await accountsOf(page)
  await startSigning(page, address)
  await inside.getByLabel('Recovery password').fill(password)
  await inside.getByRole('button', { name: 'Set the password' }).click()
  await inside.getByRole('heading', { name: 'Protect your wallet first' }).waitFor({
    state: 'detached',
  })
  return { address, accounts }
}

test('a device without the key shows the same smart account, and has it after the restore', async () => {
  const first = await createWallet('ada@example.com')
  expect(first.accounts).toHaveLength(2)
  const { page, inside } = await openHost('ada@example.com', 2)
  expect(await accountsOf(page)).toEqual(first)
  await startSigning(page, first.address)
  await inside.getByLabel('Recovery password').fill(password)
  await inside.getByRole('button', { name: 'Restore' }).click()
  await inside.getByRole('button', { name: 'Restore' }).waitFor({ state: 'detached' })
  expect(await accountsOf(page)).toEqual(first)
})

test('signing out closes the card that protects the wallet, and rejects its request', async () => {
  const { page, inside } = await openHost('joan@example.com', 1)
  await startSigning(page, (await accountsOf(page)).address)
  const heading = inside.getByRole('heading', { name: 'Protect your wallet first' })
  await heading.waitFor()
  await send(page, 'SIGN_OUT')
  await heading.waitFor({ state: 'detached' })
  const reply = await page.evaluate(() => window.signed!)
  expect(reply).toMatchObject({ payload: { message: 'User rejected the request.' } })
})

test('attack: the server releases shares and mails a notice at the restore, not at the login', async () => {
  const email = 'alan@example.com'
  const { address } = await createWallet(email)
  const { page, inside } = await openHost(email, 2)
  expect((await accountsOf(page)).address).toBe(address)
  await startSigning(page, address)
  await inside.getByLabel('Recovery password').fill(password)
  // Everything that the frame stores for the locked wallet.
  const stored = await inside.locator('body').evaluate(async () => {
    const opened = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open('gatefold')
      request.addEventListener('success', () => resolve(request.result))
    })
    const read = opened.transaction('frame').objectStore('frame').get('locked')
    const value = await new Promise((resolve) => {
      read.addEventListener('success', () => resolve(read.result))
    })
    return JSON.stringify(value)
  })
  expect(stored).toContain('wraps')
  expect(stored).not.toMatch(/share/i)
  expect(await frame.lastMail(email)).not.toContain('was restored')
  await inside.getByRole('button', { name: 'Restore' }).click()
  await inside.getByRole('button', { name: 'Restore' }).waitFor({ state: 'detached' })
  await expect.poll(() => frame.lastMail(email)).toContain('was restored')
})

test('attack: a server that names another smart account is refused once the device has the key', async () => {
  const email = 'grace@example.com'
  const first = await createWallet(email)
  const { page, inside } = await openHost(email, 2, ({ wallet }) => {
    if (wallet?.smartAccount)
      wallet.smartAccount.owner = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
  })
  const { address } = await accountsOf(page)
  expect(address).not.toBe(first.address)
  await startSigning(page, address)
  await inside.getByLabel('Recovery password').fill(password)
  await inside.getByRole('button', { name: 'Restore' }).click()
  await expect
    .poll(() => inside.locator('body').innerText())
    .toContain('showed the address of another smart account')
  // Nothing was stored, and nothing is signed.
  await inside.getByRole('button', { name: 'Not now' }).click()
  const { type } = await page.evaluate<Reply>(() => window.signed!)
  expect(type).toBe('@w3m-frame/RPC_REQUEST_ERROR')
})

test('a login that is too old to restore the wallet is repeated in the frame', async () => {
  const email = 'donald@example.com'
  const { address } = await createWallet(email)
  const { page, inside } = await openHost(email, 2)
  await accountsOf(page)
  // The browser's clock changes too, from the next document on.
  frame.advance(limits.freshLoginSeconds)
  await page.context().addInitScript((ahead) => {
    const { now } = Date
    Date.now = () => now() + ahead
  }, limits.freshLoginSeconds * 1000)
  await page.goto(site)
  await expect
    .poll(() => send(page, 'IS_CONNECTED'))
    .toMatchObject({ payload: { isConnected: true } })
  await startSigning(page, address)
  await inside.getByRole('heading', { name: 'Confirm it’s you' }).waitFor()
  await inside.getByRole('button', { name: 'Send a code' }).click()
  await inside.getByText(`The email must name ${new URL(site).origin}.`).waitFor()
  expect(await frame.lastMail(email)).toContain(`Website: ${new URL(site).origin}\n`)
  const field = inside.getByLabel(`Code from the email to ${email}`)
  await field.fill('000000')
  await inside.getByRole('button', { name: 'Continue' }).click()
  await inside.getByText('Wrong code').waitFor()
  await field.fill(await frame.codeFor(email, 3))
  await inside.getByRole('button', { name: 'Continue' }).click()
  await inside.getByLabel('Recovery password').fill(password)
  await inside.getByRole('button', { name: 'Restore' }).click()
  await inside.getByRole('button', { name: 'Restore' }).waitFor({ state: 'detached' })
  expect((await accountsOf(page)).address).toBe(address)
})
