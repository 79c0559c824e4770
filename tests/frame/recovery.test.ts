import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mnemonicToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addAuthenticator } from '../addAuthenticator.ts'
import { axe, launchBrowser, type TestBrowser } from '../browser.ts'
import { readConfig } from '../../packages/server/src/config.ts'
import { openStorage } from '../../packages/server/src/storage/openStorage.ts'
import {
  approve,
  login,
  openHost as openHostIn,
  openPort,
  passkeys,
  send,
  startSigning,
  types,
  type HostOptions,
  type HostWindow,
  type Reply,
} from './openHost.ts'
import { startFrame, type FrameStack } from './startFrame.ts'

declare const window: HostWindow

const password = 'correct horse battery staple'

let browser: TestBrowser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

const openHost = (frame: FrameStack, options?: HostOptions) => openHostIn(browser, frame, options)

/**
 * Opens an empty window instead of the frame's page, and stores the page's URL,
 * because a virtual authenticator works in one tab only.
 */
function keepWindowUrl() {
  const open = window.open.bind(window)
  window.open = (url, ...more) => {
    Object.assign(window, { windowUrl: url })
    return open('about:blank', ...more)
  }
}

const rpcUrls = { 'eip155:31337': ['http://127.0.0.1:9'] }

describe('without automatic recovery', () => {
  let frame: FrameStack
  beforeAll(async () => {
    frame = await startFrame({ rpcUrls, project: { recovery: ['passkey', 'password'] } })
  })
  afterAll(() => frame?.stop())

  test('a second device restores the wallet with the password', async () => {
    const first = await openHost(frame)
    const address = await login(frame, first.page, 'ada@example.com', 1)
    await startSigning(first.page, address)
    await first.inside.getByRole('heading', { name: 'Protect your wallet first' }).waitFor()
    const field = first.inside.getByLabel('Recovery password')
    await field.fill('short')
    await first.inside.getByRole('button', { name: 'Set the password' }).click()
    await first.inside.getByText('Use at least 12 characters').waitFor()
    await field.fill(password)
    await first.inside.getByRole('button', { name: 'Set the password' }).click()
    expect(await approve(first.page, first.inside)).toBe(address)

    const second = await openHost(frame)
    expect(await login(frame, second.page, 'ada@example.com', 2)).toBe(address)
    await startSigning(second.page, address)
    const restore = second.inside.getByRole('button', { name: 'Restore' })
    await second.inside.getByLabel('Recovery password').fill('another password, wrong')
    await restore.click()
    await second.inside.getByText('Wrong password.').waitFor()
    await second.inside.getByLabel('Recovery password').fill(password)
    await restore.click()
    expect(await approve(second.page, second.inside)).toBe(address)
    // Later requests need no further steps, on both devices.
    for (const { page, inside } of [first, second]) {
      await startSigning(page, address)
      expect(await approve(page, inside)).toBe(address)
    }
  })

  test('a page that shows the frame when asked gets the card once, after the login', async () => {
    const { page, inside } = await openHost(frame)
    await openPort(page)
    await login(frame, page, 'donald@example.com', 1)
    await inside.getByRole('heading', { name: 'Protect your wallet first' }).waitFor()
    await expect.poll(() => page.evaluate(() => window.cards.at(-1))).toBeGreaterThan(100)
    await inside.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => page.evaluate(() => window.cards.at(-1))).toBeNull()
    await page.reload()
    await openPort(page)
    await send(page, 'GET_USER', {})
    expect(await page.evaluate(() => window.cards)).toEqual([])
  })

  test('a device whose storage was cleared restores the wallet with a passkey', async () => {
    const { page, inside, url } = await openHost(frame, { allow: passkeys })
    const { session } = await addAuthenticator(page)
    const address = await login(frame, page, 'grace@example.com', 1)
    await startSigning(page, address)
    await inside.getByRole('button', { name: 'Create a passkey' }).click()
    expect(await approve(page, inside)).toBe(address)

    await page.goto('about:blank')
    await session.send('Storage.clearDataForOrigin', {
      origin: frame.url,
      storageTypes: 'indexeddb',
    })
    await page.goto(url)
    expect(await login(frame, page, 'grace@example.com', 2)).toBe(address)
    await startSigning(page, address)
    await inside.getByRole('button', { name: 'Use my passkey' }).click()
    expect(await approve(page, inside)).toBe(address)
  })

  test('after the password was removed, the passkey restores the wallet, and a key that has to be replaced is', async () => {
    const email = 'katherine@example.com'
    const { page, inside, url } = await openHost(frame, { allow: passkeys })
    const { session } = await addAuthenticator(page)
    const clear = async () => {
      await page.goto('about:blank')
      await session.send('Storage.clearDataForOrigin', {
        origin: frame.url,
        storageTypes: 'indexeddb',
      })
    }
    const address = await login(frame, page, email, 1)
    await startSigning(page, address)
    await inside.getByRole('button', { name: 'Create a passkey' }).click()
    expect(await approve(page, inside)).toBe(address)

    await clear()
    await page.goto(`${frame.url}/settings`)
    frame.advance(31)
    await page.getByLabel('Email address').fill(email)
    await page.getByRole('button', { name: 'Send a code' }).click()
    await page.getByLabel(`Code from the email to ${email}`).fill(await frame.codeFor(email, 2))
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('button', { name: 'Use my passkey' }).click()
    await page.getByRole('heading', { name: 'Devices' }).waitFor()
    const change = async () => {
      await page.getByRole('button', { name: 'Change the methods' }).click()
      await page.getByRole('button', { name: 'Use my passkey' }).click()
    }
    await change()
    await page.getByLabel('Recovery password').fill(password)
    await page.getByRole('button', { name: 'Set a password' }).click()
    await page.getByText('A password').waitFor()
    const storage = await openStorage({ ...readConfig({}), dataDir: frame.dataDir })
    const { db } = storage
    const keyId = async () => {
      const rows = db
        .selectFrom('frame_recoveries')
        .innerJoin('frame_users', 'frame_users.id', 'frame_recoveries.user_id')
        .select('frame_recoveries.recovery_id')
        .where('frame_users.email', '=', email)
      return (await rows.executeTakeFirstOrThrow()).recovery_id
    }
    const before = await keyId()
    await change()
    await page.getByRole('button', { name: 'Remove Password' }).click()
    await page.getByRole('button', { name: 'Change the methods' }).waitFor()
    await page.getByText('A password').waitFor({ state: 'detached' })
    expect(await keyId()).not.toBe(before)

    // If the key could not be replaced, for example after another device was removed, the next visit does so.
    const due = async () => db.updateTable('frame_recoveries').set({ is_outdated: 1 }).execute()
    const warning = page.getByText('A method or a device that was removed may still')
    await due()
    await page.reload()
    await page.getByText('Replaced the recovery key').waitFor()
    expect(await warning.count()).toBe(0)
    // If that fails, for example because the login is too old, the page says what to do.
    await due()
    await page.route('**/api/wallet/methods', (route) => route.abort())
    await page.reload()
    await warning.waitFor()
    await page.unroute('**/api/wallet/methods')
    await storage.close()

    await clear()
    await page.goto(url)
    expect(await login(frame, page, email, 3)).toBe(address)
    await startSigning(page, address)
    await inside.getByRole('button', { name: 'Use my passkey' }).waitFor()
    expect(await inside.getByLabel('Recovery password').count()).toBe(0)
    await inside.getByRole('button', { name: 'Use my passkey' }).click()
    expect(await approve(page, inside)).toBe(address)
  })

  test('a frame that may not use passkeys gets the key from a window of its origin, once', async () => {
    const first = await openHost(frame, { allow: passkeys })
    await addAuthenticator(first.page)
    const address = await login(frame, first.page, 'alan@example.com', 1)
    await startSigning(first.page, address)
    await first.inside.getByRole('button', { name: 'Create a passkey' }).click()
    expect(await approve(first.page, first.inside)).toBe(address)

    // A virtual authenticator works in one tab only, so the window's page is
    // opened in the first tab.
    const second = await openHost(frame, { init: keepWindowUrl })
    expect(await login(frame, second.page, 'alan@example.com', 2)).toBe(address)
    await startSigning(second.page, address)
    const opening = second.page.waitForEvent('popup')
    await second.inside.getByRole('button', { name: 'Use my passkey in a window' }).click()
    const popup = await opening
    const digits = await second.inside.locator('.digits').textContent()
    expect(popup.url()).toBe('about:blank')
    const restoreUrl = await second.inside
      .locator('body')
      .evaluate(() => (window as { windowUrl?: string }).windowUrl!)
    await first.page.goto(restoreUrl)
    await first.page.getByText('Restore your wallet').waitFor()
    expect(await first.page.locator('.digits').textContent()).toBe(digits)
    expect(new URL(first.page.url()).hash).toBe('')
    await first.page.getByRole('button', { name: 'Use my passkey' }).click()
    await first.page.getByRole('heading', { name: 'Done' }).waitFor()
    expect(await approve(second.page, second.inside)).toBe(address)

    await first.page.goto('about:blank')
    await first.page.goto(restoreUrl)
    await first.page.getByText('This link has already been used').waitFor()
  })
})

