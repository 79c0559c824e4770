import { randomBytes } from 'node:crypto'
import { limits } from '@gatefold/protocol'
import type {
  AuditEntry,
  EscrowResponse,
  ExportCodeResponse,
  FrameUser,
  HandoverResponse,
  HandoverTakeResponse,
  KeyWrap,
  LoginResponse,
  MethodsResponse,
  PasskeyChallengeResponse,
  RecoveryResponse,
} from '@gatefold/protocol/frame'
import { describe, expect, test } from 'vitest'
import { openEscrow } from '../../storage/frame/openEscrow.ts'
import { saveProject } from '../../storage/projects.ts'
import {
  nextSet,
  pageOrigin,
  signSet,
  testSet,
  type TestSet,
} from '../../testing/createTestDevice.ts'
import { createClock, createTestFrame, frameUrl } from '../../testing/createTestFrame.ts'
import { createTestPasskey } from '../../testing/createTestPasskey.ts'
import { createDatabase, engines } from '../../testing/databases.ts'
import { testProject } from '../../testing/testProject.ts'

const email = 'ada@example.com'

async function start(
  engine: (typeof engines)[number] = 'sqlite',
  change = {},
  frameTiming = { deviceWaitMs: 0, devicePollMs: 1 },
) {
  const database = await createDatabase(engine)
  const clock = createClock()
  const frame = await createTestFrame(database.config, {
    now: clock.now,
    frameTiming,
  })
  const project = testProject({ allowedOrigins: [pageOrigin], ...change })
  await saveProject(frame.context.storage.db, project, 1)
  async function login() {
    const device = await frame.device()
    clock.advance(30)
    const { session } = await device.login(email)
    return { ...device, session }
  }
  return {
    ...frame,
    clock,
    dataDir: database.config.dataDir,
    login,
    async [Symbol.asyncDispose]() {
      await frame.stop()
      await database.remove()
    },
  }
}

type Frame = Awaited<ReturnType<typeof start>>
type Device = Awaited<ReturnType<Frame['login']>>

/** A password that wraps the recovery key. */
function testWrap(): KeyWrap {
  const [salt, wrapped] = [randomBytes(16), randomBytes(60)].map((bytes) =>
    bytes.toString('base64url'),
  ) as [string, string]
  return { method: 'password', createdAt: 1, salt, memoryKib: 65_536, passes: 3, lanes: 1, wrapped }
}

async function stage({ post, session }: Device, set: TestSet) {
  return post('/api/wallet/stage', set, session)
}

async function commit({ post, session }: Device, { setId }: TestSet) {
  const { status, reason } = await post('/api/wallet/commit', { setId }, session)
  return reason?.code ?? status
}

async function methods({ post, session }: Device) {
  return (await post<MethodsResponse>('/api/wallet/methods', {}, session)).body
}

describe.each(engines)('the recovery methods on %s', (engine) => {
  test('change for all devices with the commit, and the user gets a notice', async () => {
    await using frame = await start(engine)
    const [first, second] = [await frame.login(), await frame.login()]
    const created = testSet()
    await first.createWallet(first.session, created)
    await second.createWallet(second.session, nextSet(created))
    const wraps = [testWrap()]
    const changed = nextSet(created, { wraps, version: 1, recoveryKey: created.recoveryKey })
    expect((await stage(second, changed)).status).toBe(200)
    expect(await methods(first)).toMatchObject({ version: 1, wraps: [], isAutomatic: true })
    expect(await commit(second, changed)).toBe(200)
    expect(await commit(second, changed)).toBe(200)
    expect(await methods(first)).toEqual({
      recoveryId: created.setId,
      version: 2,
      wraps,
      isAutomatic: true,
      publicKey: created.recoveryPublicKey,
      signature: (await signSet(changed)).methodsSignature,
    })
    expect(frame.lastMail(email).text).toContain('Recovery: automatic recovery and password\n')
    const escrow = await first.post<EscrowResponse>('/api/wallet/escrow', {}, first.session)
    expect(escrow.body.recoveryKey).toBe(created.recoveryKey)
  })

  test('attack: of two devices that change the methods at the same time, one wins', async () => {
    await using frame = await start(engine)
    const devices = [await frame.login(), await frame.login()]
    const created = testSet()
    await devices[0]!.createWallet(devices[0]!.session, created)
    await devices[1]!.createWallet(devices[1]!.session, nextSet(created))
    const sets = devices.map(() => nextSet(created, { wraps: [testWrap()], version: 1 }))
    for (const [index, device] of devices.entries()) await stage(device, sets[index]!)
    const outcomes = await Promise.all(
      devices.map(async (device, index) => commit(device, sets[index]!)),
    )
    expect(new Set(outcomes)).toEqual(new Set([200, 'recovery_changed']))
    const { wraps } = await methods(devices[0]!)
    expect(wraps).toEqual(sets[outcomes.indexOf(200)]!.wraps)
  })
})

