import { recoverMessageAddress, type Hex } from 'viem'
import { expect, it } from 'vitest'
import { unwrapWithPasskey, wrapWithPasskey } from '../../packages/frame/src/custody/wraps.ts'
import { createStore } from '../../packages/frame/src/store/createStore.ts'
import { createTabs, type Tab } from './createTabs.ts'
import { startFrame } from './startFrame.ts'

it('two tabs log in, create a wallet and refresh their tokens at the same time', async () => {
  const frame = await startFrame()
  try {
    const tabs = createTabs(frame)
    const store = createStore(undefined)
    const [first, second] = [tabs.open(store), tabs.open(store)]
    // Both have the same device key, although both are the first to need one.
    const [started] = await Promise.all([
      tabs.start(first.api, 'ada@example.com'),
      tabs.start(second.api, 'bob@example.com'),
    ])
    const code = await frame.codeFor('ada@example.com')
    await tabs.finish(second.api, started.loginId, code)

    const accounts = await Promise.all(
      [first, second].map(async ({ api, wallet }) => wallet.prepare(await api.send('user', {}))),
    )
    expect(accounts[1]).toEqual(accounts[0])

    // A refresh token can be used once: a second refresh would end the session.
    tabs.advance(601)
    const users = await Promise.all([first, second].map(({ api }) => api.send('user', {})))
    expect(users.map(({ email }) => email)).toEqual(['ada@example.com', 'ada@example.com'])
    expect((await first.api.send('user', {})).wallet?.eip155).toBe(accounts[0]!.eip155)
  } finally {
    await frame.stop()
  }
})

it('attack: of two tabs that change the recovery methods at the same time, one wins; both sign, and its passkey restores the wallet', async () => {
  const frame = await startFrame()
  try {
    const tabs = createTabs(frame)
    const email = 'ada@example.com'
    const store = createStore(undefined)
    const first = tabs.open(store)
    await tabs.finish(
      first.api,
      (await tabs.start(first.api, email)).loginId,
      await frame.codeFor(email),
    )
    const { eip155 } = await first.wallet.prepare(await first.api.send('user', {}))

    /** Resolved once one of the tabs has changed the methods. */
    const changed = Promise.withResolvers<void>()
    const second = tabs.open(store)
    const late = tabs.open(store, async (input, init) => {
      if (typeof input === 'string' && input.endsWith('/wallet/share')) await changed.promise
      return fetch(input, init)
    })
    const user = await first.api.send('user', {})
    const methods = await first.api.send('wallet/methods', {})
    const add = async ({ wallet }: Tab, credentialId: string) =>
      wallet.changeMethods({
        user,
        methods,
        key: undefined,
        isAutomatic: false,
        kept: [],
        toWrap: async (key) => wrapWithPasskey(key, passkeyOf(credentialId), 1),
      })
    const sign = async ({ wallet }: Tab) => {
      const signature = await wallet.sign({ kind: 'message', message: '0x68656c6c6f' })
      return recoverMessageAddress({ message: 'hello', signature: signature as Hex })
    }
    // Has read the previous set, but gets the server's share of the next one.
    const signed = sign(late)
    const outcomes = await Promise.allSettled([add(first, 'AAAA'), add(second, 'BBBB')])
    changed.resolve()
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await expect(signed).resolves.toBe(eip155)
    const winner = outcomes[0].status === 'fulfilled' ? 'AAAA' : 'BBBB'
    for (const tab of [first, second, tabs.open(store)]) expect(await sign(tab)).toBe(eip155)

    tabs.advance(31)
    const other = tabs.open(createStore(undefined))
    const { loginId } = await tabs.start(other.api, email)
    await tabs.finish(other.api, loginId, await frame.codeFor(email, 2))
    const found = await other.api.send('user', {})
    await other.wallet.prepare(found)
    const { recoveryId, wraps } = (await other.wallet.locked())!.methods!
    const ids = wraps.map((wrap) => wrap.method === 'passkey' && wrap.credentialId)
    expect(ids).toEqual([winner])
    const [wrap] = wraps
    if (wrap?.method !== 'passkey') throw new Error('no passkey')
    const owner = { id: recoveryId, userId: found.id }
    await other.wallet.unlock(await unwrapWithPasskey(owner, wrap, passkeyOf(winner).prf))
    expect(await sign(other)).toBe(eip155)
  } finally {
    await frame.stop()
  }
})

const passkeyOf = (credentialId: string) => ({
  credentialId,
  name: 'Mac',
  prf: new Uint8Array(32).fill(credentialId.charCodeAt(0)),
})