describe('with automatic recovery', () => {
  let frame: FrameStack
  beforeAll(async () => {
    frame = await startFrame({ rpcUrls })
  })
  afterAll(() => frame?.stop())

  const offer = 'Add a passkey to your wallet?'

  test('a passkey is offered after the first login, once the page shows the address', async () => {
    const { page, inside, url } = await openHost(frame, { allow: passkeys })
    const { session } = await addAuthenticator(page)
    await openPort(page)
    const address = await login(frame, page, 'ada@example.com', 1)
    expect(await page.evaluate(() => window.cards)).toEqual([])
    await inside.getByRole('heading', { name: offer }).waitFor()
    await inside.getByText('the operator of this server can restore your wallet').waitFor()
    await expect.poll(() => page.evaluate(() => window.kinds.at(-1))).toBe('offer')
    await inside.getByRole('button', { name: 'Create a passkey' }).click()
    await expect.poll(() => page.evaluate(() => window.cards.at(-1))).toBeNull()
    expect(await frame.lastMail('ada@example.com')).toMatch(/passkey “\w+”/)
    await startSigning(page, address)
    expect(await approve(page, inside)).toBe(address)

    // Once the user has a passkey, a new device offers none.
    await page.goto('about:blank')
    await session.send('Storage.clearDataForOrigin', {
      origin: frame.url,
      storageTypes: 'indexeddb',
    })
    await page.goto(url)
    await openPort(page)
    expect(await login(frame, page, 'ada@example.com', 2)).toBe(address)
    await startSigning(page, address)
    expect(await approve(page, inside)).toBe(address)
    expect(await inside.getByRole('heading', { name: offer }).count()).toBe(0)
  })

  test('a passkey that was declined is not offered again at the next login', async () => {
    const { page, inside } = await openHost(frame, { allow: passkeys })
    await openPort(page)
    const address = await login(frame, page, 'grace@example.com', 1)
    await inside.getByRole('button', { name: 'Not now' }).click()
    await inside.getByRole('heading', { name: offer }).waitFor({ state: 'detached' })
    await send(page, 'SIGN_OUT')
    expect(await login(frame, page, 'grace@example.com', 2)).toBe(address)
    // Otherwise, the offer would hide the approval.
    await startSigning(page, address)
    expect(await approve(page, inside)).toBe(address)
  })

  test('no passkey is offered if the page cannot show a card, or if the frame has no passkeys', async () => {
    const official = await openHost(frame, { allow: passkeys })
    const denied = await openHost(frame)
    await openPort(denied.page)
    for (const [{ page, inside }, email] of [
      [official, 'alan@example.com'],
      [denied, 'eve@example.com'],
    ] as const) {
      const address = await login(frame, page, email, 1)
      await startSigning(page, address)
      expect(await approve(page, inside)).toBe(address)
      expect(await inside.getByRole('heading', { name: offer }).count()).toBe(0)
    }
  })
})

