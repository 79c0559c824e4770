import { limits } from '@gatefold/protocol'
import type {
  AuditEntry,
  FrameDevice,
  LoginResponse,
  SessionTokens,
} from '@gatefold/protocol/frame'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { saveProject } from '../storage/projects.ts'
import { pageOrigin, nextSet, testSet } from '../testing/createTestDevice.ts'
import { createClock, createTestFrame, type TestFrame } from '../testing/createTestFrame.ts'
import { testProject } from '../testing/testProject.ts'

let frame: TestFrame
let clock: ReturnType<typeof createClock>
beforeEach(async () => {
  clock = createClock()
  frame = await createTestFrame(
    {},
    { now: clock.now, frameTiming: { deviceWaitMs: 60, devicePollMs: 20 } },
  )
})
afterEach(() => frame.stop())

type Device = Awaited<ReturnType<TestFrame['device']>>

const refresh = async (device: Device, refreshToken: string) =>
  device.post<SessionTokens>('/api/session/refresh', { refreshToken })

/** The status of a request with a session. */
const use = async (device: Device, accessToken: string) =>
  (await device.post('/api/user', {}, { accessToken })).status

describe('a session', () => {
  test('attack: ends after ten minutes, and is continued by its refresh token for seven days', async () => {
    const device = await frame.device()
    const { session } = await device.login('ada@example.com')
    clock.advance(limits.accessTokenSeconds - 1)
    expect(await use(device, session.accessToken)).toBe(200)
    clock.advance(1)
    const { accessToken } = session
    const { status, headers } = await device.post('/api/user', {}, { accessToken })
    expect(status).toBe(401)
    // See RFC 9449, section 7.1.
    expect(headers.get('www-authenticate')).toBe('DPoP error="invalid_token", algs="ES256"')
    const next = (await refresh(device, session.refreshToken)).body
    expect(await use(device, next.accessToken)).toBe(200)
    clock.advance(limits.refreshTokenSeconds)
    expect((await refresh(device, next.refreshToken)).status).toBe(401)
  })

  test('attack: the second use of a refresh token ends the whole session', async () => {
    const device = await frame.device()
    const { session } = await device.login('ada@example.com')
    const next = (await refresh(device, session.refreshToken)).body
    expect(await use(device, session.accessToken)).toBe(401)
    expect(await use(device, next.accessToken)).toBe(200)
    expect((await refresh(device, session.refreshToken)).reason?.code).toBe('session_ended')
    expect(await use(device, next.accessToken)).toBe(401)
    expect((await refresh(device, next.refreshToken)).status).toBe(401)
  })

  test('attack: of parallel uses of a refresh token, one gets tokens, and they are ended', async () => {
    const device = await frame.device()
    const { session } = await device.login('ada@example.com')
    const answers = await Promise.all(
      [1, 2, 3].map(async () => refresh(device, session.refreshToken)),
    )
    const granted = answers.filter(({ status }) => status === 200)
    expect(granted.length).toBeLessThan(2)
    for (const { body } of granted) expect(await use(device, body.accessToken)).toBe(401)
  })

  test('ends by itself, or with all sessions of the user', async () => {
    const [first, second] = [await frame.device(), await frame.device()]
    const one = (await first.login('ada@example.com')).session
    clock.advance(30)
    const two = (await second.login('ada@example.com')).session
    await first.post('/api/session/end', {}, { accessToken: one.accessToken })
    expect(await use(first, one.accessToken)).toBe(401)
    expect((await refresh(first, one.refreshToken)).status).toBe(401)
    expect(await use(second, two.accessToken)).toBe(200)
    clock.advance(30)
    const three = (await first.login('ada@example.com')).session
    await second.post('/api/session/end', { everywhere: true }, { accessToken: two.accessToken })
    expect(await use(first, three.accessToken)).toBe(401)
    expect((await refresh(first, three.refreshToken)).status).toBe(401)
    clock.advance(30)
    expect((await first.login('ada@example.com')).user.epoch).toBe(2)
  })
})

test('attack: a session that was created while its user signed out everywhere is void', async () => {
  const device = await frame.device()
  const { session } = await device.login('ada@example.com')
  await frame.context.storage.db.updateTable('frame_users').set({ epoch: 2 }).execute()
  expect(await use(device, session.accessToken)).toBe(401)
})

