import { unreportedShare, type SharedAccounts } from './createSharedAccounts.ts'
import type { LocalTokenBuckets, TokenBuckets } from '../http/createTokenBuckets.ts'

/** Maximum time between using tokens and reporting them, in ms. */
const reportMs = 1_000

/**
 * Creates token buckets that several processes share. A process grants requests from its local buckets. It
 * reports the used tokens at once if they reach {@link unreportedShare} of the burst, otherwise within a
 * second. If processes together use more tokens than a bucket holds, the bucket goes into debt, so the
 * sustained rate stays exact. While Redis does not respond, each process limits requests by its local buckets.
 *
 * @param options.keyOf - returns the name of the shared account for a bucket's key.
 * @see docs/threats.md#open-proxy
 */
export function shareTokenBuckets(
  local: LocalTokenBuckets,
  options: {
    accounts: SharedAccounts
    keyOf: (key: string) => string
    perSecond: number
    burst: number
  },
): TokenBuckets {
  const { accounts, keyOf, perSecond, burst } = options
  /** Tokens used since the last report, by key. */
  const unreported = new Map<string, number>()
  /** Keys with a report in flight. */
  const reporting = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  async function report(key: string) {
    const tokens = unreported.get(key)
    if (tokens === undefined || reporting.has(key)) return
    unreported.delete(key)
    reporting.add(key)
    try {
      const { debtMs } = await accounts.update(keyOf(key), { spentMs: (tokens * 1000) / perSecond })
      local.setUsed(key, (debtMs * perSecond) / 1000 + (unreported.get(key) ?? 0))
    } catch {
      // The local bucket has already counted these tokens.
    }
    reporting.delete(key)
    if (isMuch(key)) await report(key)
  }

  function isMuch(key: string) {
    return (unreported.get(key) ?? 0) >= burst * unreportedShare
  }

  function reportAll() {
    for (const key of unreported.keys()) void report(key)
    timer = unreported.size > 0 ? schedule() : undefined
  }

  function schedule() {
    return setTimeout(reportAll, reportMs).unref()
  }

  function use(key: string, tokens: number) {
    unreported.set(key, (unreported.get(key) ?? 0) + tokens)
    if (isMuch(key)) void report(key)
    else timer ??= schedule()
  }

  return {
    burst,

    take(key, cost = 1) {
      const waitMs = local.take(key, cost)
      if (waitMs > 0) return waitMs
      use(key, Math.min(cost, burst))
      return 0
    },

    owe(key, cost) {
      local.owe(key, cost)
      use(key, cost)
    },
  }
}
