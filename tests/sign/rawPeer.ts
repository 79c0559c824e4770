import type { Session } from '@gatefold/sign'
import { expect } from 'vitest'
import { createKeychain } from '../../packages/sign/src/crypto/createKeychain.ts'
import { parsePairingUri } from '../../packages/sign/src/parsePairingUri.ts'
import { createRelayer } from '../../packages/sign/src/relayer/createRelayer.ts'
import { createMemoryStore } from '../../packages/sign/src/storage/createMemoryStore.ts'
import { metadataOf } from './clients.ts'

export type Json = Record<string, unknown> & { id?: number }

/** A peer that can send arbitrary messages: a keychain and a relayer without an engine. */
export async function createRawPeer(relayUrl: string) {
  const store = createMemoryStore()
  const keychain = await createKeychain({ store, key: 'keys' })
  const relayer = await createRelayer({ relayUrl, keychain, store })
  const received: { topic: string; json: Json }[] = []
  relayer.onMessage(async ({ topic, message }) => {
    const { text } = await keychain.decode(topic, message)
    received.push({ topic, json: JSON.parse(text) as Json })
  })
  // A minute earlier than the ids of the clients. They count a request with the id of one of their own as a repeat.
  let lastId = (Date.now() - 60_000) * 1_000

  const peer = {
    keychain,
    relayer,
    received,
    id: () => (lastId += 1_000),
    /** Publishes a request or a response. @returns its id */
    async send(topic: string, json: Json, tag = 1108) {
      const id = json.id ?? peer.id()
      const message = keychain.encode(topic, JSON.stringify({ jsonrpc: '2.0', ...json, id }))
      await relayer.publish(topic, message, { ttl: 300, tag, prompt: false })
      return id
    },
    /** The response to a request. */
    async answer(id: number): Promise<Json> {
      const find = () =>
        received.find(({ json }) => json.id === id && ('result' in json || 'error' in json))?.json
      await expect.poll(find).toBeDefined()
      return find() ?? {}
    },
    /** Resolves with the first request for a method, which may have arrived already. */
    async request(method: string): Promise<Json & { params: Record<string, never> }> {
      const find = () => received.find(({ json }) => json['method'] === method)?.json
      await expect.poll(find).toBeDefined()
      return find() as never
    },
    /** As a wallet: pairs with a URI. */
    async scan(uri: string) {
      const { topic, symKey } = parsePairingUri(uri)
      await keychain.setSymKey(symKey)
      await relayer.subscribe(topic)
      return topic
    },
    /** As a wallet: pairs with a URI and responds to the proposal. */
    async answerProposal(uri: string) {
      const pairingTopic = await peer.scan(uri)
      const proposal = await peer.request('wc_sessionPropose')
      const { proposer } = proposal.params as never as { proposer: { publicKey: string } }
      const publicKey = await keychain.createKeyPair()
      const { topic } = await keychain.agree(publicKey, proposer.publicKey)
      await relayer.subscribe(topic)
      const result = { relay: { protocol: 'irn' }, responderPublicKey: publicKey }
      await peer.send(pairingTopic, { id: proposal.id ?? 0, result }, 1101)
      return { pairingTopic, topic, publicKey, proposalId: proposal.id ?? 0 }
    },
    /** As a wallet: sends `wc_sessionSettle` with these terms. */
    settle(topic: string, publicKey: string, terms: Partial<Session> & Json) {
      const params = {
        relay: { protocol: 'irn' },
        controller: { publicKey, metadata: metadataOf('raw') },
        expiry: Math.floor(Date.now() / 1_000) + 604_800,
        ...terms,
      }
      return peer.send(topic, { method: 'wc_sessionSettle', params }, 1102)
    },
    /** As an app: creates a pairing and sends a proposal. */
    async propose(params: Json) {
      const symKey = Array.from({ length: 64 }, () =>
        Math.floor(Math.random() * 16).toString(16),
      ).join('')
      const pairingTopic = await keychain.setSymKey(symKey)
      const publicKey = await keychain.createKeyPair()
      await relayer.subscribe(pairingTopic)
      const id = await peer.send(
        pairingTopic,
        {
          method: 'wc_sessionPropose',
          params: { proposer: { publicKey, metadata: metadataOf('raw') }, ...params },
        },
        1100,
      )
      const uri = `wc:${pairingTopic}@2?relay-protocol=irn&symKey=${symKey}`
      return { id, uri, pairingTopic, publicKey }
    },
    close: () => relayer.close(),
  }
  return peer
}
