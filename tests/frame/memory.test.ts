import { expect, it } from 'vitest'
import { wrapWithPasskey } from '../../packages/frame/src/custody/wraps.ts'
import { run } from '../../packages/frame/src/signer/operations.ts'
import type { Signer } from '../../packages/frame/src/signer/createSigner.ts'
import { createStore } from '../../packages/frame/src/store/createStore.ts'
import { createTabs } from './createTabs.ts'
import { startFrame } from './startFrame.ts'

it('attack: after each operation, its shares are overwritten in the memory of the document', async () => {
  const frame = await startFrame()
  try {
    const seen: { name: string; share: Uint8Array }[] = []
    const signer = (async (operation) => {
      const { name } = operation
      if ('shares' in operation) seen.push(...operation.shares.map((share) => ({ name, share })))
      const result: unknown = await run(operation)
      if (name === 'create' || name === 'split') {
        const { device, auth, recovery } = result as Record<string, Uint8Array>
        for (const share of [device, auth, recovery]) seen.push({ name, share: share! })
      }
      return result
    }) as Signer
    const tabs = createTabs(frame, signer)
    const email = 'ada@example.com'
    const { api, wallet } = tabs.open(createStore(undefined))
    await tabs.finish(api, (await tabs.start(api, email)).loginId, await frame.codeFor(email))
    await wallet.prepare(await api.send('user', {}))
    await wallet.sign({ kind: 'message', message: '0x68656c6c6f' })
    await wallet.phrase()

    tabs.advance(31)
    const other = tabs.open(createStore(undefined))
    const { loginId } = await tabs.start(other.api, email)
    await tabs.finish(other.api, loginId, await frame.codeFor(email, 2))
    await other.wallet.prepare(await other.api.send('user', {}))

    const passkey = { credentialId: 'AAAA', name: 'Mac', prf: new Uint8Array(32) }
    await other.wallet.changeMethods({
      user: await other.api.send('user', {}),
      methods: await other.api.send('wallet/methods', {}),
      key: undefined,
      isAutomatic: true,
      kept: [],
      toWrap: async (key) => wrapWithPasskey(key, passkey, 1),
    })
    await wallet.keepMethods(await api.send('user', {}))

    const names = new Set(seen.map(({ name }) => name))
    expect(names).toEqual(new Set(['create', 'sign', 'check', 'phrase', 'split']))
    const left = seen.filter(({ share }) => share.some((byte) => byte !== 0))
    expect(left.map(({ name }) => name)).toEqual([])
  } finally {
    await frame.stop()
  }
})
