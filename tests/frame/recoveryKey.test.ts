import type { MethodsResponse, RecoveryResponse } from '@gatefold/protocol/frame'
import { recoverMessageAddress, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApi } from '../../packages/frame/src/api/createApi.ts'
import { createKeyPair, open, toOpeningKey } from '../../packages/frame/src/custody/sealFor.ts'
import { stretch } from '../../packages/frame/src/custody/stretch.ts'
import { sealAsBefore, wrapAsBefore } from '../../packages/frame/src/custody/testing.ts'
import {
  toPublicKey,
  unwrapWithPasskey,
  unwrapWithPassword,
  wrapWithPasskey,
  wrapWithPassword,
  type RecoveryKey,
} from '../../packages/frame/src/custody/wraps.ts'
import { run } from '../../packages/frame/src/signer/operations.ts'
import type { Signer } from '../../packages/frame/src/signer/createSigner.ts'
import { createStore, type Store } from '../../packages/frame/src/store/createStore.ts'
import { createWallet } from '../../packages/frame/src/wallet/createWallet.ts'
import { readConfig } from '../../packages/server/src/config.ts'
import { openStorage } from '../../packages/server/src/storage/openStorage.ts'
import { startFrame, type FrameStack } from './startFrame.ts'

const password = 'correct horse battery staple'
const passkeys = ['AAAA', 'BBBB'].map((credentialId, index) => ({
  credentialId,
  name: credentialId,
  prf: new Uint8Array(32).fill(index + 1),
}))
const [passkey, other] = passkeys as [(typeof passkeys)[number], (typeof passkeys)[number]]

let frame: FrameStack
let ahead = 0
const now = () => Date.now() + ahead

beforeAll(async () => {
  frame = await startFrame()
})
afterAll(() => frame.stop())

type Change = (path: string, body: never) => void

/** The frame's wallet code, as one document runs it. @param change - changes what the server answers. */
function openDocument(store: Store, change?: Change) {
  const sent: string[] = []
  const signer: Signer = (operation) => run(operation) as never
  const api = createApi({
    origin: frame.url,
    store,
    now,
    language: () => 'en',
    async fetch(input, init) {
      const { pathname } = new URL(input as string)
      sent.push(pathname)
      const response = await fetch(input, init)
      if (!change || !response.ok) return response
      const body = (await response.json()) as never
      change(pathname, body)
      return Response.json(body, { headers: response.headers })
    },
  })
  const wallet = createWallet({ api, store, signer, methods: ['automatic'] })
  return { api, wallet, sent }
}

/** A device that has logged in, an hour after the last login, so that no limit is reached. */
async function createDevice(email: string, nth: number, change?: Change) {
  const store = createStore(undefined)
  const device = { store, ...openDocument(store, change) }
  await login(device, email, nth)
  return device
}

type Device = ReturnType<typeof openDocument> & { store: Store }

async function login({ api }: Device, email: string, nth: number) {
  ahead += 86_400_000
  frame.advance(86_400)
  const { loginId } = await api.open('login/email', {
    projectId: 'default',
    origin: 'http://localhost:3000',
    email,
  })
  const { session } = await api.open('login/verify', {
    loginId,
    code: await frame.codeFor(email, nth),
  })
  await api.setSession(session)
}

const userOf = ({ api }: Device) => api.send('user', {})
const methodsOf = ({ api }: Device) => api.send('wallet/methods', {})

async function expectSigns(device: Device, address: string) {
  const { eip155 } = await device.wallet.prepare(await userOf(device))
  const signature = await device.wallet.sign({ kind: 'message', message: '0x68656c6c6f' })
  const signer = await recoverMessageAddress({ message: 'hello', signature: signature as Hex })
  expect([eip155, signer]).toEqual([address, address])
}

/** A user whose wallet two passkeys restore, on a device. */
async function startWallet(email: string) {
  const device = await createDevice(email, 1)
  const user = await userOf(device)
  const { eip155: address } = await device.wallet.prepare(user, async (key) => [
    await wrapWithPasskey(key, passkey, 1),
    await wrapWithPasskey(key, other, 2),
  ])
  return { device, address, userId: user.id }
}

/** Gets the recovery key with a passkey. */
async function unlock(
  { recoveryId, wraps }: Pick<MethodsResponse, 'recoveryId' | 'wraps'>,
  userId: string,
  { credentialId, prf }: typeof passkey,
): Promise<RecoveryKey> {
  for (const wrap of wraps)
    if (wrap.method === 'passkey' && wrap.credentialId === credentialId)
      return unwrapWithPasskey({ id: recoveryId, userId }, wrap, prf)
  throw new Error(`The wallet has no passkey ${credentialId}.`)
}

