import { createSignClient, type SignClient } from '@gatefold/sign'
import { account, metadataOf, settle } from '../sign/clients.ts'
import type { Finding } from './report.ts'
import { until } from './until.ts'

type Pair = { app: SignClient; wallet: SignClient; topic: string; running: Promise<void> }

/**
 * Sessions between our own clients that send one request after another without a pause. Whatever
 * happens to the relay, each request must reach the wallet once, and each response must reach the
 * app once.
 */
export function createSessions(options: { url: string; pairs: number }) {
  const pairs: Pair[] = []
  const seen = new Map<number, number>()
  let requested = 0
  let answered = 0
  let wrong = 0
  const stopped = new AbortController()

  async function sendRequests({ app, topic }: Pair) {
    while (!stopped.signal.aborted) {
      const text = `0x${(requested += 1).toString(16)}`
      const request = { method: 'personal_sign', params: [text, account] }
      try {
        const answer = await app.request({ topic, chainId: 'eip155:1', request })
        answered += 1
        if (answer !== `signed ${text}`) wrong += 1
      } catch {
        wrong += 1
      }
    }
  }

  function answer(wallet: SignClient) {
    wallet.on('session_request', ({ id, topic, params }) => {
      seen.set(id, (seen.get(id) ?? 0) + 1)
      const [text] = params.request.params as [string]
      const response = { id, jsonrpc: '2.0' as const, result: `signed ${text}` }
      wallet.respond({ topic, response }).catch(() => (wrong += 1))
    })
  }

  return {
    async settle() {
      for (let index = 0; index < options.pairs; index += 1) {
        const create = (name: string) =>
          createSignClient({
            relayUrl: options.url,
            metadata: metadataOf(name),
            storagePrefix: `${name}-${index}-`,
          })
        const [app, wallet] = [create('app'), create('wallet')]
        const { topic } = await settle(app, wallet)
        answer(wallet)
        pairs.push({ app, wallet, topic, running: Promise.resolve() })
      }
    },
    run() {
      for (const pair of pairs) pair.running = sendRequests(pair)
    },
    /** Stops sending and waits for pending responses. */
    async finish(limitMs: number): Promise<Finding[]> {
      stopped.abort()
      await until(() => answered + wrong >= requested, limitMs)
      const twice = [...seen.values()].filter((times) => times > 1).length
      return [
        { label: 'session requests', value: requested, unit: '' },
        {
          label: 'session requests without a response',
          value: requested - answered,
          unit: '',
          max: 0,
        },
        { label: 'session requests with a wrong response', value: wrong, unit: '', max: 0 },
        { label: 'session requests delivered twice', value: twice, unit: '', max: 0 },
      ]
    },
    async close() {
      stopped.abort()
      for (const { app, wallet } of pairs) await Promise.all([app.close(), wallet.close()])
    },
  }
}