test('attack: a set for another recovery key is refused, unless it replaces the methods and names the key', async () => {
  await using frame = await start()
  const device = await frame.login()
  const created = testSet({ wraps: [testWrap()], recoveryKey: undefined })
  await device.createWallet(device.session, created)
  const other = testSet()
  const { recoveryPublicKey } = other
  for (const set of [
    // Without methods: another key, or another public key of the same key.
    nextSet(other),
    nextSet(created, { recoveryPublicKey }),
    // With methods, which could not be distinguished from the methods of the named key.
    nextSet(other, { wraps: [testWrap()], version: 1 }),
    nextSet(created, { recoveryPublicKey, wraps: [testWrap()], version: 1 }),
  ]) {
    await stage(device, set)
    expect(await commit(device, set)).toBe('recovery_changed')
  }
  const replaced = testSet({ wraps: [testWrap()], version: 1, recoveryKey: undefined })
  await stage(device, replaced)
  expect(await commit(device, replaced)).toBe(200)
  expect(await methods(device)).toMatchObject({ recoveryId: replaced.setId, version: 2 })
})

test('attack: recovery methods that the wallet has not signed are refused', async () => {
  await using frame = await start()
  const device = await frame.login()
  const created = testSet()
  await device.createWallet(device.session, created)
  const set = testSet({ wraps: [testWrap()], version: 1, recoveryKey: undefined })
  const signed = await signSet(set)
  const publicKey = randomBytes(65).toString('base64url')
  for (const change of [
    { methodsSignature: undefined },
    { wraps: [{ ...set.wraps![0]!, publicKey }] },
    { recoveryPublicKey: publicKey },
    { version: 2 },
    { recoveryKey: created.recoveryKey },
  ]) {
    const { reason } = await stage(device, { ...signed, ...change })
    expect([reason?.field, reason?.code]).toEqual(['methodsSignature', 'wrong_signature'])
  }
  expect((await stage(device, signed)).status).toBe(200)
})

describe.each(engines)('a recovery key that is replaced, on %s', (engine) => {
  async function startDevices() {
    const frame = await start(engine)
    const [first, second] = [await frame.login(), await frame.login()]
    const created = testSet()
    const kept = nextSet(created)
    await first.createWallet(first.session, created)
    await second.createWallet(second.session, kept)
    return { frame, first, second, created, kept }
  }

  const isOutdated = async ({ post, session }: Device) =>
    (await post<FrameUser>('/api/user', {}, session)).body.recovery?.isOutdated

  test('attack: leaves no share for the previous key on the server, and releases none', async () => {
    const { frame, first, second, created, kept } = await startDevices()
    await using _ = frame
    const { db } = frame.context.storage
    const replaced = testSet({ version: 1 })
    const late = nextSet(created)
    expect((await stage(second, late)).status).toBe(200)
    expect((await stage(first, replaced)).status).toBe(200)
    expect(await commit(first, replaced)).toBe(200)
    const dump = JSON.stringify(await db.selectFrom('frame_sets').selectAll().execute())
    for (const { recoveryShare } of [created, kept, late]) expect(dump).not.toContain(recoveryShare)
    expect(dump).toContain(replaced.recoveryShare)
    expect(await commit(second, late)).toBe('recovery_changed')

    const third = await frame.login()
    const recover = async (skip: string[]) => {
      const { body, reason } = await third.post<RecoveryResponse>(
        '/api/wallet/recovery',
        { skip },
        third.session,
      )
      return reason?.code ?? body.setId
    }
    expect(await recover([])).toBe(replaced.setId)
    expect(await recover([replaced.setId])).toBe('no_set')

    // The other device still signs, and stores a share for the current key.
    const { post, session } = second
    expect((await post('/api/wallet/share', {}, session)).body).toMatchObject({ setId: kept.setId })
    await second.createWallet(session, nextSet(replaced))
    // Without another change of the methods, there is no notice.
    const { body } = await post<{ entries: AuditEntry[] }>('/api/audit', {}, session)
    expect(body.entries.map(({ event }) => event)).toContain('recovery_key_changed')
    expect(frame.mails().filter(({ subject }) => /methods/.test(subject))).toEqual([])
  })

  test('attack: is due after a device was removed and after signing out everywhere, until a device replaces it', async () => {
    const { frame, first, second } = await startDevices()
    await using _ = frame
    expect(await isOutdated(first)).toBe(false)
    const revoke = async (device: Device, deviceId: string) =>
      (await device.post('/api/devices/revoke', { deviceId }, device.session)).reason?.code
    // Without the replaced key, no other device could restore the wallet.
    const replaced = testSet({ version: 1 })
    await stage(first, replaced)
    await commit(first, replaced)
    expect(await revoke(second, first.id)).toBe('last_set')
    expect(await revoke(first, second.id)).toBe(undefined)
    expect(await isOutdated(first)).toBe(true)
    const again = testSet({ version: 2 })
    await stage(first, again)
    expect(await isOutdated(first)).toBe(true)
    expect(await commit(first, again)).toBe(200)
    expect(await isOutdated(first)).toBe(false)
    await first.post('/api/session/end', { everywhere: true }, first.session)
    expect(await isOutdated(await frame.login())).toBe(true)
  })
})

