import type { SignClientOptions } from '@gatefold/sign'
import { expect, test } from 'vitest'
import { createKeychain } from '../../packages/sign/src/crypto/createKeychain.ts'
import { createMemoryStore } from '../../packages/sign/src/storage/createMemoryStore.ts'
import { metadataOf, next, settle, useClients } from './clients.ts'
import { requestSignIn, sign, signIn, type SignInEvent, watch } from './signIn.ts'

const relay = useClients()

test('a link that cannot be opened rejects the request; a forged link is ignored', async () => {
  const linked = (name: string) => ({
    ...metadataOf(name),
    redirect: { universal: `https://${name}.example/open`, linkMode: true },
  })
  const known = JSON.stringify(['https://wallet.example/open'])
  const storage = createMemoryStore([['WALLETCONNECT_LINK_MODE_APPS', known]])
  const app = relay.create('app', {
    storage,
    metadata: linked('app'),
    openLink: () => Promise.reject(new Error('no app opens the link')),
  })
  const wallet = relay.create('wallet', { metadata: linked('wallet') })
  const { topic } = await settle(app, wallet)
  await app.handleLink(`https://app.example/open?topic=${topic}&wc_ev=AAAA`)
  expect(app.sessions()[0]?.transportType).toBe('relay')
  await app.handleLink(
    `https://app.example/open?topic=${topic}&wc_ev=${await sealed(storage, topic)}`,
  )
  expect(app.sessions()[0]?.transportType).toBe('link_mode')
  const requesting = app.request({
    topic,
    chainId: 'eip155:1',
    request: { method: 'personal_sign', params: [] },
  })
  await expect(requesting).rejects.toThrow('no app opens the link')
  expect(app.pendingOutgoing()).toEqual([])
})

/** A ping from the wallet, encrypted for a link. */
async function sealed(store: ReturnType<typeof createMemoryStore>, topic: string) {
  const keychain = await createKeychain({ store, key: 'wc@2:core:0.3//keychain' })
  const ping = { id: Date.now() * 1_000, jsonrpc: '2.0', method: 'wc_sessionPing', params: {} }
  return keychain.encode(topic, JSON.stringify(ping), 'base64url')
}

test('after a sign-in over the relay, peers that support link mode exchange links', async () => {
  const opened: Record<'app' | 'wallet', string[]> = { app: [], wallet: [] }
  const create = (name: 'app' | 'wallet', options: Partial<SignClientOptions> = {}) =>
    relay.create(name, {
      metadata: {
        ...metadataOf(name),
        redirect: { universal: `https://${name}.example/open`, linkMode: true },
      },
      openLink: (url) => void opened[name].push(url),
      ...options,
    })
  const app = create('app')
  const wallet = create('wallet')
  const first = await requestSignIn(app, wallet)
  await wallet.approveSessionAuthenticate({
    id: first.event.id,
    auths: [await sign(first.event)],
  })
  await first.approval()
  expect(opened).toEqual({ app: [], wallet: [] })

  const event = next<SignInEvent>((listener) => watch(wallet, listener))
  const { uri, approval } = await app.authenticate({
    ...signIn,
    walletUniversalLink: 'https://wallet.example/open',
  })
  expect(uri).toMatch(/^https:\/\/wallet\.example\/open\?wc_ev=An/)
  expect(await wallet.handleLink(uri ?? '')).toBe(true)
  const received = await event
  expect(received.params).toMatchObject({ transportType: 'link_mode' })
  await wallet.approveSessionAuthenticate({ id: received.id, auths: [await sign(received)] })
  await app.handleLink(opened.wallet.shift() ?? '')
  const { session } = await approval()
  const topic = session?.topic ?? ''
  expect(session?.transportType).toBe('link_mode')

  const request = next<{ id: number }>((listener) => wallet.on('session_request', listener))
  const answer = app.request({
    topic,
    chainId: 'eip155:1',
    request: { method: 'personal_sign', params: [] },
  })
  await expect.poll(() => opened.app).toHaveLength(1)
  await wallet.handleLink(opened.app.shift() ?? '')
  const { id, verifyContext } = (await request) as never as {
    id: number
    verifyContext: { verified: { validation: string } }
  }
  expect(verifyContext.verified.validation).toBe('VALID')
  await wallet.respond({ topic, response: { id, jsonrpc: '2.0', result: '0xlinked' } })
  await app.handleLink(opened.wallet.shift() ?? '')
  expect(await answer).toBe('0xlinked')
  expect(await app.handleLink('https://app.example/open?page=2')).toBe(false)
})

test('a sign-in over a link that the wallet rejects leaves no pairing', async () => {
  const opened: string[] = []
  const create = (name: 'app' | 'wallet', options: Partial<SignClientOptions>) =>
    relay.create(name, {
      metadata: {
        ...metadataOf(name),
        redirect: { universal: `https://${name}.example/open`, linkMode: true },
      },
      ...options,
    })
  const known = (name: string) =>
    createMemoryStore([
      ['WALLETCONNECT_LINK_MODE_APPS', JSON.stringify([`https://${name}.example/open`])],
    ])
  const app = create('app', { storage: known('wallet'), openLink: () => undefined })
  const wallet = create('wallet', {
    storage: known('app'),
    openLink: (url) => void opened.push(url),
  })
  const event = next<SignInEvent>((listener) => watch(wallet, listener))
  const { uri, approval } = await app.authenticate({
    ...signIn,
    walletUniversalLink: 'https://wallet.example/open',
  })
  expect(app.pairings()).toHaveLength(1)
  await wallet.handleLink(uri ?? '')
  await wallet.rejectSessionAuthenticate({
    id: (await event).id,
    reason: { code: 5000, message: 'User rejected.' },
  })
  await app.handleLink(opened[0] ?? '')
  await expect(approval()).rejects.toMatchObject({ reason: { code: 5000 } })
  await expect.poll(() => app.pairings()).toEqual([])
})
