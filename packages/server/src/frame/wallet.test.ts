import { limits } from '@gatefold/protocol'
import type {
  AuditEntry,
  EscrowResponse,
  FrameUser,
  RecoveryResponse,
  ShareResponse,
  StagedResponse,
} from '@gatefold/protocol/frame'
import { describe, expect, test } from 'vitest'
import { nextSet, signSet, testSet } from '../testing/createTestDevice.ts'
import { createClock, createTestFrame } from '../testing/createTestFrame.ts'
import { createDatabase, engines } from '../testing/databases.ts'

const otherAddresses = {
  eip155: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  solana: '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV',
}

describe.each(engines)('shares on %s', (engine) => {
  async function start() {
    const database = await createDatabase(engine)
    const clock = createClock()
    const frame = await createTestFrame(database.config, { now: clock.now })
    async function login() {
      const device = await frame.device()
      clock.advance(30)
      const { session } = await device.login('ada@example.com')
      return { ...device, session }
    }
    return {
      ...frame,
      clock,
      login,
      async [Symbol.asyncDispose]() {
        await frame.stop()
        await database.remove()
      },
    }
  }

  test('are staged, read back and committed; then the device gets its share', async () => {
    await using frame = await start()
    const device = await frame.login()
    const { session } = device
    const set = testSet()
    const setId = { setId: set.setId }
    expect((await device.post('/api/wallet/stage', set, session)).status).toBe(200)
    expect((await device.post('/api/wallet/share', {}, session)).reason?.code).toBe('no_set')
    const staged = await device.post<StagedResponse>('/api/wallet/staged', setId, session)
    expect(staged.body).toEqual({
      authShare: set.authShare,
      recoveryShare: set.recoveryShare,
      wraps: [],
    })
    expect((await device.post('/api/wallet/commit', setId, session)).status).toBe(200)
    const share = await device.post<ShareResponse>('/api/wallet/share', {}, session)
    expect(share.body).toEqual({ ...setId, epoch: 1, authShare: set.authShare })
    // A repeated commit, after a lost response, changes nothing.
    expect((await device.post('/api/wallet/commit', setId, session)).status).toBe(200)
    const { eip155, solana } = set
    const user = await device.post<FrameUser>('/api/user', {}, session)
    const { smartAccount } = set
    expect(user.body.wallet).toEqual({ eip155, solana, smartAccount, ...setId })
  })

  test('are replaced by a commit, not by staging', async () => {
    await using frame = await start()
    const device = await frame.login()
    const { session } = device
    const first = testSet()
    const [second, third] = [nextSet(first), nextSet(first)]
    await device.createWallet(session, first)
    const current = async () =>
      (await device.post<ShareResponse>('/api/wallet/share', {}, session)).body.setId
    await device.post('/api/wallet/stage', second, session)
    await device.post('/api/wallet/stage', third, session)
    expect(await current()).toBe(first.setId)
    const replaced = { setId: second.setId }
    expect((await device.post('/api/wallet/commit', replaced, session)).reason?.code).toBe('no_set')
    await device.post('/api/wallet/commit', { setId: third.setId }, session)
    expect(await current()).toBe(third.setId)
    const rows = await frame.context.storage.db
      .selectFrom('frame_auth_shares')
      .select('set_id')
      .execute()
    expect(rows).toEqual([{ set_id: third.setId }])
  })

  test('attack: of two devices that create the first wallet at the same time, one wins', async () => {
    await using frame = await start()
    const devices = [await frame.login(), await frame.login()]
    const sets = [testSet(), testSet(otherAddresses)]
    for (const [index, device] of devices.entries())
      expect((await device.post('/api/wallet/stage', sets[index], device.session)).status).toBe(200)
    const commits = await Promise.all(
      devices.map(async (device, index) =>
        device.post('/api/wallet/commit', { setId: sets[index]!.setId }, device.session),
      ),
    )
    const outcomes = commits.map(({ status, reason }) => reason?.code ?? status)
    expect(new Set(outcomes)).toEqual(new Set([200, 'wallet_exists']))
    const winner = outcomes.indexOf(200)
    const loser = devices[1 - winner]!
    const user = await loser.post<FrameUser>('/api/user', {}, loser.session)
    expect(user.body.wallet).toEqual({
      eip155: sets[winner]!.eip155,
      solana: sets[winner]!.solana,
      smartAccount: sets[winner]!.smartAccount,
      setId: null,
    })
    const again = await loser.post('/api/wallet/stage', testSet(sets[1 - winner]), loser.session)
    expect([again.status, again.reason?.code]).toEqual([409, 'wallet_exists'])
  })

  test('attack: of two devices that name different owners of the smart account, one wins', async () => {
    await using frame = await start()
    const devices = [await frame.login(), await frame.login()]
    const { kind, owner } = testSet().smartAccount
    const sets = [owner, '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'].map((one) =>
      testSet({ smartAccount: { kind, owner: one } }),
    )
    for (const [index, device] of devices.entries())
      expect((await device.post('/api/wallet/stage', sets[index], device.session)).status).toBe(200)
    const commits = await Promise.all(
      devices.map(async (device, index) =>
        device.post('/api/wallet/commit', { setId: sets[index]!.setId }, device.session),
      ),
    )
    const outcomes = commits.map(({ status, reason }) => reason?.code ?? status)
    expect(new Set(outcomes)).toEqual(new Set([200, 'wallet_exists']))
    const loser = 1 - outcomes.indexOf(200)
    const again = await devices[loser]!.post(
      '/api/wallet/stage',
      testSet({ smartAccount: sets[loser]!.smartAccount }),
      devices[loser]!.session,
    )
    expect([again.status, again.reason?.code]).toEqual([409, 'wallet_exists'])
    const misspelt = testSet({ smartAccount: { kind, owner: owner.replace('F', 'f') } })
    const wrong = await devices[0]!.post('/api/wallet/stage', misspelt, devices[0]!.session)
    expect([wrong.status, wrong.reason?.field]).toEqual([400, 'smartAccount.owner'])
  })

  test('a set from before the upgrade keeps the owner unknown until a device stores it', async () => {
    await using frame = await start()
    const device = await frame.login()
    const first = testSet()
    const second = nextSet(first)
    await device.post('/api/wallet/stage', first, device.session)
    const { db } = frame.context.storage
    await db
      .updateTable('frame_sets')
      .set({ smart_account_kind: null, smart_account_owner: null })
      .execute()
    await device.post('/api/wallet/commit', { setId: first.setId }, device.session)
    const smartAccount = async () =>
      (await device.post<FrameUser>('/api/user', {}, device.session)).body.wallet?.smartAccount
    expect(await smartAccount()).toBe(null)
    await device.createWallet(device.session, second)
    expect(await smartAccount()).toEqual(second.smartAccount)
  })

  test('attack: a stolen login is not enough to add a set of shares', async () => {
    await using frame = await start()
    const owner = await frame.login()
    await owner.createWallet(owner.session, testSet())
    const thief = await frame.login()
    const signed = await signSet(testSet())
    const outcomes = []
    for (const change of [
      // The addresses are public.
      { signature: `0x${'00'.repeat(65)}` },
      // Signed for another set, or with the key of another wallet.
      { setId: testSet().setId },
      { signature: (await signSet(testSet({ ...otherAddresses, setId: signed.setId }))).signature },
      { smartAccount: { ...signed.smartAccount, owner: signed.eip155 } },
      { epoch: 1, solana: otherAddresses.solana },
    ]) {
      const set = { ...signed, ...change }
      const { status, reason } = await thief.post('/api/wallet/stage', set, thief.session)
      outcomes.push([status, reason?.code])
    }
    expect(outcomes).toEqual([
      [403, 'wrong_signature'],
      [403, 'wrong_signature'],
      [403, 'wrong_signature'],
      [409, 'wallet_exists'],
      [409, 'wallet_exists'],
    ])
    expect((await thief.post('/api/wallet/stage', signed, thief.session)).status).toBe(200)
    // The first set of a user decides the owner of the smart account.
    const eve = await frame.device()
    const { session } = await eve.login('eve@example.com', {}, { address: '192.0.2.9' })
    const other = { ...signed.smartAccount, owner: signed.eip155 }
    const swapped = { ...(await signSet(testSet())), smartAccount: other }
    const { reason } = await eve.post('/api/wallet/stage', swapped, session)
    expect(reason?.code).toBe('wrong_signature')
  })

  test('attack: a set of another device, user or epoch is out of reach', async () => {
    await using frame = await start()
    const [owner, other] = [await frame.login(), await frame.login()]
    const set = testSet()
    const setId = { setId: set.setId }
    await owner.post('/api/wallet/stage', set, owner.session)
    for (const path of ['/api/wallet/staged', '/api/wallet/commit'])
      expect((await other.post(path, setId, other.session)).reason?.code).toBe('no_set')
    const taken = await other.post('/api/wallet/stage', testSet(setId), other.session)
    expect([taken.status, taken.reason?.code]).toEqual([409, 'set_exists'])
    const late = await other.post('/api/wallet/stage', testSet({ epoch: 2 }), other.session)
    expect([late.status, late.reason?.code]).toEqual([409, 'epoch_changed'])
    const thief = await frame.device()
    const eve = await thief.login('eve@example.com', {}, { address: '192.0.2.9' })
    for (const path of ['/api/wallet/staged', '/api/wallet/commit', '/api/wallet/escrow'])
      expect((await thief.post(path, setId, eve.session)).status).toBe(404)
  })

  test('attack: signing out everywhere withdraws the sets of all devices until they are restored', async () => {
    await using frame = await start()
    const device = await frame.login()
    const first = testSet()
    await device.createWallet(device.session, first)
    await device.post('/api/session/end', { everywhere: true }, device.session)
    frame.clock.advance(30)
    const { session, user } = await device.login('ada@example.com')
    expect([user.epoch, user.wallet?.setId]).toEqual([2, null])
    expect((await device.post('/api/wallet/share', {}, session)).reason?.code).toBe('no_set')
    expect((await device.post('/api/wallet/recovery', {}, session)).status).toBe(200)
    const next = nextSet(first, { epoch: 2 })
    await device.createWallet(session, next)
    const share = await device.post<ShareResponse>('/api/wallet/share', {}, session)
    expect(share.body.authShare).toBe(next.authShare)
  })

  test('attack: recovery needs a login of the last five minutes, and works three times a day', async () => {
    await using frame = await start()
    const owner = await frame.login()
    const set = testSet()
    await owner.createWallet(owner.session, set)
    expect((await owner.post('/api/wallet/recovery', {}, owner.session)).reason?.code).toBe(
      'set_exists',
    )

    const device = await frame.login()
    const recover = async () =>
      device.post<RecoveryResponse>('/api/wallet/recovery', {}, device.session)
    const escrow = async () => device.post<EscrowResponse>('/api/wallet/escrow', {}, device.session)
    frame.clock.advance(limits.freshLoginSeconds + 1)
    const tooLate = [await recover(), await escrow()]
    expect(tooLate.map(({ status, reason }) => [status, reason?.code])).toEqual([
      [403, 'login_too_old'],
      [403, 'login_too_old'],
    ])
    // Refreshing the tokens is not a login.
    const refreshed = await device.post<{ accessToken: string }>('/api/session/refresh', {
      refreshToken: device.session.refreshToken,
    })
    const { accessToken } = refreshed.body
    expect((await device.post('/api/wallet/recovery', {}, { accessToken })).status).toBe(403)

    const { session } = await device.login('ada@example.com')
    device.session = session
    expect((await recover()).body).toEqual({
      setId: set.setId,
      epoch: 1,
      authShare: set.authShare,
      recoveryShare: set.recoveryShare,
      recoveryPublicKey: set.recoveryPublicKey,
      publicKey: set.recoveryPublicKey,
      signature: expect.stringMatching(/^0x/),
      recoveryId: set.setId,
      version: 1,
      wraps: [],
      isAutomatic: true,
    })
    expect(frame.lastMail('ada@example.com').subject).toBe('Your wallet was restored – Gatefold')
    expect((await escrow()).body).toEqual({ recoveryKey: set.recoveryKey })
    const notices = () => frame.mails().filter(({ subject }) => /was restored/.test(subject))
    expect(notices()).toHaveLength(1)
    const more = await Promise.all([recover(), recover(), recover(), recover()])
    expect(more.filter(({ status }) => status === 200)).toHaveLength(2)
    const refused = more.find(({ status }) => status !== 200)!
    expect([refused.status, refused.reason?.code]).toEqual([429, 'too_many_recoveries'])
    const audit = await device.post<{ entries: AuditEntry[] }>('/api/audit', {}, session)
    expect(audit.body.entries.filter(({ event }) => event === 'recovery')).toHaveLength(3)

    frame.clock.advance(24 * 3600)
    device.session = (await device.login('ada@example.com')).session
    expect((await recover()).status).toBe(200)
    expect(notices()).toHaveLength(2)
  })

  test('attack: the daily limit of recoveries counts all devices together', async () => {
    await using frame = await start()
    const owner = await frame.login()
    await owner.createWallet(owner.session, testSet())
    const recover = async ({ post, session }: typeof owner) => {
      const { status, reason } = await post('/api/wallet/recovery', {}, session)
      return reason?.code ?? status
    }
    const first = await frame.login()
    for (let count = 0; count < limits.recoveriesPerDay; count += 1)
      expect(await recover(first)).toBe(200)
    expect(await recover(await frame.login())).toBe('too_many_recoveries')
  })

  test('attack: a recovery on a second device soon after is mailed too', async () => {
    await using frame = await start()
    const owner = await frame.login()
    await owner.createWallet(owner.session, testSet())
    for (const device of [await frame.login(), await frame.login()])
      await device.post('/api/wallet/recovery', {}, device.session)
    const notices = frame.mails().filter(({ subject }) => /was restored/.test(subject))
    expect(notices).toHaveLength(2)
  })

  test('recovery can skip sets from which the wallet could not be restored', async () => {
    await using frame = await start()
    const [first, second] = [await frame.login(), await frame.login()]
    const created = testSet({ recoveryKey: undefined })
    const sets = [created, nextSet(created)]
    await first.createWallet(first.session, sets[0]!)
    frame.clock.advance(1)
    await second.createWallet(second.session, sets[1]!)
    const third = await frame.login()
    const recover = async (skip: string[]) =>
      third.post<RecoveryResponse>('/api/wallet/recovery', { skip }, third.session)
    expect((await recover([])).body.setId).toBe(sets[1]!.setId)
    expect((await recover([sets[1]!.setId])).body).toMatchObject({
      setId: sets[0]!.setId,
      isAutomatic: false,
    })
    expect((await recover(sets.map(({ setId }) => setId))).reason?.code).toBe('no_set')
    expect((await third.post('/api/wallet/escrow', {}, third.session)).reason?.code).toBe(
      'no_recovery_key',
    )
  })
})