describe('the settings', () => {
  let frame: FrameStack
  beforeAll(async () => {
    frame = await startFrame({ rpcUrls })
  })
  afterAll(() => frame?.stop())

  /** Logs in to the settings in a new browser profile. */
  async function openSettings(email: string, nth: number) {
    const opened = await browser.newPage({ width: 480 })
    const { page } = opened
    await page.goto(`${frame.url}/settings`)
    if (nth > 1) frame.advance(31)
    await page.getByLabel('Email address').fill(email)
    await page.getByRole('button', { name: 'Send a code' }).click()
    await page.getByLabel(`Code from the email to ${email}`).fill(await frame.codeFor(email, nth))
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('heading', { name: 'Devices' }).waitFor()
    return opened
  }

  test('restore the wallet automatically, and replace automatic recovery by a passkey and a password', async () => {
    const host = await openHost(frame)
    const address = await login(frame, host.page, 'ada@example.com', 1)
    const { page, consoleErrors } = await openSettings('ada@example.com', 2)
    await addAuthenticator(page)
    await page.getByText(address).waitFor()
    await page.getByText('The operator of this server can restore your wallet, too.').waitFor()
    await page.getByRole('button', { name: 'Change the methods' }).click()
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText('A passkey', { exact: true }).waitFor()

    // The next change is confirmed with the passkey.
    const change = async () => {
      await page.getByRole('button', { name: 'Change the methods' }).click()
      await page.getByRole('button', { name: 'Use my passkey' }).click()
    }
    await change()
    await page.getByRole('button', { name: 'Remove automatic recovery' }).click()
    await page.getByText('The operator of this server').waitFor({ state: 'detached' })
    await change()
    expect(await page.getByRole('button', { name: /^Remove Passkey/ }).count()).toBe(0)
    // The authenticator has a passkey of this wallet already.
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText('No passkey was used.').waitFor()
    await page.getByLabel('Recovery password').fill(password)
    await page.getByRole('button', { name: 'Set a password' }).click()
    await page.getByText('A password').waitFor()
    await expect
      .poll(() => frame.lastMail('ada@example.com'))
      .toMatch(/Recovery: passkey “\w+” and password\n/)
    expect(await axe(page)).toEqual([])
    expect(consoleErrors).toEqual([])

    // The device of the first login still signs, and another device needs the
    // password.
    await startSigning(host.page, address)
    expect(await approve(host.page, host.inside)).toBe(address)
    const third = await openHost(frame)
    expect(await login(frame, third.page, 'ada@example.com', 3)).toBe(address)
    await startSigning(third.page, address)
    await third.inside.getByLabel('Recovery password').fill(password)
    await third.inside.getByRole('button', { name: 'Restore' }).click()
    expect(await approve(third.page, third.inside)).toBe(address)
  })

  test('attack: a device that was removed in the settings can no longer sign', async () => {
    const host = await openHost(frame)
    const address = await login(frame, host.page, 'eve@example.com', 1)
    const { page } = await openSettings('eve@example.com', 2)
    const hostName = new URL(host.url).host
    await page.getByRole('button', { name: `at ${hostName}` }).click()
    await page.getByText(`${hostName}, used`).waitFor({ state: 'detached' })
    await startSigning(host.page, address)
    await host.inside.getByRole('button', { name: 'Sign', disabled: false }).click()
    const reply = await host.page.evaluate<Reply>(() => window.signed!)
    expect(reply.type).toBe('@w3m-frame/RPC_REQUEST_ERROR')
    await expect.poll(() => frame.lastMail('eve@example.com')).toContain('was removed')
  })

  test('save a backup that opens without the server, and show the phrase while a button is held', async () => {
    const host = await openHost(frame)
    const address = await login(frame, host.page, 'alan@example.com', 1)
    const { page } = await openSettings('alan@example.com', 2)
    frame.advance(31)
    await page.getByRole('button', { name: 'Show the secret phrase' }).click()
    const label = 'Code from the email to alan@example.com'
    await page.getByLabel(label).fill(await frame.codeFor('alan@example.com', 3))
    const show = page.getByRole('button', { name: 'Show', exact: true })
    expect(await show.isDisabled()).toBe(true)
    await page.getByLabel('Type “show my phrase”').fill('show my phrase')
    await show.click()
    const hold = page.getByRole('button', { name: 'Hold to show' })
    await hold.waitFor()
    const words = () => page.locator('.phrase li').allTextContents()
    expect(new Set(await words())).toEqual(new Set(['••••••']))
    await hold.hover()
    await page.mouse.down()
    const phrase = (await words()).join(' ')
    expect(mnemonicToAccount(phrase).address).toBe(address)
    await page.mouse.up()
    expect(new Set(await words())).toEqual(new Set(['••••••']))
    await page.getByRole('button', { name: 'Done' }).click()
    await expect.poll(() => frame.lastMail('alan@example.com')).toContain('secret phrase')

    frame.advance(31)
    await page.getByRole('button', { name: 'Save an encrypted backup' }).click()
    await page.getByLabel(label).fill(await frame.codeFor('alan@example.com', 4))
    await page.getByLabel('Password of the backup').fill(password)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: /^Download gatefold-backup/ }).click(),
    ])
    const folder = await mkdtemp(join(tmpdir(), 'gatefold-backup-'))
    const file = join(folder, 'backup.json')
    await download.saveAs(file)
    expect(await readFile(file, 'utf8')).not.toContain(phrase.split(' ')[0])
    expect(await openBackup(file, password)).toEqual({ code: 0, out: `${phrase}\n` })
    expect(await openBackup(file, 'another password')).toMatchObject({ code: 2, out: '' })
    await rm(folder, { recursive: true })
  })
})

