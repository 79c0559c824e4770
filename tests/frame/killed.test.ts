import { recoverMessageAddress, type Hex } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createApi } from '../../packages/frame/src/api/createApi.ts'
import { unwrapWithPasskey, wrapWithPasskey } from '../../packages/frame/src/custody/wraps.ts'
import { run } from '../../packages/frame/src/signer/operations.ts'
import type { Signer } from '../../packages/frame/src/signer/createSigner.ts'
import { createStore, type Store } from '../../packages/frame/src/store/createStore.ts'
import { createWallet } from '../../packages/frame/src/wallet/createWallet.ts'
import { startFrame, type FrameStack } from './startFrame.ts'

let frame: FrameStack
let ahead = 0
const now = () => Date.now() + ahead

beforeAll(async () => {
  frame = await startFrame()
})
afterAll(() => frame.stop())

/** Thrown at the step at which the document ended. */
class Killed extends Error {}

/**
 * Ends a document at one of its steps. Each store, request or computation is a
 * step.
 *
 * @param at - the step, from 0.
 * @param when - `before` the step has an effect, or `after` it, so that its
 *   result is lost.
 */
function createKiller(at: number, when: 'before' | 'after') {
  let steps = 0
  let isDead = false
  async function step<Result>(work: () => Promise<Result>): Promise<Result> {
    if (isDead) throw new Killed()
    const isLast = steps++ === at
    if (isLast && when === 'before') isDead = true
    if (isDead) throw new Killed()
    const result = await work()
    if (isLast) isDead = true
    if (isDead) throw new Killed()
    return result
  }
  return { step, wasKilled: () => isDead }
}

/**
 * The frame's wallet code, as it runs in one document. @param store - outlives
 * the document.
 */
function openDocument(store: Store, step: ReturnType<typeof createKiller>['step']) {
  const stepped: Store = {
    get: (key) => step(() => store.get(key)),
    set: (key, value) => step(() => store.set(key, value)),
    remove: (key) => step(() => store.remove(key)),
  }
  const signer: Signer = (operation) => step(() => run(operation)) as never
  const api = createApi({
    origin: frame.url,
    store: stepped,
    now,
    language: () => 'en',
    fetch: (input, init) => step(() => fetch(input, init)),
  })
  return { api, wallet: createWallet({ api, store: stepped, signer, methods: ['automatic'] }) }
}

const alive = <Result>(work: () => Promise<Result>) => work()

async function login(store: Store, email: string, nth = 1) {
  ahead += 3_601_000
  frame.advance(3_601)
  const { api } = openDocument(store, alive)
  const { loginId } = await api.open('login/email', {
    projectId: 'default',
    origin: 'http://localhost:3000',
    email,
  })
  const code = await frame.codeFor(email, nth)
  const { session } = await api.open('login/verify', { loginId, code })
  await api.setSession(session)
}

/** Opens the wallet in a new document, and signs with it. */
async function useWallet(store: Store) {
  const { api, wallet } = openDocument(store, alive)
  const { eip155 } = await wallet.prepare(await api.send('user', {}))
  const signature = await wallet.sign({ kind: 'message', message: '0x68656c6c6f' })
  expect(await recoverMessageAddress({ message: 'hello', signature: signature as Hex })).toBe(
    eip155,
  )
  return eip155
}

it.each(['before', 'after'] as const)(
  'attack: a document that ends %s any step of creating a wallet leaves one that works',
  async (when) => {
    let at = 0
    for (let wasKilled = true; wasKilled; at += 1) {
      const store = createStore(undefined)
      const email = `created-${when}-${at}@example.com`
      await login(store, email)
      const killer = createKiller(at, when)
      const { api, wallet } = openDocument(store, killer.step)
      await Promise.resolve()
        .then(async () => wallet.prepare(await api.send('user', {})))
        .catch(() => {})
      wasKilled = killer.wasKilled()
      const recorded = (await openDocument(store, alive).api.send('user', {})).wallet?.eip155
      const first = await useWallet(store)
      expect(recorded ?? first).toBe(first)
      expect(await useWallet(store)).toBe(first)
    }
    // A smaller number would mean that steps were not counted.
    expect(at).toBeGreaterThan(15)
  },
)

it.each(['before', 'after'] as const)(
  'attack: a device that ends %s any step of restoring a wallet gets the same wallet',
  async (when) => {
    let at = 0
    for (let wasKilled = true; wasKilled; at += 1) {
      const email = `restored-${when}-${at}@example.com`
      const first = createStore(undefined)
      await login(first, email)
      const address = await useWallet(first)
      const second = createStore(undefined)
      await login(second, email, 2)
      const killer = createKiller(at, when)
      const { api, wallet } = openDocument(second, killer.step)
      await Promise.resolve()
        .then(async () => wallet.prepare(await api.send('user', {})))
        .catch(() => {})
      wasKilled = killer.wasKilled()
      expect(await useWallet(second)).toBe(address)
    }
    expect(at).toBeGreaterThan(15)
  },
)

