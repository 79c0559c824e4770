/**
 * Fills running local chains with a history: the chains at the URLs in the
 * arguments, or both chains on their default ports.
 */
import { gatefoldLocal, gatefoldSecond } from './chains.ts'
import { generateHistory } from './history/generateHistory.ts'
import { reachable } from './reachable.ts'

const given = process.argv.slice(2)
const urls =
  given.length > 0
    ? given
    : [gatefoldLocal(), gatefoldSecond()].map((it) => it.rpcUrls.default.http[0])

for (const url of await reachable(urls)) {
  const begun = performance.now()
  const { addresses, transactions } = await generateHistory({ url })
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  console.log(
    `${url}: ${transactions.length} transactions, ${addresses.length} addresses (${seconds} s)`,
  )
}
