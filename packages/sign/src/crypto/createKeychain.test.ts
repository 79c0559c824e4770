import { expect, test } from 'vitest'
import { createMemoryStore } from '../storage/createMemoryStore.ts'
import { createKeychain } from './createKeychain.ts'
import { hashKey } from './keys.ts'

const key = 'wc@2:core:0.3//keychain'
const open = async (store = createMemoryStore()) => ({
  store,
  keychain: await createKeychain({ store, key }),
})

test('a key pair that is created for an agreement is stored together with the agreed key', async () => {
  const [{ keychain, store }, { keychain: peer }] = await Promise.all([open(), open()])
  const before = await keychain.setSymKey('11'.repeat(32))
  const peerKey = await peer.createKeyPair()
  const { publicKey, topic, stored } = await keychain.agreeWithNewKeyPair(peerKey)
  await stored
  const theirs = await peer.agree(peerKey, publicKey)
  await theirs.stored
  expect(topic).toBe(theirs.topic)
  expect(await peer.decode(topic, keychain.encode(topic, 'text'))).toMatchObject({ text: 'text' })
  const keys = JSON.parse((await store.getItem(key)) ?? '') as Record<string, string>
  expect(Object.keys(keys).sort()).toEqual([before, publicKey, topic].sort())
  expect(await hashKey(keys[topic]!)).toBe(topic)
})

test('derived and removed keys are reported as stored once they are', async () => {
  const memory = createMemoryStore()
  const slow: typeof memory = {
    ...memory,
    async setItem(...entry) {
      await new Promise((resolve) => setImmediate(resolve))
      await memory.setItem(...entry)
    },
  }
  const [{ keychain }, { keychain: peer }] = await Promise.all([open(slow), open()])
  const tags = async () => Object.keys(JSON.parse((await memory.getItem(key)) ?? '{}') as object)
  const peerKey = await peer.createKeyPair()
  const own = await keychain.createKeyPair()
  const agreed = await keychain.agree(own, peerKey)
  await agreed.stored
  expect(await tags()).toEqual([own, agreed.topic])
  const created = await keychain.agreeWithNewKeyPair(peerKey)
  await created.stored
  expect(await tags()).toContain(created.topic)
  await keychain.remove(agreed.topic)
  expect(await tags()).toEqual([own, created.publicKey, created.topic])
})

test('all tokens of a client have the same subject', async () => {
  const { keychain } = await open()
  const subject = async (nowMs: number) => {
    const [, body = ''] = (await keychain.relayToken('wss://relay.example', nowMs)).split('.')
    return (JSON.parse(atob(body.replaceAll('-', '+').replaceAll('_', '/'))) as { sub: string }).sub
  }
  expect(await subject(1_700_000_000_999)).toBe(await subject(1_800_000_000_999))
})

test('a token contains the client id and the relay’s URL, and is valid for one day', async () => {
  const { keychain } = await open()
  const nowMs = 1_700_000_000_999
  const token = await keychain.relayToken('wss://relay.example', nowMs)
  const [, body = ''] = token.split('.')
  expect(JSON.parse(atob(body.replaceAll('-', '+').replaceAll('_', '/')))).toEqual({
    iss: await keychain.clientId(),
    sub: expect.stringMatching(/^[0-9a-f]{64}$/),
    aud: 'wss://relay.example',
    iat: 1_700_000_000,
    exp: 1_700_086_400,
  })
})

test('error: an envelope of an unexpected type is rejected', async () => {
  const [{ keychain: sender }, { keychain }] = await Promise.all([open(), open()])
  const code = 'sign.unknown_envelope'
  const [publicKey, receiverPublicKey] = await Promise.all([
    sender.createKeyPair(),
    keychain.createKeyPair(),
  ])
  const sealed = await sender.encodeFor({ publicKey, receiverPublicKey, text: 'text' })
  // Rejected without a receiver key, even if plain envelopes are accepted.
  await expect(keychain.decode('', sealed)).rejects.toMatchObject({ code })
  await expect(keychain.decode('', sealed, { plain: true })).rejects.toMatchObject({ code })
  const plain = sender.encodePlain('text')
  const asked = { publicKey: receiverPublicKey }
  await expect(keychain.decode('', plain, asked)).rejects.toMatchObject({ code })
  expect(await keychain.decode('', plain, { ...asked, plain: true })).toMatchObject({ type: 2 })
})

test.each(['00'.repeat(33), `${'00'.repeat(32)}\n`, `x${'00'.repeat(32)}`, 'FF'.repeat(32)])(
  'error: the stored key %j is dropped',
  async (secret) => {
    const damaged: string[] = []
    const store = createMemoryStore([[key, JSON.stringify({ a: secret, b: '00'.repeat(32) })]])
    const onDamaged = (name: string) => void damaged.push(name)
    const keychain = await createKeychain({ store, key, onDamaged })
    expect([keychain.has('a'), keychain.has('b'), damaged]).toEqual([false, true, [`${key}[a]`]])
  },
)