/** Restores the wallet on a new device. */
async function restore(email: string, nth: number, userId: string, used: typeof passkey) {
  const device = await createDevice(email, nth)
  await device.wallet.prepare(await userOf(device))
  const methods = (await device.wallet.locked())!.methods!
  await device.wallet.unlock(await unlock(methods, userId, used))
  return device
}

/** Logs in on a new device. @returns each recovery set that the server releases to it */
async function recoverAll(email: string, nth: number): Promise<RecoveryResponse[]> {
  const { api } = await createDevice(email, nth)
  const found: RecoveryResponse[] = []
  for (;;) {
    const skip = found.map(({ setId }) => setId)
    const next = await api.send('wallet/recovery', { skip }).catch(() => undefined)
    if (!next) return found
    found.push(next)
  }
}

/**
 * Whether a copied recovery key opens the wallet together with the sets that the server releases and copies of earlier
 * sets.
 */
async function opens(
  { bytes }: RecoveryKey,
  { served, copies }: { served: readonly RecoveryResponse[]; copies: readonly RecoveryResponse[] },
  address: string,
): Promise<boolean> {
  const decode = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))
  const key = await toOpeningKey({ bytes, publicKey: toPublicKey(bytes) })
  for (const { setId, recoveryShare } of [...served, ...copies])
    for (const { authShare } of served) {
      const isOpen = await open(key, recoveryShare, `recovery|${setId}`)
        .then(
          async (share) => run({ name: 'check', shares: [decode(authShare), share], address }),
          () => undefined,
        )
        .catch(() => undefined)
      if (isOpen) return true
    }
  return false
}

test('attack: a removed passkey and a copy of everything that the server has released do not open the wallet', async () => {
  const email = 'removed@example.com'
  const { device, address, userId } = await startWallet(email)
  const second = await restore(email, 2, userId, passkey)
  // The thief has the other passkey, and could restore the wallet.
  const copies = await recoverAll(email, 3)
  const stolen = await unlock(copies[0]!, userId, other)
  expect(copies).toHaveLength(2)
  expect(await opens(stolen, { served: copies, copies: [] }, address)).toBe(true)

  await login(device, email, 4)
  const methods = await methodsOf(device)
  await device.wallet.changeMethods({
    user: await userOf(device),
    methods,
    key: await unlock(methods, userId, passkey),
    isAutomatic: false,
    kept: methods.wraps.filter((wrap) => wrap.method === 'passkey' && wrap.credentialId === 'AAAA'),
  })
  const after = await recoverAll(email, 5)
  expect(after).toHaveLength(1)
  expect(after[0]!.wraps).toHaveLength(1)
  expect(await opens(stolen, { served: after, copies }, address)).toBe(false)
  // The earlier wraps contain only the previous key, and the thief's passkey opens none of the current ones.
  await expect(unlock(after[0]!, userId, other)).rejects.toThrow('no passkey')
  await expect(
    unlock({ ...copies[0]!, recoveryId: after[0]!.recoveryId }, userId, other),
  ).rejects.toMatchObject({ name: 'OperationError' })

  // The other device still signs, and then stores a share for the new key.
  await expectSigns(second, address)
  await second.wallet.keepMethods(await userOf(second))
  await expectSigns(second, address)
  const renewed = await recoverAll(email, 6)
  expect(renewed).toHaveLength(2)
  expect(await opens(stolen, { served: renewed, copies }, address)).toBe(false)
  await expectSigns(await restore(email, 7, userId, passkey), address)
})

test('attack: the recovery key of a device that was removed does not open the wallet', async () => {
  const email = 'revoked@example.com'
  const { device, address, userId } = await startWallet(email)
  const second = await restore(email, 2, userId, passkey)
  const copies = await recoverAll(email, 3)
  const stolen = await unlock(copies[0]!, userId, passkey)
  await login(second, email, 4)
  const { devices } = await device.api.send('devices', {})
  const { id: deviceId } = devices.find(({ isThis }) => isThis)!
  await second.api.send('devices/revoke', { deviceId })
  expect((await userOf(second)).recovery).toMatchObject({ isOutdated: true })
  await second.wallet.keepMethods(await userOf(second))
  expect((await userOf(second)).recovery).toMatchObject({ isOutdated: false, passkeys: 2 })
  const served = await recoverAll(email, 5)
  expect(await opens(stolen, { served, copies }, address)).toBe(false)
  for (const [nth, used] of [
    [6, passkey],
    [7, other],
  ] as const)
    await expectSigns(await restore(email, nth, userId, used), address)
})

