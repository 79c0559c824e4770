import type { Network } from './Network.ts'

/**
 * The URL of an address or a transaction in the network's block explorer; undefined if the network has no valid
 * explorer URL.
 */
export function explorerUrl(
  network: Network | undefined,
  id: string,
  page: 'address' | 'tx' = 'address',
): string | undefined {
  const base = network?.blockExplorers?.default.url
  if (!base || !URL.canParse(base)) return undefined
  return `${base.replace(/\/+$/, '')}/${page}/${encodeURIComponent(id)}`
}
