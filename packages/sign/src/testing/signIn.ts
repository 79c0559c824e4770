import * as Address from 'ox/Address'
import * as Hex from 'ox/Hex'
import * as PersonalMessage from 'ox/PersonalMessage'
import * as Secp256k1 from 'ox/Secp256k1'
import * as Signature from 'ox/Signature'
import { formatAuthMessage } from '../auth/message.ts'
import { encodeRecap } from '../auth/recap.ts'
import { createSymKey, hashKey } from '../crypto/keys.ts'
import { formatPairingUri } from '../pairingUri.ts'
import type { AuthPayload, Cacao } from '../Session.ts'
import { createMemoryRelay } from './createMemoryRelay.ts'
import { type Client, firstId, metadataOf, now, openEngine, startMs } from './engines.ts'

export const id = firstId
export const proposalId = firstId + 1
const privateKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
export const signer = Address.fromPublicKey(Secp256k1.getPublicKey({ privateKey }))
export const recap = encodeRecap({
  att: { eip155: { 'request/personal_sign': [{ chains: ['eip155:1', 'eip155:10'] }] } },
})
export const authPayload: AuthPayload = {
  type: 'caip122',
  version: '1',
  chains: ['eip155:1', 'eip155:10'],
  domain: 'app.example',
  aud: 'https://app.example/login',
  nonce: 'f0e1d2c3',
  iat: new Date(startMs).toISOString(),
}
export const withSession: AuthPayload = { ...authPayload, resources: [recap] }

export function sign({ type: _type, chains: _chains, ...fields }: AuthPayload): Cacao {
  const p = { ...fields, iss: `did:pkh:eip155:1:${signer}` }
  const payload = PersonalMessage.getSignPayload(Hex.fromString(formatAuthMessage(p, p.iss)))
  const s = Signature.toHex(Secp256k1.sign({ payload, privateKey }))
  return { h: { t: 'caip122' }, p, s: { t: 'eip191', s } }
}

export const forged: Cacao = { ...sign(authPayload), s: { t: 'eip191', s: `0x${'00'.repeat(65)}` } }

type Options = {
  payload?: AuthPayload
  expiry?: number
  app?: Parameters<typeof openEngine>[1]
  wallet?: Parameters<typeof openEngine>[1]
}

/** An app and a wallet without a pairing. */
export async function openSignIn({
  payload = authPayload,
  expiry = 3_600,
  ...options
}: Options = {}) {
  const relay = createMemoryRelay()
  const app = await openEngine(relay, { metadata: metadataOf('app'), ...options.app })
  const wallet = await openEngine(relay, { metadata: metadataOf('wallet'), ...options.wallet })
  await wallet.run({ type: 'listen', name: 'session_authenticate' })
  const symKey = createSymKey()
  const topic = await hashKey(symKey)
  const pairing = { topic, symKey, expiry: now + 300 }
  const uri = formatPairingUri({
    topic,
    symKey,
    relay: { protocol: 'irn' },
    methods: ['wc_sessionAuthenticate'],
  })
  const authenticate = (change: object = {}) =>
    app.run({
      type: 'authenticate',
      id,
      proposalId,
      pairing,
      pairingTopic: topic,
      methods: ['eth_call'],
      authPayload: payload,
      expiry,
      ...change,
    })
  const approve = async (auths: readonly Cacao[] = [sign(payload)]) => {
    const result = await wallet.run({ type: 'approveSessionAuthenticate', id, auths })
    await relay.idle()
    return result
  }
  const requester = () => {
    const { params } = app.stores.records.get(id)?.request ?? {}
    return (params as { requester: { publicKey: string } }).requester.publicKey
  }
  return { relay, app, wallet, topic, pairing, uri, authenticate, approve, requester }
}

/** A wallet that has received the sign-in request of an app. */
export async function requestSignIn(options: Options = {}) {
  const opened = await openSignIn(options)
  await opened.wallet.run({ type: 'pair', uri: opened.uri })
  await opened.authenticate()
  await opened.relay.idle()
  return opened
}

export const eventsOf = ({ events }: Client, name: string) => events.filter(([it]) => it === name)
export const stateOf = ({ stores }: Client) => ({
  sessions: stores.sessions.values().length,
  proposals: stores.proposals.values().length,
  authRequests: stores.authRequests.values().length,
  sent: stores.records.values().filter(({ sent }) => sent).length,
})
export const nothing = { sessions: 0, proposals: 0, authRequests: 0, sent: 0 }
