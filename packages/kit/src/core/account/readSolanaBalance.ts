import { BaseError, limits } from '@gatefold/protocol'
import type { ChainNamespace } from '@gatefold/protocol'

import type { Balance } from '../connection/Adapter.ts'
import { getGrantedAccount } from '../connection/findGrantingSession.ts'
import type { Kit } from '../kit/Kit.ts'
import { fromUnits } from '../money/decimal.ts'
import type { Network } from '../networks/Network.ts'
import { noBalance } from './balance.ts'

/** An answer of `getBalance`. Lamports are read from the text, because a number would round large balances. */
const answer = /"result"\s*:\s*\{[^]*"value"\s*:\s*(\d{1,20})\s*[,}]/

/** No RPC endpoint of the network has answered with a balance. */
class SolanaBalanceError extends BaseError {
  override name = 'SolanaBalanceError'
  constructor(network: Network, options: { cause?: unknown }) {
    super(`The balance on ${network.name} could not be read.`, {
      code: 'solana.balance',
      metaMessages: ['Its RPC endpoints are those of `networks`, `customRpcUrls` and the gateway.'],
      ...options,
    })
  }
}

/**
 * The balance of the account that a session grants on a family without an adapter, from the nodes of its network.
 * Undefined if no session grants one on a configured network.
 *
 * @see spec §9.3.4
 */
export async function readGrantedBalance(
  kit: Kit,
  namespace: ChainNamespace.ChainNamespace,
): Promise<{ network: Network; balance: Balance } | undefined> {
  const state = kit.getState()
  const account = getGrantedAccount(state, namespace)
  const network = state.networks.find((one) => one.caipNetworkId === account?.caipNetworkId)
  if (!account || !network) return undefined
  if (network.testnet) return { network, balance: noBalance(network) }
  return { network, balance: await readSolanaBalance({ address: account.address, network }) }
}

/**
 * The native balance of a Solana account, as the network's nodes have confirmed it. The RPC URLs are tried in order. If all
 * fail, returns '0.00' with `error` set.
 *
 * @see https://solana.com/docs/rpc/http/getbalance; spec §3.9.2, §9.3.4
 */
export async function readSolanaBalance(parameters: {
  /** The account's base58 address. */
  address: string
  network: Network
}): Promise<Balance> {
  const { address, network } = parameters
  const { symbol, decimals } = network.nativeCurrency
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'getBalance',
    params: [address, { commitment: 'confirmed' }],
  })
  let cause: unknown
  for (const url of network.rpcUrls.default.http)
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        signal: AbortSignal.timeout(limits.httpTimeoutMs),
      })
      const text = await response.text()
      const [, lamports] = answer.exec(text) ?? []
      if (!response.ok || !lamports)
        throw new Error(`${url} did not return a balance: ${text.slice(0, 200)}`)
      const value = BigInt(lamports)
      return { balance: fromUnits(value, decimals), symbol, value, decimals }
    } catch (error) {
      cause = error
    }
  const error = new SolanaBalanceError(network, { cause })
  return { balance: '0.00', symbol, value: 0n, decimals, error }
}