test('attack: a public key that the wallet has not signed gets neither the recovery key nor a share', async () => {
  const email = 'forged@example.com'
  const { publicKey } = await createKeyPair()
  const { device, address, userId } = await startWallet(email)
  const second = await restore(email, 2, userId, passkey)
  const user = await userOf(device)
  const forgeries: Change[] = [
    (_, methods: MethodsResponse) => (methods.wraps[0]!.publicKey = publicKey),
    (_, methods: MethodsResponse) => methods.wraps.push({ ...methods.wraps[0]!, publicKey }),
    (_, methods: MethodsResponse) => (methods.isAutomatic = true),
    (_, methods: MethodsResponse) => (methods.publicKey = publicKey),
    // The response for a wallet of an earlier version.
    (_, methods: MethodsResponse) =>
      Object.assign(methods, { publicKey: null, signature: null, isAutomatic: true, wraps: [] }),
  ]
  await login(device, email, 3)
  for (const forge of forgeries) {
    const { wallet, api, sent } = openDocument(device.store, (path, body) => {
      if (path === '/api/wallet/methods') forge(path, body)
    })
    const methods = await api.send('wallet/methods', {})
    const change = { user, methods, key: undefined, isAutomatic: methods.isAutomatic }
    await expect(wallet.changeMethods({ ...change, kept: methods.wraps })).rejects.toMatchObject({
      code: 'frame.methods_forged',
    })
    expect(sent).not.toContain('/api/wallet/stage')
  }
  // The other device also refuses to encrypt its share for another key.
  const forged = { ...user, recovery: { ...user.recovery!, recoveryId: 'x'.repeat(22), publicKey } }
  const { wallet, sent } = openDocument(second.store)
  await expect(wallet.keepMethods(forged)).rejects.toMatchObject({ code: 'frame.methods_forged' })
  expect(sent).not.toContain('/api/wallet/stage')
  await expectSigns(second, address)
})

test('a wallet of an earlier version gets another recovery key once each method was used', async () => {
  const email = 'earlier@example.com'
  const { device, address, userId } = await startWallet(email)
  await makeEarlier(device, userId)
  expect((await userOf(device)).recovery).toMatchObject({ isOutdated: true, publicKey: null })

  // Without the methods' secrets, a login changes nothing.
  await login(device, email, 2)
  await device.wallet.keepMethods(await userOf(device))
  const before = await methodsOf(device)
  expect(before.wraps.map(({ publicKey }) => publicKey)).toEqual([undefined, undefined])

  const second = await restore(email, 3, userId, passkey)
  const between = await methodsOf(second)
  expect(between.recoveryId).toBe(before.recoveryId)
  expect(between.wraps.map(({ publicKey }) => publicKey === undefined)).toEqual([false, true])
  expect((await userOf(second)).recovery).toMatchObject({ isOutdated: true })
  await expectSigns(second, address)

  const third = await restore(email, 4, userId, other)
  const after = await methodsOf(third)
  expect(after.recoveryId).not.toBe(before.recoveryId)
  expect((await userOf(third)).recovery).toMatchObject({ isOutdated: false, passkeys: 2 })
  await login(device, email, 5)
  await expectSigns(device, address)
  await device.wallet.keepMethods(await userOf(device))
  await expectSigns(device, address)
  // The second device has not been used since.
  expect(await recoverAll(email, 6)).toHaveLength(2)
  for (const [nth, used] of [
    [7, passkey],
    [8, other],
  ] as const)
    await expectSigns(await restore(email, nth, userId, used), address)
})

