import { expect, it } from 'vitest'
import { createApi } from '../../packages/frame/src/api/createApi.ts'
import { run } from '../../packages/frame/src/signer/operations.ts'
import type { Signer } from '../../packages/frame/src/signer/createSigner.ts'
import { createStore } from '../../packages/frame/src/store/createStore.ts'
import { createWallet } from '../../packages/frame/src/wallet/createWallet.ts'
import { startFrame } from './startFrame.ts'

it('two tabs log in, create a wallet and refresh their tokens at the same time', async () => {
  const frame = await startFrame()
  try {
    let ahead = 0
    const store = createStore(undefined)
    const signer = ((operation) => run(operation)) as Signer
    const openTab = () => {
      const api = createApi({
        origin: frame.url,
        store,
        now: () => Date.now() + ahead,
        language: () => 'en',
        fetch,
      })
      return { api, wallet: createWallet({ api, store, signer, methods: ['automatic'] }) }
    }
    const tabs = [openTab(), openTab()]
    const login = { projectId: 'default', origin: 'http://localhost:3000' }
    // Both have the same device key, although both are the first to need one.
    const [started] = await Promise.all([
      tabs[0]!.api.open('login/email', { ...login, email: 'ada@example.com' }),
      tabs[1]!.api.open('login/email', { ...login, email: 'bob@example.com' }),
    ])
    const code = await frame.codeFor('ada@example.com')
    const { session } = await tabs[1]!.api.open('login/verify', { loginId: started.loginId, code })
    await tabs[1]!.api.setSession(session)

    const accounts = await Promise.all(
      tabs.map(async ({ api, wallet }) => wallet.prepare(await api.send('user', {}))),
    )
    expect(accounts[1]).toEqual(accounts[0])

    // A refresh token can be used once: a second refresh would end the session.
    ahead = 601_000
    frame.advance(601)
    const users = await Promise.all(tabs.map(({ api }) => api.send('user', {})))
    expect(users.map(({ email }) => email)).toEqual(['ada@example.com', 'ada@example.com'])
    expect((await tabs[0]!.api.send('user', {})).wallet?.eip155).toBe(accounts[0]!.eip155)
  } finally {
    await frame.stop()
  }
})
