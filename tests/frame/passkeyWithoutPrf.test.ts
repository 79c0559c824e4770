import type { RecoveryMethod } from '@gatefold/protocol/frame'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addAuthenticator } from '../addAuthenticator.ts'
import { launchBrowser, type TestBrowser } from '../browser.ts'
import {
  approve,
  login,
  openHost,
  openPort,
  passkeys,
  send,
  startSigning,
  types,
  type HostWindow,
  type Reply,
} from './openHost.ts'
import { pressUntilGone } from './pressUntilGone.ts'
import { startFrame, type FrameStack } from './startFrame.ts'

declare const window: HostWindow & { requests?: string[] }

const rpcUrls = { 'eip155:31337': ['http://127.0.0.1:9'] }
const password = 'correct horse battery staple'
const create = 'Create a wallet with a passkey'
const use = 'Use my passkey'

const start = (recovery: RecoveryMethod[]) =>
  startFrame({ rpcUrls, project: { recovery, passkeyLogin: true } })

let browser: TestBrowser
let frame: FrameStack
beforeAll(async () => {
  ;[browser, frame] = await Promise.all([launchBrowser(), start(['passkey', 'password'])])
})
afterAll(async () => {
  await Promise.all([browser?.close(), frame?.stop()])
})

const open = async (frame: FrameStack, init?: () => void) => {
  const opened = await openHost(browser, frame, { allow: passkeys, init })
  const { session, authenticatorId } = await addAuthenticator(opened.page, { hasPrf: false })
  await expect.poll(() => types(opened.page)).toContain('@w3m-frame/READY')
  const { page, url } = opened
  const clear = async () => {
    await page.goto('about:blank')
    const origin = frame.url
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' })
    await page.goto(url)
    await expect.poll(() => types(page)).toContain('@w3m-frame/READY')
  }
  const countPasskeys = async () => {
    const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId })
    return credentials.length
  }
  return { ...opened, clear, countPasskeys }
}

const startLogin = (page: Page) =>
  page.evaluate(() => void (window.signed = window.send('CONNECT_PASSKEY')))

/** The address, once the login has ended. */
async function connected(page: Page) {
  expect((await page.evaluate<Reply>(() => window.signed!)).type).toMatch(/_SUCCESS$/)
  const { payload } = await send(page, 'GET_USER', {})
  return (payload as { address: string }).address
}

describe('a passkey without a PRF', () => {
  test('logs in, and a password protects and restores the wallet', async () => {
    const { page, inside, clear } = await open(frame)
    await startLogin(page)
    await inside.getByRole('button', { name: create }).click()
    await inside.getByText('Your passkey can only log you in. Set a password').waitFor()
    await pressUntilGone(inside.getByRole('button', { name: 'Continue' }))
    const address = await connected(page)
    await startSigning(page, address)
    await inside.getByLabel('Recovery password').fill(password)
    await pressUntilGone(inside.getByRole('button', { name: 'Set the password' }))
    expect(await approve(page, inside)).toBe(address)

    await clear()
    await startLogin(page)
    await inside.getByRole('button', { name: use }).click()
    expect(await connected(page)).toBe(address)
    await startSigning(page, address)
    await inside.getByLabel('Recovery password').fill(password)
    await pressUntilGone(inside.getByRole('button', { name: 'Restore' }))
    expect(await approve(page, inside)).toBe(address)

    // The export would need a passkey that opens the wallet.
    await page.goto(`${frame.url}/settings`)
    await page.getByRole('button', { name: 'Show the secret phrase' }).click()
    await page.getByText('Add an email address to your wallet first.').waitFor()
  })

  test('is not accepted as a recovery method: the visitor sets a password', async () => {
    const { page, inside, countPasskeys } = await open(frame)
    const address = await login(frame, page, 'ada@example.com', 1)
    await startSigning(page, address)
    await inside.getByRole('button', { name: 'Create a passkey' }).click()
    await inside.getByText('can’t protect a wallet. Use another device or browser').waitFor()
    // The authenticator does not keep a passkey that opens nothing.
    expect(await countPasskeys()).toBe(0)
    await inside.getByLabel('Recovery password').fill(password)
    await pressUntilGone(inside.getByRole('button', { name: 'Set the password' }))
    expect(await approve(page, inside)).toBe(address)
  })
})

test('with automatic recovery, a passkey without a PRF is enough', async () => {
  const frame = await start(['passkey', 'automatic'])
  try {
    const { page, inside, clear } = await open(frame)
    await openPort(page)
    await startLogin(page)
    await inside.getByRole('button', { name: create }).click()
    await inside.getByText('Automatic recovery restores the wallet').waitFor()
    await pressUntilGone(inside.getByRole('button', { name: 'Continue' }))
    const address = await connected(page)
    await startSigning(page, address)
    // A card that offers a passkey would hide the approval.
    expect(await approve(page, inside)).toBe(address)

    await clear()
    await startLogin(page)
    await inside.getByRole('button', { name: use }).click()
    expect(await connected(page)).toBe(address)
    await startSigning(page, address)
    expect(await approve(page, inside)).toBe(address)
  } finally {
    await frame.stop()
  }
})

