import { createHash } from 'node:crypto'
import { address, lamports, type Address, type EncodedAccount } from '@solana/kit'
import { getMintEncoder, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'

/**
 * Private key of the account that pays out airdrops and mints the test token: the SHA-256 of `gatefold solana faucet`.
 * DEVELOPMENT ONLY: the key is public.
 */
export const faucetSeed = new Uint8Array(
  createHash('sha256').update('gatefold solana faucet').digest(),
)

/** An SPL token of which the faucet can mint any amount. Its address is base58 of the SHA-256 of `gatefold solana mint`. */
export const testMint = {
  address: address('FsWXXkYwJCQeo6eJuHnY5ZwUEtj274S8s2TC2cr3tyuV'),
  decimals: 6,
}

/** The account of a mint without supply. */
export function toMintAccount(
  mint: typeof testMint,
  authority: Address,
  rent: bigint,
): EncodedAccount {
  const data = getMintEncoder().encode({
    mintAuthority: authority,
    supply: 0n,
    decimals: mint.decimals,
    isInitialized: true,
    freezeAuthority: null,
  })
  return {
    address: mint.address,
    data: new Uint8Array(data),
    executable: false,
    lamports: lamports(rent),
    programAddress: TOKEN_PROGRAM_ADDRESS,
    space: BigInt(data.length),
  }
}