test('attack: when automatic recovery is removed, the escrow store has no key of the user', async () => {
  await using frame = await start()
  const device = await frame.login()
  const created = testSet()
  await device.createWallet(device.session, created)
  const changed = nextSet(created, { wraps: [testWrap()], version: 1 })
  await stage(device, changed)
  const { user_id: userId } = await frame.context.storage.db
    .selectFrom('frame_sets')
    .select('user_id')
    .where('id', '=', created.setId)
    .executeTakeFirstOrThrow()
  const escrow = openEscrow({ databaseUrl: undefined, dataDir: frame.dataDir })
  expect(await escrow.find(created.setId, userId)).toBeDefined()
  expect(await commit(device, changed)).toBe(200)
  expect(await escrow.find(created.setId, userId)).toBeUndefined()
  await escrow.close()
})

test('attack: a project without automatic recovery stores no recovery key', async () => {
  await using frame = await start('sqlite', { recovery: ['passkey', 'password'] })
  const device = await frame.login()
  const { status, reason } = await stage(device, testSet())
  expect([status, reason?.code]).toEqual([403, 'not_offered'])
  await device.createWallet(device.session, testSet({ recoveryKey: undefined }))
})

test('attack: the wrapped recovery key is released only after a login of the last five minutes', async () => {
  await using frame = await start()
  const device = await frame.login()
  await device.createWallet(device.session, testSet())
  expect(await methods(device)).toHaveProperty('wraps')
  frame.clock.advance(limits.freshLoginSeconds + 1)
  const late = await device.post('/api/wallet/methods', {}, device.session)
  expect([late.status, late.reason?.code]).toEqual([403, 'login_too_old'])
})