describe('with a passkey alone', () => {
  let frame: FrameStack
  beforeAll(async () => {
    frame = await startFrame({ rpcUrls })
  })
  afterAll(() => frame?.stop())

  test('attack: the phrase of a user without an address needs a passkey of this user', async () => {
    const { page, inside } = await openHost(frame, { allow: passkeys })
    const { session, authenticatorId } = await addAuthenticator(page)
    await expect.poll(() => types(page)).toContain('@w3m-frame/READY')
    const create = async () => {
      await page.evaluate(() => void (window.signed = window.send('CONNECT_PASSKEY')))
      await inside.getByRole('button', { name: 'Create a wallet with a passkey' }).click()
      expect((await page.evaluate<Reply>(() => window.signed!)).type).toMatch(/_SUCCESS$/)
      const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId })
      return credentials
    }
    const [other] = await create()
    await send(page, 'SIGN_OUT')
    const own = (await create()).find(({ credentialId }) => credentialId !== other!.credentialId)!
    const { payload } = await send(page, 'GET_USER', {})
    const { address } = payload as { address: string }

    await page.goto(`${frame.url}/settings`)
    const show = async () => {
      await page.getByRole('button', { name: 'Show the secret phrase' }).click()
      await page.getByLabel('Type “show my phrase”').fill('show my phrase')
      await page.getByRole('button', { name: 'Show', exact: true }).click()
    }
    const phrase = page.locator('.phrase')
    await show()
    await phrase.waitFor()
    await page.getByRole('button', { name: 'Hold to show' }).hover()
    await page.mouse.down()
    const words = (await phrase.locator('li').allTextContents()).join(' ')
    expect(mnemonicToAccount(words).address).toBe(address)
    await page.mouse.up()
    await page.getByRole('button', { name: 'Done' }).click()

    const { credentialId } = own
    await session.send('WebAuthn.removeCredential', { authenticatorId, credentialId })
    await show()
    const problem = page.getByText('No passkey was used.')
    await phrase.or(problem).waitFor()
    expect(await phrase.count()).toBe(0)
  })

  test('a visitor has a wallet without an email address, even after the storage was cleared', async () => {
    const { page, inside, url } = await openHost(frame, { allow: passkeys })
    const bodies: string[] = []
    page.on('request', (request) => bodies.push(request.postData() ?? ''))
    const { session } = await addAuthenticator(page)
    const clear = async () => {
      await page.goto('about:blank')
      await session.send('Storage.clearDataForOrigin', {
        origin: frame.url,
        storageTypes: 'indexeddb',
      })
    }
    const connect = async (button: string) => {
      await expect.poll(() => types(page)).toContain('@w3m-frame/READY')
      await page.evaluate(() => void (window.signed = window.send('CONNECT_PASSKEY')))
      await inside.getByRole('button', { name: button }).click()
      const { type } = await page.evaluate<Reply>(() => window.signed!)
      expect(type).toBe('@w3m-frame/CONNECT_PASSKEY_SUCCESS')
      const { payload } = await send(page, 'GET_USER', {})
      expect(payload).toMatchObject({ email: null })
      return (payload as { address: string }).address
    }
    const address = await connect('Create a wallet with a passkey')
    await startSigning(page, address)
    expect(await approve(page, inside)).toBe(address)

    await clear()
    await page.goto(url)
    expect(await connect('Use my passkey')).toBe(address)
    await startSigning(page, address)
    expect(await approve(page, inside)).toBe(address)

    // In the settings, the same passkey logs in, and an address can be added.
    await clear()
    await page.goto(`${frame.url}/settings`)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText(address).waitFor()
    await page.getByRole('textbox', { name: 'Email address' }).fill('linus@example.com')
    await page.getByRole('button', { name: 'Send a code' }).click()
    await page
      .getByLabel('Code from the email to linus@example.com')
      .fill(await frame.codeFor('linus@example.com'))
    await page.getByRole('button', { name: 'Add the address' }).click()
    await page.getByRole('heading', { name: 'Email address' }).waitFor({ state: 'detached' })
    await page.getByText('linus@example.com').waitFor()

    // The device keeps its share, because the server releases none for it again.
    await page.getByRole('button', { name: 'Log out', exact: true }).click()
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText(address).waitFor()

    // The output of the PRF stays in the frame.
    expect(bodies.join('')).toContain('clientDataJSON')
    expect(bodies.join('')).not.toMatch(/"prf"/)
  })

  test('a login that the page cancels ends, even while the browser asks for the passkey', async () => {
    const { page, inside } = await openHost(frame, { allow: passkeys })
    const { session, authenticatorId } = await addAuthenticator(page)
    const answers = (enabled: boolean) =>
      session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
    const start = async () => {
      await page.evaluate(() => void (window.signed = window.send('CONNECT_PASSKEY')))
      await inside.getByRole('button', { name: 'Create a wallet with a passkey' }).click()
    }
    await expect.poll(() => types(page)).toContain('@w3m-frame/READY')
    await answers(false)
    await start()
    await inside.getByRole('button', { name: 'Creating…' }).waitFor()
    await page.evaluate(() => void window.send('RPC_ABORT'))
    expect((await page.evaluate<Reply>(() => window.signed!)).type).toMatch(/_ERROR$/)
    await answers(true)
    await start()
    expect((await page.evaluate<Reply>(() => window.signed!)).type).toMatch(/_SUCCESS$/)
    const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId })
    expect(credentials).toHaveLength(1)
  })
})

/** Runs `gatefold backup open` with a password. */
function openBackup(file: string, word: string) {
  const bin = join(import.meta.dirname, '../../packages/server/src/bin.ts')
  const args = ['--conditions=@gatefold/source', bin, 'backup', 'open', file]
  return new Promise<{ code: number; out: string }>((resolve) => {
    const child = execFile(process.execPath, args, (error, out) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out }),
    )
    child.stdin!.end(`${word}\n`)
  })
}
