import type { Analytics } from '../../relayer/Relayer.ts'

/** By method, the field of the result that contains the transaction hash; undefined if the result is the hash. */
const hashFields: Record<string, string | undefined> = {
  eth_sendTransaction: undefined,
  eth_sendRawTransaction: undefined,
  wallet_sendCalls: 'id',
  solana_signAndSendTransaction: 'signature',
  sendTransfer: 'txid',
}

/**
 * Unencrypted metadata of a request or its response, by which a transaction can be looked up.
 *
 * @see spec §3.19.6; docs/contracts/relay.md#publish-metadata
 */
export function toAnalytics(
  id: number,
  params: { chainId: string; request: { method: string; params?: unknown } },
  result?: unknown,
): Analytics {
  const { method } = params.request
  return {
    correlationId: id,
    rpcMethods: [method],
    chainId: params.chainId,
    txHashes: readHashes(method, result),
    contractAddresses: readContracts(params.request.params),
  }
}

function readHashes(method: string, result: unknown): string[] {
  if (!Object.hasOwn(hashFields, method)) return []
  const field = hashFields[method]
  const hash =
    field && typeof result === 'object' && result !== null
      ? (result as Record<string, unknown>)[field]
      : result
  return typeof hash === 'string' ? [hash] : []
}

function readContracts(params: unknown): string[] {
  const [call] = Array.isArray(params) ? (params as unknown[]) : []
  if (typeof call !== 'object' || call === null) return []
  const { to, data } = call as Record<string, unknown>
  const isCall = typeof data === 'string' && /^0x([0-9a-f]{2})*$/i.test(data)
  return isCall && typeof to === 'string' ? [to] : []
}
