import type { Ledger } from './createLedger.ts'
import { encodeAccount } from './encodeAccount.ts'
import { AccountConfig, Config, read, readAddress, readSignature } from './parameters.ts'
import { RpcError } from './RpcError.ts'

/** How many subscriptions a connection may have. */
const maxSubscriptions = 1_000

/** A JSON-RPC notification, without the subscription's id. */
export type Notify = (method: string, result: unknown, id: number) => void

/**
 * The subscriptions of one connection.
 *
 * @see https://solana.com/docs/rpc/websocket
 */
export function createSubscriptions(ledger: Ledger, notify: Notify) {
  const stops = new Map<number, () => void>()
  let nextId = 1

  function subscribe(start: (id: number) => () => void): number {
    if (stops.size >= maxSubscriptions)
      throw new RpcError('internal', 'The connection has too many subscriptions.')
    const id = nextId++
    stops.set(id, start(id))
    return id
  }

  function unsubscribe([given]: readonly unknown[]): boolean {
    const id = Number(given)
    const stop = stops.get(id)
    if (!stop) throw new RpcError('invalidParams', 'Invalid subscription id.')
    stops.delete(id)
    stop()
    return true
  }

  const methods: Readonly<Record<string, (params: readonly unknown[]) => unknown>> = {
    signatureSubscribe([given, config]) {
      const signature = readSignature(given)
      read(Config, config)
      return subscribe((id) => {
        let isDone = false
        const report = () => {
          const record = ledger.record(signature)
          if (!record || isDone) return
          isDone = true
          stops.get(id)?.()
          stops.delete(id)
          const context = { slot: ledger.slot() }
          notify('signatureNotification', { context, value: { err: record.error } }, id)
        }
        // A known transaction is reported after the response with the id.
        setImmediate(report)
        return ledger.watch((event) => {
          if (event.type === 'transaction' && event.record.signature === signature)
            setImmediate(report)
        })
      })
    },

    accountSubscribe([at, given]) {
      const address = readAddress(at)
      const config = read(AccountConfig, given)
      return subscribe((id) =>
        ledger.watch((event) => {
          if (event.type !== 'transaction' || !event.record.accounts.includes(address)) return
          const context = { slot: ledger.slot() }
          const account = ledger.account(address)
          const none = { lamports: 0n, owner: '11111111111111111111111111111111' }
          const value = encodeAccount(account, config, ledger.account) ?? {
            ...none,
            data: ['', 'base64'],
            executable: false,
            rentEpoch: 0n,
            space: 0n,
          }
          notify('accountNotification', { context, value }, id)
        }),
      )
    },

    slotSubscribe() {
      return subscribe((id) =>
        ledger.watch((event) => {
          if (event.type !== 'slot') return
          const { slot } = event
          notify('slotNotification', { slot, parent: slot - 1n, root: slot - 1n }, id)
        }),
      )
    },

    signatureUnsubscribe: unsubscribe,
    accountUnsubscribe: unsubscribe,
    slotUnsubscribe: unsubscribe,
  }

  return {
    methods,
    stop() {
      for (const stop of stops.values()) stop()
      stops.clear()
    },
  }
}
