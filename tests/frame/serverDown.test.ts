import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { addAuthenticator } from '../addAuthenticator.ts'
import { launchBrowser, type TestBrowser } from '../browser.ts'
import {
  approve,
  login,
  openHost,
  passkeys,
  send,
  startSigning,
  type HostWindow,
  type Reply,
} from './openHost.ts'
import { startFrame, type FrameStack } from './startFrame.ts'

declare const window: HostWindow

const password = 'correct horse battery staple'
const heading = { name: 'The wallet server isn’t responding' }

let browser: TestBrowser
let frame: FrameStack

beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())
beforeEach(async () => {
  frame = await startFrame({
    rpcUrls: { 'eip155:31337': ['http://127.0.0.1:9'] },
    project: { recovery: ['passkey', 'password'] },
  })
})
afterEach(() => frame?.stop())

const reply = (page: Page) => page.evaluate<Reply>(() => window.signed!)

/** Opens a page whose visitor has a wallet with a recovery method, and has signed with it. */
async function openWallet(
  email: string,
  options: { allow?: string; protect: (opened: Awaited<ReturnType<typeof openHost>>) => unknown },
) {
  const opened = await openHost(browser, frame, options)
  const { page, inside } = opened
  if (options.allow) await addAuthenticator(page)
  const address = await login(frame, page, email, 1)
  await startSigning(page, address)
  await options.protect(opened)
  expect(await approve(page, inside)).toBe(address)
  return { ...opened, address }
}

const createPasskey = ({ inside }: Awaited<ReturnType<typeof openHost>>) =>
  inside.getByRole('button', { name: 'Create a passkey' }).click()

async function setPassword({ inside }: Awaited<ReturnType<typeof openHost>>) {
  await inside.getByLabel('Recovery password').fill(password)
  await inside.getByRole('button', { name: 'Set the password' }).click()
}

test('a wallet with a passkey signs while the server is down', async () => {
  const { page, inside, address } = await openWallet('ada@example.com', {
    allow: passkeys,
    protect: createPasskey,
  })
  await frame.stopServer()
  for (let count = 0; count < 2; count += 1) {
    await startSigning(page, address)
    const signer = approve(page, inside)
    await inside.getByRole('heading', heading).waitFor()
    await inside.getByRole('button', { name: 'Use my passkey' }).click()
    expect(await signer).toBe(address)
  }
  await startSigning(page, address)
  await inside.getByRole('button', { name: 'Sign', disabled: false }).click()
  await inside.getByRole('heading', heading).waitFor()
  await inside.getByRole('button', { name: 'Cancel' }).click()
  expect(await reply(page)).toMatchObject({ payload: { message: 'User rejected the request.' } })
})

test('a wallet with a password signs while the server is down, even without passkeys', async () => {
  const { page, inside, address } = await openWallet('grace@example.com', {
    protect: setPassword,
  })
  await frame.stopServer()
  await startSigning(page, address)
  const signer = approve(page, inside)
  await inside.getByRole('heading', heading).waitFor()
  const field = inside.getByLabel('Recovery password')
  await field.fill('another password, wrong')
  await field.press('Enter')
  await inside.getByText('Wrong password.').waitFor()
  await field.fill(password)
  await field.press('Enter')
  expect(await signer).toBe(address)
})

test('a changed email address is shown while the server is down', async () => {
  const { page } = await openWallet('old@example.com', { protect: setPassword })
  frame.advance(31)
  const change = (name: string, payload: object) => send(page, `UPDATE_EMAIL${name}`, payload)
  await change('', { email: 'new@example.com' })
  await change('_PRIMARY_OTP', { otp: await frame.codeFor('old@example.com', 2) })
  expect(
    await change('_SECONDARY_OTP', { otp: await frame.codeFor('new@example.com') }),
  ).toMatchObject({ payload: { newEmail: 'new@example.com' } })
  await frame.stopServer()
  expect(await send(page, 'GET_USER', {})).toMatchObject({ payload: { email: 'new@example.com' } })
})

test('attack: a device that was signed out elsewhere does not sign while the server is down', async () => {
  const email = 'eve@example.com'
  const { page, inside, address } = await openWallet(email, { protect: setPassword })
  const { page: settings } = await browser.newPage({ width: 480 })
  await settings.goto(`${frame.url}/settings`)
  frame.advance(31)
  await settings.getByLabel('Email address').fill(email)
  await settings.getByRole('button', { name: 'Send a code' }).click()
  await settings.getByLabel(`Code from the email to ${email}`).fill(await frame.codeFor(email, 2))
  await settings.getByRole('button', { name: 'Log in' }).click()
  await settings.getByLabel('Recovery password').fill(password)
  await settings.getByRole('button', { name: 'Restore' }).click()
  await settings.getByRole('button', { name: 'Log out everywhere' }).click()
  await settings.getByRole('button', { name: 'Send a code' }).waitFor()

  const sign = async () => {
    await startSigning(page, address)
    await inside.getByRole('button', { name: 'Sign', disabled: false }).click()
    return reply(page)
  }
  expect(await sign()).toMatchObject({ type: '@w3m-frame/RPC_REQUEST_ERROR' })
  await frame.stopServer()
  // There is no request for the password: the device has deleted the data that
  // works without the server.
  const asked = inside.getByRole('heading', heading).waitFor()
  expect(await Promise.race([sign(), asked])).toMatchObject({
    type: '@w3m-frame/RPC_REQUEST_ERROR',
  })
})
