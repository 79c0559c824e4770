/**
 * The local Solana chain. Its genesis hash is the SHA-256 of `gatefold local solana`, so that its CAIP-2 id is not that
 * of a public cluster.
 */
const genesisHash = 'DRYVatmB91jxvjvbmEkJ1v1oCWYjWyRqXyHoPA9137bW'

/** The reference of the CAIP-2 id: the first 32 characters of the genesis hash. */
const reference = genesisHash.slice(0, 32)

export const solanaLocal = {
  id: `solana:${reference}`,
  reference,
  genesisHash,
  name: 'Gatefold Solana',
} as const