describe('devices', () => {
  test('attack: are listed, and a login on a new one is notified', async () => {
    const [first, second] = [await frame.device(), await frame.device()]
    await first.login('ada@example.com')
    expect(frame.mails().map(({ subject }) => subject)).toEqual(['Your code to log in – Gatefold'])
    clock.advance(30)
    const { session } = await second.login('ada@example.com')
    expect(frame.lastMail('ada@example.com').text).toContain(
      `You logged in at ${pageOrigin} on a new device.\n\nWebsite: ${pageOrigin}\nDevice: Chrome on macOS\n`,
    )
    const { accessToken } = session
    const { body } = await second.post<{ devices: FrameDevice[] }>(
      '/api/devices',
      {},
      { accessToken },
    )
    expect(body.devices.map(({ id, isThis, name }) => [id, isThis, name])).toEqual([
      [second.id, true, 'Chrome on macOS'],
      [first.id, false, 'Chrome on macOS'],
    ])
    const audit = await second.post<{ entries: AuditEntry[] }>('/api/audit', {}, { accessToken })
    expect(audit.body.entries.map(({ event }) => event)).toEqual([
      'login_new_device',
      'login_new_device',
    ])
  })

  test('show when they last logged in or continued a session', async () => {
    const device = await frame.device()
    const { session } = await device.login('ada@example.com')
    const createdAt = clock.now()
    const list = async (accessToken: string) => {
      const path = '/api/devices'
      return (await device.post<{ devices: FrameDevice[] }>(path, {}, { accessToken })).body.devices
    }
    expect(await list(session.accessToken)).toMatchObject([{ createdAt, lastUsedAt: createdAt }])
    clock.advance(limits.accessTokenSeconds)
    const { body } = await refresh(device, session.refreshToken)
    const lastUsedAt = clock.now()
    expect(await list(body.accessToken)).toMatchObject([{ createdAt, lastUsedAt }])
  })

  test('attack: that are revoked lose their sessions and their shares', async () => {
    const [first, second] = [await frame.device(), await frame.device()]
    const one = (await first.login('ada@example.com')).session
    const created = testSet()
    await first.createWallet(one, created)
    clock.advance(30)
    const two = (await second.login('ada@example.com')).session
    const revoke = async (deviceId: string) => second.post('/api/devices/revoke', { deviceId }, two)
    // The wallet exists on the first device only.
    expect((await revoke(first.id)).reason?.code).toBe('last_set')
    expect(await use(first, one.accessToken)).toBe(200)
    await second.createWallet(two, nextSet(created))
    expect((await revoke(first.id)).status).toBe(200)
    expect(await use(first, one.accessToken)).toBe(401)
    expect((await refresh(first, one.refreshToken)).status).toBe(401)
    const shares = await frame.context.storage.db
      .selectFrom('frame_auth_shares')
      .innerJoin('frame_sets', 'frame_sets.id', 'frame_auth_shares.set_id')
      .select('device_id')
      .execute()
    expect(shares).toEqual([{ device_id: second.id }])
    expect((await revoke(first.id)).status).toBe(404)
  })
})