describe('a handover', () => {
  const publicKey = randomBytes(65).toString('base64url')
  const sealed = randomBytes(120).toString('base64url')

  async function startHandover(device: Device) {
    const body = { publicKey }
    return (await device.post<HandoverResponse>('/api/handover/start', body, device.session)).body
  }

  test('attack: can be opened once, filled only by that page, and read only by its device', async () => {
    await using frame = await start()
    const [device, other] = [await frame.login(), await frame.login()]
    await device.createWallet(device.session, testSet())
    const { handoverId, token } = await startHandover(device)
    const [page, thief] = [await frame.device(), await frame.device()]
    const codeOf = ({
      status,
      reason,
    }: {
      status: number
      reason?: { code?: string } | undefined
    }) => reason?.code ?? status
    expect(codeOf(await thief.post('/api/handover/put', { token, sealed }))).toBe('no_handover')
    const opened = await page.post('/api/handover/open', { token })
    expect(opened.body).toMatchObject({ publicKey, origin: pageOrigin, isAutomatic: true })
    expect(codeOf(await thief.post('/api/handover/open', { token }))).toBe('no_handover')
    expect(codeOf(await thief.post('/api/handover/put', { token, sealed }))).toBe('no_handover')
    expect(codeOf(await page.post('/api/handover/put', { token, sealed }))).toBe(200)
    expect(codeOf(await page.post('/api/handover/put', { token, sealed }))).toBe('no_handover')
    const take = async ({ post, session }: Device) =>
      post<HandoverTakeResponse>('/api/handover/take', { handoverId }, session)
    expect(codeOf(await take(other))).toBe('no_handover')
    expect((await take(device)).body).toEqual({ sealed })
    expect(codeOf(await take(device))).toBe('no_handover')
  })

  test('attack: one request for a handover waits; others are answered immediately', async () => {
    await using frame = await start('sqlite', {}, { deviceWaitMs: 3_000, devicePollMs: 1 })
    const device = await frame.login()
    await device.createWallet(device.session, testSet())
    const { handoverId, token } = await startHandover(device)
    const page = await frame.device()
    await page.post('/api/handover/open', { token })
    const takes = Array.from({ length: 2 }, async () =>
      device.post<HandoverTakeResponse>('/api/handover/take', { handoverId }, device.session),
    )
    expect((await Promise.race(takes)).body).toEqual({ sealed: null })
    // If the second request did not wait, it would have ended by now.
    await frame.login()
    await page.post('/api/handover/put', { token, sealed })
    const taken = (await Promise.all(takes)).map(({ body }) => body.sealed)
    expect(new Set(taken)).toEqual(new Set([null, sealed]))
  })

  test('attack: expires', async () => {
    await using frame = await start()
    const device = await frame.login()
    await device.createWallet(device.session, testSet())
    const { token } = await startHandover(device)
    frame.clock.advance(limits.handoverSeconds)
    const page = await frame.device()
    const late = await page.post('/api/handover/open', { token })
    expect(late.reason?.code).toBe('no_handover')
  })
})

test('attack: a login code cannot be used for an export, whose notice names the page of the session', async () => {
  await using frame = await start()
  const device = await frame.login()
  const send = async (more: object) => {
    const body = { form: 'phrase', ...more }
    const { status, reason } = await device.post('/api/audit/export', body, device.session)
    return reason?.code ?? status
  }
  const requestCode = async () => {
    frame.clock.advance(31)
    const answer = await device.post<ExportCodeResponse>('/api/export/code', {}, device.session)
    return answer.body.confirmId
  }
  expect(await send({})).toBe('code_expired')
  frame.clock.advance(31)
  const { body } = await device.requestCode(email)
  const login = { confirmId: body.loginId, code: frame.lastCode(email) }
  expect(await send(login)).toBe('code_expired')
  const confirmId = await requestCode()
  expect(frame.lastMail(email).subject).toBe('Your code to export your wallet – Gatefold')
  expect(frame.lastMail(email).text).toContain(`Enter this code at ${frameUrl} to export`)
  expect(await send({ confirmId, code: frame.lastCode(email) })).toBe(200)
  const notice = frame.lastMail(email)
  expect(notice.subject).toBe('Your secret phrase was shown – Gatefold')
  expect(notice.text).toContain(`Website: ${pageOrigin}\n`)
  const { entries } = (
    await device.post<{ entries: AuditEntry[] }>('/api/audit', {}, device.session)
  ).body
  expect(entries[0]).toMatchObject({ event: 'phrase_shown', origin: pageOrigin })
})

