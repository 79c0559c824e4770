import { StatementSync } from 'node:sqlite'

/** What a test sends to a server that was started with this module. */
export type KillOrder =
  /** Moves its clock ahead of the real one. */
  | { type: 'ahead'; ms: number }
  /** Ends it with SIGKILL after a number of transactions and changes of the escrow store. */
  | { type: 'kill'; after: number }

let left = Infinity
let aheadMs = 0
const { now } = Date
// Replaced before the server stores a reference to the original.
Date.now = () => now() + aheadMs

process.on('message', (order: KillOrder) => {
  if (order.type === 'ahead') aheadMs = order.ms
  else left = order.after
  process.send!('done')
})
// The tests' channel does not keep the server running.
process.channel?.unref()

for (const name of ['all', 'run'] as const) {
  const execute = StatementSync.prototype[name] as (this: StatementSync, ...values: []) => never
  StatementSync.prototype[name] = function patched(this: StatementSync, ...values: []) {
    const result = execute.apply(this, values)
    // Sets change in transactions. The keys of the escrow store are in a
    // separate database, without transactions.
    const isCounted = /^\s*(commit|(insert|update|delete).*escrow_keys)/is.test(this.sourceSQL)
    if (isCounted && --left === 0) process.kill(process.pid, 'SIGKILL')
    return result
  }
}
