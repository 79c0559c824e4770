import type { Network } from './Network.ts'

/** The URL of an address in the network's block explorer; undefined if the network has no valid explorer URL. */
export function explorerUrl(network: Network | undefined, address: string): string | undefined {
  const base = network?.blockExplorers?.default.url
  if (!base || !URL.canParse(base)) return undefined
  return `${base.replace(/\/+$/, '')}/address/${encodeURIComponent(address)}`
}