describe('a login with a passkey', () => {
  const rpId = new URL(frameUrl).hostname
  const site = { origin: frameUrl, topOrigin: pageOrigin }

  async function challenge({ post }: Pick<Device, 'post'>) {
    const body = { origin: pageOrigin }
    return (await post<PasskeyChallengeResponse>('/api/passkey/challenge', body)).body
  }

  const send = async ({ post }: Pick<Device, 'post'>, passkey: object) =>
    post<LoginResponse>('/api/login/passkey', { origin: pageOrigin, passkey })

  test('creates a user without an address, and finds the user again', async () => {
    await using frame = await start()
    const [device, other] = [await frame.device(), await frame.device()]
    const passkey = createTestPasskey(rpId)
    const first = await challenge(device)
    const created = await send(device, passkey.create({ ...site, ...first }))
    expect(created.body.user).toMatchObject({ id: first.userId, email: null, wallet: null })
    const again = await send(other, passkey.get({ ...site, ...(await challenge(other)) }))
    expect(again.body.user.id).toBe(first.userId)
    expect(frame.mails()).toEqual([])
  })

  test('attack: is refused for another device, page or origin, when repeated or late, and without user verification', async () => {
    await using frame = await start()
    const [device, other] = [await frame.device(), await frame.device()]
    const passkey = createTestPasskey(rpId)
    const first = passkey.create({ ...site, ...(await challenge(device)) })
    expect((await send(device, first)).status).toBe(200)
    const refused = async (response: object) => (await send(device, response)).reason?.code
    expect(await refused(first)).toBe('passkey_wrong')
    const used = passkey.get({ ...site, ...(await challenge(device)) })
    expect((await send(device, used)).status).toBe(200)
    for (const response of [
      used,
      passkey.get({ ...site, ...(await challenge(other)) }),
      passkey.get({ ...site, ...(await challenge(device)), topOrigin: 'https://evil.example' }),
      passkey.get({ ...site, ...(await challenge(device)), origin: 'https://evil.example' }),
      passkey.get({ ...site, ...(await challenge(device)), isVerified: false }),
      createTestPasskey(rpId).get({ ...site, ...(await challenge(device)) }),
      createTestPasskey('evil.example').create({ ...site, ...(await challenge(device)) }),
      {
        ...createTestPasskey(rpId).get({ ...site, ...(await challenge(device)) }),
        id: used.id,
        rawId: used.id,
      },
    ])
      expect(await refused(response)).toBe('passkey_wrong')
    const late = passkey.get({ ...site, ...(await challenge(device)) })
    frame.clock.advance(301)
    expect(await refused(late)).toBe('passkey_wrong')
  })

  test.each(engines)(
    'attack: a passkey of another user is not registered again (%s)',
    async (engine) => {
      await using frame = await start(engine)
      const [device, thief] = [await frame.device(), await frame.device()]
      const passkey = createTestPasskey(rpId)
      const first = await challenge(device)
      await send(device, passkey.create({ ...site, ...first }))
      const stolen = passkey.create({ ...site, ...(await challenge(thief)) })
      const { status, reason } = await send(thief, stolen)
      expect([status, reason?.code]).toEqual([403, 'passkey_wrong'])
      const again = await send(device, passkey.get({ ...site, ...(await challenge(device)) }))
      expect(again.body.user.id).toBe(first.userId)
    },
  )

  test.each(engines)(
    'attack: of an authenticator whose counter goes back, as a clone’s does, is refused (%s)',
    async (engine) => {
      await using frame = await start(engine)
      const device = await frame.device()
      const passkey = createTestPasskey(rpId)
      await send(device, passkey.create({ ...site, ...(await challenge(device)) }))
      const login = async (counter: number) => {
        const response = passkey.get({ ...site, ...(await challenge(device)), counter })
        const { status, reason } = await send(device, response)
        return reason?.code ?? status
      }
      expect(await login(5)).toBe(200)
      expect(await login(4)).toBe('passkey_wrong')
      expect(await login(6)).toBe(200)
    },
  )

  test('attack: with the output of the PRF is refused, so that no client sends it', async () => {
    await using frame = await start()
    const device = await frame.device()
    const response = createTestPasskey(rpId).create({ ...site, ...(await challenge(device)) })
    const clientExtensionResults = { prf: { results: { first: 'AAAA' } } }
    expect((await send(device, { ...response, clientExtensionResults })).status).toBe(400)
  })

  test('attack: is refused by a project that does not offer it', async () => {
    await using frame = await start('sqlite', { passkeyLogin: false })
    const device = await frame.device()
    const { status, reason } = await device.post('/api/passkey/challenge', { origin: pageOrigin })
    expect([status, reason?.code]).toEqual([403, 'not_offered'])
    const response = createTestPasskey(rpId).create({ ...site, challenge: 'AAAA' })
    expect((await send(device, response)).reason?.code).toBe('not_offered')
  })

  test('attack: one client address cannot create any number of users', async () => {
    await using frame = await start()
    const device = await frame.device()
    const outcomes: (string | number)[] = []
    for (let at = 0; at <= limits.codesPerHourAndAddress; at += 1) {
      const passkey = createTestPasskey(rpId).create({ ...site, ...(await challenge(device)) })
      const { status, reason } = await send(device, passkey)
      outcomes.push(reason?.code ?? status)
    }
    expect(outcomes.at(-2)).toBe(200)
    expect(outcomes.at(-1)).toBe('too_many_codes')
  })
})
