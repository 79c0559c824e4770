import { recoverMessageAddress, type Hex } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createApi } from '../../packages/frame/src/api/createApi.ts'
import { unwrapWithPasskey, wrapWithPasskey } from '../../packages/frame/src/custody/wraps.ts'
import { run } from '../../packages/frame/src/signer/operations.ts'
import type { Signer } from '../../packages/frame/src/signer/createSigner.ts'
import { createStore, type Store } from '../../packages/frame/src/store/createStore.ts'
import { createWallet } from '../../packages/frame/src/wallet/createWallet.ts'
import { readLocalCode } from '../../packages/server/src/testing/createTestDevice.ts'
import { startKillableServer, type KillableServer } from './startKillableServer.ts'

let server: KillableServer
beforeAll(async () => {
  server = await startKillableServer()
})
afterAll(() => server?.stop())

/** The frame's code for the wallet, as one document runs it. @param store - outlives the document. */
function openDocument(store: Store) {
  const signer: Signer = (operation) => run(operation) as never
  const api = createApi({
    origin: server.frameUrl,
    store,
    now: server.now,
    language: () => 'en',
    fetch: (input, init) => fetch(input, init),
  })
  return { api, wallet: createWallet({ api, store, signer, methods: ['automatic'] }) }
}

/** Logs in an hour after the last login, so that no limit is reached. */
async function login(store: Store, email: string) {
  await server.pass(3_601_000)
  const { api } = openDocument(store)
  const { loginId } = await api.open('login/email', {
    projectId: 'default',
    origin: 'http://localhost:3000',
    email,
  })
  let code = ''
  await expect
    .poll(async () => (code = await readLocalCode(server.url, email).catch(() => '')))
    .toMatch(/^\d{6}$/)
  const { session } = await api.open('login/verify', { loginId, code })
  await api.setSession(session)
}

/** Opens the wallet in a new document, and signs with it. */
async function useWallet(store: Store) {
  const { api, wallet } = openDocument(store)
  const { eip155 } = await wallet.prepare(await api.send('user', {}))
  const signature = await wallet.sign({ kind: 'message', message: '0x68656c6c6f' })
  expect(await recoverMessageAddress({ message: 'hello', signature: signature as Hex })).toBe(
    eip155,
  )
  return eip155
}

/**
 * Runs a change with a server that is killed after a number of commits, and starts the server again.
 *
 * @returns whether it was killed
 */
async function runKilled(after: number, change: () => Promise<unknown>): Promise<boolean> {
  const { child } = server
  await server.order({ type: 'kill', after })
  await change().catch(() => {})
  // A server that was killed has closed its sockets before the exit is reported.
  const isAlive = await fetch(`${server.url}/health/live`).then(
    () => true,
    () => false,
  )
  if (isAlive) {
    await server.order({ type: 'kill', after: Infinity })
    return false
  }
  await server.restart()
  expect(child.signalCode).toBe('SIGKILL')
  return true
}

it('attack: a server that is killed after any commit of creating a wallet leaves one that works', async () => {
  let commits = 1
  for (let wasKilled = true; wasKilled; commits += 1) {
    const store = createStore(undefined)
    const email = `created-${commits}@example.com`
    await login(store, email)
    wasKilled = await runKilled(commits, async () => {
      const { api, wallet } = openDocument(store)
      await wallet.prepare(await api.send('user', {}))
    })
    const recorded = (await openDocument(store).api.send('user', {})).wallet?.eip155
    const first = await useWallet(store)
    expect(recorded ?? first).toBe(first)
    const second = createStore(undefined)
    await login(second, email)
    expect(await useWallet(second)).toBe(first)
  }
  // Fewer would mean that the commits are not counted.
  expect(commits).toBeGreaterThan(3)
}, 300_000)

it('attack: a server that is killed after any commit of a change of the methods leaves either the old or the new methods', async () => {
  let commits = 1
  for (let wasKilled = true; wasKilled; commits += 1) {
    const store = createStore(undefined)
    const email = `changed-${commits}@example.com`
    await login(store, email)
    const address = await useWallet(store)
    const { api, wallet } = openDocument(store)
    const methods = await api.send('wallet/methods', {})
    const user = await api.send('user', {})
    const passkey = { credentialId: 'AAAA', name: 'Mac', prf: new Uint8Array(32) }
    wasKilled = await runKilled(commits, async () =>
      wallet.changeMethods({
        user,
        methods,
        key: undefined,
        isAutomatic: false,
        kept: [],
        toWrap: async (given) => wrapWithPasskey(given, passkey, 1),
      }),
    )
    expect(await useWallet(store)).toBe(address)
    // Either automatic recovery with its key, or the passkey. Both open the wallet.
    const { wraps, isAutomatic } = await api.send('wallet/methods', {})
    expect(isAutomatic).toBe(wraps.length === 0)
    expect(wasKilled || !isAutomatic).toBe(true)
    const second = createStore(undefined)
    await login(second, email)
    const other = openDocument(second)
    // Restores the wallet with automatic recovery, or finds that it is locked.
    await expect(other.wallet.prepare(await other.api.send('user', {}))).resolves.toBeDefined()
    const found = (await other.wallet.locked())?.methods
    const wrap = found?.wraps[0]
    if (wrap?.method === 'passkey') {
      const owner = { id: found!.recoveryId, userId: user.id }
      await other.wallet.unlock(await unwrapWithPasskey(owner, wrap, passkey.prf))
    }
    expect(await useWallet(second)).toBe(address)
  }
  expect(commits).toBeGreaterThan(3)
}, 300_000)
