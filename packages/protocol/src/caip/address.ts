import type { ChainNamespace } from './ChainNamespace.ts'

const evmAddress = /^(0x)?[0-9a-f]{40}$/i
const solanaAddress = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/

/**
 * Whether a string has the form of an address in a chain family. Checksums are not verified. In
 * families without a rule, any non-empty string is an address.
 *
 * @see spec §5.1.1 (EVM: 40 hex characters, optional 0x), §5.1.2 (Solana: 32 to 44 base58 characters)
 */
export function isAddress(address: string, namespace: ChainNamespace = 'eip155'): boolean {
  if (namespace === 'eip155') return evmAddress.test(address)
  if (namespace === 'solana') return solanaAddress.test(address)
  return address.length > 0
}