test('after a method is removed from a wallet of an earlier version, the recovery key is outdated until a restore replaces it', async () => {
  const email = 'partly@example.com'
  const { device, address, userId } = await startWallet(email)
  await makeEarlier(device, userId)
  await login(device, email, 2)
  const methods = await methodsOf(device)
  const remove = async (key: RecoveryKey, kept: MethodsResponse['wraps']) =>
    device.wallet.changeMethods({
      user: await userOf(device),
      methods,
      key,
      isAutomatic: false,
      kept,
    })
  // Unlocked with the method that is removed: the other one has no public key yet.
  await remove(await unlock(methods, userId, passkey), [methods.wraps[1]!])
  expect((await userOf(device)).recovery).toMatchObject({ isOutdated: true, passkeys: 1 })
  const second = await restore(email, 3, userId, other)
  expect((await userOf(second)).recovery).toMatchObject({ isOutdated: false, passkeys: 1 })
  expect((await methodsOf(second)).recoveryId).not.toBe(methods.recoveryId)
  await expectSigns(await restore(email, 4, userId, other), address)
})

test('automatic recovery of an earlier version gets another recovery key at the next login', async () => {
  const email = 'automatic@example.com'
  const device = await createDevice(email, 1)
  const { eip155: address } = await device.wallet.prepare(await userOf(device))
  const { id: userId } = await userOf(device)
  await makeEarlier(device, userId)
  const before = await methodsOf(device)
  const { recoveryKey } = await device.api.send('wallet/escrow', {})
  await login(device, email, 2)
  await device.wallet.keepMethods(await userOf(device))
  const after = await methodsOf(device)
  expect(after).toMatchObject({ isAutomatic: true, signature: expect.any(String) })
  expect(after.recoveryId).not.toBe(before.recoveryId)
  expect((await device.api.send('wallet/escrow', {})).recoveryKey).not.toBe(recoveryKey)
  await expectSigns(await createDevice(email, 3), address)
})

test('a password restores the wallet after a passkey was removed', async () => {
  const email = 'password@example.com'
  const { device, address, userId } = await startWallet(email)
  const change = async (
    kept: MethodsResponse['wraps'],
    toWrap?: (key: RecoveryKey) => Promise<never>,
  ) =>
    device.wallet.changeMethods({
      user: await userOf(device),
      methods: await methodsOf(device),
      key: undefined,
      isAutomatic: false,
      kept,
      toWrap,
    })
  await change([], (key) => wrapWithPassword(key, password, { stretch, now: 1 }) as never)
  const { wraps } = await methodsOf(device)
  await change(wraps)
  const second = await createDevice(email, 2)
  await second.wallet.prepare(await userOf(second))
  const { recoveryId, wraps: locked } = (await second.wallet.locked())!.methods!
  const [wrap] = locked
  if (wrap?.method !== 'password') throw new Error('no password')
  const owner = { id: recoveryId, userId }
  await second.wallet.unlock(await unwrapWithPassword(owner, wrap, password, stretch))
  await expectSigns(second, address)
})

/** Stores a wallet on the server and on the device in the format of earlier versions, which had no public keys. */
async function makeEarlier({ api, store }: Device, userId: string) {
  const { recoveryId, wraps, isAutomatic } = await api.send('wallet/methods', {})
  const key = isAutomatic
    ? {
        id: recoveryId,
        userId,
        bytes: new Uint8Array(
          Buffer.from((await api.send('wallet/escrow', {})).recoveryKey, 'base64url'),
        ),
      }
    : await unlock({ recoveryId, wraps }, userId, passkey)
  const earlier = isAutomatic
    ? []
    : await Promise.all(passkeys.map(async (one, at) => wrapAsBefore(key, one, at + 1)))
  const opening = await toOpeningKey({ ...key, publicKey: toPublicKey(key.bytes) })
  const storage = await openStorage({ ...readConfig({}), dataDir: frame.dataDir })
  const sets = await storage.db
    .selectFrom('frame_sets')
    .selectAll()
    .where('user_id', '=', userId)
    .execute()
  for (const { id, recovery_share } of sets) {
    const context = `recovery|${id}`
    const share = await open(opening, recovery_share, context)
    const sealed = await sealAsBefore(key.bytes, share, context)
    await storage.db
      .updateTable('frame_sets')
      .set({ recovery_share: sealed, recovery_public_key: null, methods_signature: null })
      .where('id', '=', id)
      .execute()
    const set = await store.get<{ setId: string; recovery: object }>('set')
    const { version } = set!.recovery as { version: number }
    const recovery = { userId, recoveryId, share: sealed, version, wraps: earlier }
    await store.set('set', { ...set, recovery })
  }
  await storage.db
    .updateTable('frame_recoveries')
    .set({
      public_key: null,
      signature: null,
      is_outdated: 1,
      wraps: JSON.stringify(earlier),
    })
    .where('user_id', '=', userId)
    .execute()
  await storage.close()
}
