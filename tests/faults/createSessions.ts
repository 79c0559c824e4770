import { createSignClient, type SignClient } from '@gatefold/sign'
import { account, metadataOf, settle } from '../sign/clients.ts'
import type { Finding } from './report.ts'
import { until } from './until.ts'

type Pair = { app: SignClient; wallet: SignClient; topic: string; running: Promise<void> }

/**
 * Sessions of our own sign client that ask and answer without a pause, one request after the other: each
 * must be seen once by the wallet and answered once to the app, whatever happens to the relay.
 */
export function createSessions(options: { url: string; pairs: number }) {
  const pairs: Pair[] = []
  const seen = new Map<number, number>()
  let asked = 0
  let answered = 0
  let wrong = 0
  const over = new AbortController()

  async function ask({ app, topic }: Pair) {
    while (!over.signal.aborted) {
      const text = `0x${(asked += 1).toString(16)}`
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
      for (const pair of pairs) pair.running = ask(pair)
    },
    /** Waits for pending answers. */
    async finish(limitMs: number): Promise<Finding[]> {
      over.abort()
      await until(() => answered + wrong >= asked, limitMs)
      const twice = [...seen.values()].filter((times) => times > 1).length
      return [
        { what: 'session requests', value: asked, unit: '' },
        { what: 'session requests not answered', value: asked - answered, unit: '', most: 0 },
        { what: 'session requests answered wrongly', value: wrong, unit: '', most: 0 },
        { what: 'session requests a wallet saw twice', value: twice, unit: '', most: 0 },
      ]
    },
    async close() {
      over.abort()
      for (const { app, wallet } of pairs) await Promise.all([app.close(), wallet.close()])
    },
  }
}
