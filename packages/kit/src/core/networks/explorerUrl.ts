import type { Network } from './Network.ts'

/** The URL of an address in the network's block explorer; undefined without an explorer. */
export function explorerUrl(network: Network | undefined, address: string): string | undefined {
  const base = network?.blockExplorers?.default.url
  if (!base || !URL.canParse(base)) return undefined
  return `${base.replace(/\/+$/, '')}/address/${encodeURIComponent(address)}`
}