describe('§4.12 the confirmation of a device', () => {
  beforeEach(async () => {
    await saveProject(
      frame.context.storage.db,
      testProject({ name: 'Harbor', allowedOrigins: [pageOrigin], confirmDevices: true }),
      1,
    )
  })

  const linkIn = (email: string) =>
    new URL(/https?:\S+\/device\?token=\S+/.exec(frame.lastMail(email).text)![0])

  /** Submits the form on the page of a link. */
  const answer = async (link: URL, answer: string, headers: Record<string, string> = {}) =>
    frame.send('/device', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams({ token: link.searchParams.get('token')!, answer }).toString(),
    })

  test('needs the form of the page; opening the link changes nothing', async () => {
    const device = await frame.device()
    const { body } = await device.requestCode('ada@example.com')
    expect(body.action).toBe('VERIFY_DEVICE')
    const link = linkIn('ada@example.com')
    expect(() => frame.lastCode('ada@example.com')).toThrow('no code')
    const page = await frame.send(link.pathname + link.search)
    expect(page.status).toBe(200)
    const text = await page.text()
    expect(text).toContain('Is this you?')
    expect(text).toContain('ada@example.com')
    expect(text).toContain(pageOrigin)
    const wait = async () =>
      device.post<{ isConfirmed: boolean }>('/api/login/device', { loginId: body.loginId })
    expect((await wait()).body).toEqual({ isConfirmed: false })
    expect((await answer(link, 'confirm', { origin: 'https://evil.example' })).status).toBe(403)
    expect((await wait()).body).toEqual({ isConfirmed: false })
    const [waited] = await Promise.all([wait(), answer(link, 'confirm')])
    expect([waited.body, (await wait()).body]).toContainEqual({ isConfirmed: true })
    await wait()
    expect(frame.mails().filter(({ subject }) => subject.startsWith('Your code'))).toHaveLength(1)
    const code = frame.lastCode('ada@example.com')
    const verified = await device.post('/api/login/verify', { loginId: body.loginId, code })
    expect(verified.status).toBe(200)
    clock.advance(30)
    // The device is now known for this address, but not for another one.
    expect((await device.requestCode('ada@example.com')).body.action).toBe('VERIFY_OTP')
    expect((await device.requestCode('bob@example.com')).body.action).toBe('VERIFY_DEVICE')
  })

  test('attack: of several requests that wait for one confirmation, only one stays open', async () => {
    const frameTiming = { deviceWaitMs: 60_000, devicePollMs: 20 }
    const patient = await createTestFrame({}, { now: clock.now, frameTiming })
    const { db } = patient.context.storage
    const project = testProject({ allowedOrigins: [pageOrigin], confirmDevices: true })
    await saveProject(db, project, 1)
    const device = await patient.device()
    const { loginId } = (await device.requestCode('ada@example.com')).body
    const wait = async () =>
      (await device.post<{ isConfirmed: boolean }>('/api/login/device', { loginId })).body
    const waits = [wait(), wait()]
    expect(await Promise.race(waits)).toEqual({ isConfirmed: false })
    await db.updateTable('frame_logins').set({ confirmed_at: clock.now() }).execute()
    expect(await Promise.all(waits)).toContainEqual({ isConfirmed: true })
    await patient.stop()
  })

  test('attack: another device cannot wait for it, and a refused or late link does nothing', async () => {
    const [device, thief] = [await frame.device(), await frame.device()]
    const { loginId } = (await device.requestCode('ada@example.com')).body
    expect((await thief.post('/api/login/device', { loginId })).reason?.code).toBe('code_expired')
    const link = linkIn('ada@example.com')
    expect((await answer(link, 'refuse')).status).toBe(200)
    expect((await answer(link, 'confirm')).status).toBe(410)
    expect((await device.post('/api/login/device', { loginId })).reason?.code).toBe('code_expired')
    clock.advance(30)
    await device.requestCode('ada@example.com')
    const late = linkIn('ada@example.com')
    clock.advance(limits.deviceLinkSeconds)
    expect((await answer(late, 'confirm')).status).toBe(410)
    expect((await frame.send(late.pathname + late.search)).status).toBe(410)
  })

  /** Logs in through the project that confirms devices. */
  async function logInConfirmed(device: Device, email: string) {
    const { loginId } = (await device.requestCode(email)).body
    await answer(linkIn(email), 'confirm')
    await device.post('/api/login/device', { loginId })
    const code = frame.lastCode(email)
    return (await device.post<LoginResponse>('/api/login/verify', { loginId, code })).body
  }

  test('attack: a login through another project of the server does not open the wallet without it', async () => {
    const { db } = frame.context.storage
    await saveProject(db, testProject({ id: 'open', allowedOrigins: [pageOrigin] }), 1)
    const email = 'ada@example.com'
    const owner = await frame.device()
    const { session } = await logInConfirmed(owner, email)
    await owner.createWallet(session, testSet())
    clock.advance(30)

    const projectId = 'open'
    const thief = await frame.device()
    // The same for everybody, so that it does not show who has an account.
    for (const address of [email, 'nobody@example.com'])
      expect((await thief.requestCode(address, { projectId })).body.action).toBe('VERIFY_OTP')
    clock.advance(30)
    const first = await thief.login(email, { projectId })
    expect(first.user.needsCode).toBe(true)
    for (const path of ['/api/wallet/recovery', '/api/wallet/escrow'])
      expect((await thief.post(path, {}, first.session)).reason?.code).toBe('code_needed')

    const next = await thief.requestCode(email, { projectId })
    expect(next.body.action).toBe('VERIFY_DEVICE')
    const { loginId } = next.body
    await answer(linkIn(email), 'confirm')
    await thief.post('/api/login/device', { loginId })
    const code = frame.lastCode(email)
    const { body } = await thief.post<LoginResponse>('/api/login/verify', { loginId, code })
    expect(body.user.needsCode).toBe(false)
    expect((await thief.post('/api/wallet/recovery', {}, body.session)).status).toBe(200)
  })

  test('a user whose projects do not confirm devices needs none', async () => {
    const { db } = frame.context.storage
    await saveProject(db, testProject({ id: 'open', allowedOrigins: [pageOrigin] }), 1)
    const device = await frame.device()
    await device.login('ada@example.com', { projectId: 'open' })
    clock.advance(30)
    const other = await (await frame.device()).login('ada@example.com', { projectId: 'open' })
    expect(other.user.needsCode).toBe(false)
  })

  test('attack: without it, no guess of a code is evaluated', async () => {
    const device = await frame.device()
    const { loginId } = (await device.requestCode('ada@example.com')).body
    const guess = await device.post('/api/login/verify', { loginId, code: '123456' })
    expect(guess.reason?.code).toBe('code_expired')
  })
})