test('error: if a project offers only passkeys, a passkey without a PRF creates no wallet', async () => {
  const frame = await start(['passkey'])
  try {
    const { page, inside, countPasskeys } = await open(frame)
    const paths: string[] = []
    page.on('request', (request) => paths.push(new URL(request.url()).pathname))
    await startLogin(page)
    await inside.getByRole('button', { name: create }).click()
    await inside.getByText('can’t protect a wallet. Use another device or browser').waitFor()
    expect(paths).toContain('/api/passkey/challenge')
    expect(paths).not.toContain('/api/login/passkey')
    expect(await countPasskeys()).toBe(0)
  } finally {
    await frame.stop()
  }
})

test.each([
  ['refuses', 400, 0],
  ['may have registered', 502, 1],
])(
  'a passkey that the server %s stays in the authenticator only if it may be used',
  async (_, status, left) => {
    const { page, inside, countPasskeys } = await open(frame)
    await page.route('**/api/login/passkey', (route) => route.fulfill({ status, json: {} }))
    await startLogin(page)
    await inside.getByRole('button', { name: create }).click()
    await inside.getByRole('alert').waitFor()
    expect(await countPasskeys()).toBe(left)
  },
)

/** An authenticator that fails if it is asked for a PRF. `requests` records what it is asked for. */
function failWithPrf() {
  const requests: string[] = (window.requests = [])
  for (const name of ['create', 'get'] as const) {
    const original: (options: CredentialCreationOptions) => Promise<Credential | null> =
      navigator.credentials[name].bind(navigator.credentials)
    navigator.credentials[name] = (options: CredentialCreationOptions = {}) => {
      const { rpId, extensions } = options.publicKey as { rpId?: string; extensions?: object }
      // The probe of the permission.
      if (rpId === 'no site') return original(options)
      requests.push(`${name} ${extensions ? 'with' : 'without'} PRF`)
      return extensions
        ? Promise.reject(new DOMException('The authenticator failed.', 'UnknownError'))
        : original(options)
    }
  }
}

/** A visitor who cancels the first dialog. */
function cancelOnce() {
  const create = navigator.credentials.create.bind(navigator.credentials)
  const requests: string[] = (window.requests = [])
  navigator.credentials.create = (options) => {
    requests.push(`create ${options?.publicKey?.extensions ? 'with' : 'without'} PRF`)
    return requests.length === 1
      ? Promise.reject(new DOMException('Cancelled.', 'NotAllowedError'))
      : create(options)
  }
}

/** An authenticator whose passkey must be used once before it reports a PRF, and a visitor who cancels that. */
function cancelUse() {
  const create = navigator.credentials.create.bind(navigator.credentials)
  const get = navigator.credentials.get.bind(navigator.credentials)
  navigator.credentials.create = async (options) => {
    const created = (await create(options)) as PublicKeyCredential
    created.getClientExtensionResults = () => ({ prf: { enabled: true } })
    return created
  }
  navigator.credentials.get = (options) =>
    // The probe of the permission.
    options?.publicKey?.rpId === 'no site'
      ? get(options)
      : Promise.reject(new DOMException('Cancelled.', 'NotAllowedError'))
}

describe('an authenticator that fails', () => {
  test('because of the PRF is asked once more, without it', async () => {
    const { page, inside } = await open(frame, failWithPrf)
    const requests = () => inside.locator('body').evaluate(() => window.requests)
    await startLogin(page)
    await inside.getByRole('button', { name: create }).click()
    await inside.getByText('Try again to use one only to log in.').waitFor()
    await inside.getByRole('button', { name: create }).click()
    await inside.getByText('Your passkey can only log you in.').waitFor()
    await pressUntilGone(inside.getByRole('button', { name: 'Continue' }))
    const address = await connected(page)
    expect(await requests()).toEqual(['create with PRF', 'create without PRF'])

    // The same for the next login.
    await send(page, 'SIGN_OUT')
    await startLogin(page)
    await inside.getByRole('button', { name: use }).click()
    await inside.getByText('Try again to use one only to log in.').waitFor()
    await inside.getByRole('button', { name: use }).click()
    expect(await connected(page)).toBe(address)
    expect((await requests())?.slice(2)).toEqual(['get with PRF', 'get without PRF'])
  })

  test('because the visitor cancels the first use keeps no passkey', async () => {
    const { page, inside, countPasskeys } = await open(frame, cancelUse)
    await startLogin(page)
    await inside.getByRole('button', { name: create }).click()
    await inside.getByText('No passkey was used.').waitFor()
    expect(await countPasskeys()).toBe(0)
  })

  test('because the visitor cancels is asked for a passkey with a PRF again', async () => {
    const { page, inside } = await open(frame, cancelOnce)
    await startLogin(page)
    await inside.getByRole('button', { name: create }).click()
    await inside.getByText('No passkey was used.').waitFor()
    await inside.getByRole('button', { name: create }).click()
    await inside.getByText('Your passkey can only log you in.').waitFor()
    expect(await inside.locator('body').evaluate(() => window.requests)).toEqual([
      'create with PRF',
      'create with PRF',
    ])
  })
})
