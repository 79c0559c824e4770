import { granted, type Json, openWallet } from './engines.ts'

export const unverified = {
  verified: { verifyUrl: '', validation: 'UNKNOWN', origin: 'https://peer.example' },
}
export const optionalNamespaces = {
  eip155: { chains: ['eip155:1'], methods: ['personal_sign'], events: ['chainChanged'] },
}
export const reason = { code: 5000, message: 'User rejected.' }
export const missing = 'a'.repeat(64)

/** A wallet with a pending proposal. */
export async function receiveProposal(params: Json = { optionalNamespaces }, options = {}) {
  const opened = await openWallet(options)
  await opened.run({ type: 'pair', uri: opened.uri })
  const id = await opened.propose(params)
  const settleId = id + 1
  const approve = (change: object = {}) =>
    opened.run({ type: 'approve', id, settleId, namespaces: granted, ...change })
  /** As the app, derives the session's key and subscribes to the session's topic. */
  async function join() {
    const { result } = opened.answerTo(id) as { result: { responderPublicKey: string } }
    const { topic } = await opened.peer.keys.agree(
      opened.proposer.publicKey,
      result.responderPublicKey,
    )
    await opened.peer.relayer.subscribe(topic)
    await opened.relay.idle()
    return { topic, ...result }
  }
  return { ...opened, id, settleId, approve, join }
}