it.each(['before', 'after'] as const)(
  'attack: a document that ends %s any step of a change of the methods leaves a wallet that works',
  async (when) => {
    let at = 0
    for (let wasKilled = true; wasKilled; at += 1) {
      const email = `changed-${when}-${at}@example.com`
      const store = createStore(undefined)
      await login(store, email)
      const address = await useWallet(store)
      const { api } = openDocument(store, alive)
      const methods = await api.send('wallet/methods', {})
      const user = await api.send('user', {})
      const passkey = { credentialId: 'AAAA', name: 'Mac', prf: new Uint8Array(32) }
      const killer = createKiller(at, when)
      await openDocument(store, killer.step)
        .wallet.changeMethods({
          user,
          methods,
          key: undefined,
          isAutomatic: false,
          kept: [],
          toWrap: async (given) => wrapWithPasskey(given, passkey, 1),
        })
        .catch(() => {})
      wasKilled = killer.wasKilled()
      expect(await useWallet(store)).toBe(address)
      // The methods are either the old or the new ones, and yield the recovery key.
      const { wraps, isAutomatic } = await api.send('wallet/methods', {})
      expect(isAutomatic).toBe(wraps.length === 0)
      // Without an end, the change succeeds.
      expect(wasKilled || !isAutomatic).toBe(true)
      const second = createStore(undefined)
      await login(second, email, 2)
      await restore(second, passkey)
      expect(await useWallet(second)).toBe(address)
    }
    expect(at).toBeGreaterThan(10)
  },
)

/** Restores the wallet with the passkey, if the device does not have it after the login. */
async function restore(store: Store, passkey: { prf: Uint8Array<ArrayBuffer> }) {
  const { api, wallet } = openDocument(store, alive)
  const user = await api.send('user', {})
  await wallet.prepare(user)
  const methods = (await wallet.locked())?.methods
  const wrap = methods?.wraps[0]
  if (wrap?.method !== 'passkey') return
  const owner = { id: methods!.recoveryId, userId: user.id }
  await wallet.unlock(await unwrapWithPasskey(owner, wrap, passkey.prf))
}

// A device that ends before a step has done the same as one that ends after the previous step.
it('attack: a device that ends after any step of replacing the recovery key, or of following it, leaves a wallet that works', async () => {
  let steps = 0
  for (const following of [false, true]) {
    for (let at = 0, wasKilled = true; wasKilled; at += 1, steps += 1) {
      const email = `replaced-${following}-${at}@example.com`
      const passkey = { credentialId: 'AAAA', name: 'Mac', prf: new Uint8Array(32) }
      const [first, second] = [createStore(undefined), createStore(undefined)]
      await login(first, email)
      const opened = openDocument(first, alive)
      await opened.wallet.prepare(await opened.api.send('user', {}), async (given) => [
        await wrapWithPasskey(given, passkey, 1),
      ])
      const address = await useWallet(first)
      await login(second, email, 2)
      await restore(second, passkey)
      const devices = await opened.api.send('devices', {})
      if (following) {
        const user = await opened.api.send('user', {})
        const { wraps: kept, ...methods } = await openDocument(second, alive).api.send(
          'wallet/methods',
          {},
        )
        await openDocument(second, alive).wallet.changeMethods({
          user,
          methods: { ...methods, wraps: kept },
          key: undefined,
          isAutomatic: false,
          kept,
        })
      } else {
        const other = devices.devices.find(({ isThis }) => isThis)!
        await openDocument(second, alive).api.send('devices/revoke', { deviceId: other.id })
      }
      const store = following ? first : second
      const killer = createKiller(at, 'after')
      const { api, wallet } = openDocument(store, killer.step)
      await Promise.resolve()
        .then(async () => wallet.keepMethods(await api.send('user', {})))
        .catch(() => {})
      wasKilled = killer.wasKilled()
      expect(await useWallet(store)).toBe(address)
      // The next use completes what was left.
      const next = openDocument(store, alive)
      await next.wallet.keepMethods(await next.api.send('user', {}))
      const after = await next.api.send('user', {})
      expect(after.recovery!.isOutdated).toBe(false)
      const third = createStore(undefined)
      await login(third, email, 3)
      await restore(third, passkey)
      expect(await useWallet(third)).toBe(address)
    }
  }
  expect(steps).toBeGreaterThan(30)
}, 300_000)
