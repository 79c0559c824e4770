import {
  createKeyPairSignerFromPrivateKeyBytes,
  createSolanaRpc,
  lamports,
  type Address,
} from '@solana/kit'
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getMintToInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token'
import { signInstructions } from './compile.ts'
import { faucetSeed, testMint } from './funds.ts'

/**
 * Gives an account lamports, and units of the test token.
 *
 * @returns the address of its token account
 */
export async function fundSolana(
  url: string,
  options: { owner: Address; lamports?: bigint; tokens?: bigint },
): Promise<Address> {
  const rpc = createSolanaRpc(url)
  const { owner, lamports: amount = 0n, tokens = 0n } = options
  const mint = testMint.address
  const [token] = await findAssociatedTokenPda({ owner, mint, tokenProgram: TOKEN_PROGRAM_ADDRESS })
  if (amount > 0n) await rpc.requestAirdrop(owner, lamports(amount)).send()
  if (tokens === 0n) return token
  const payer = await createKeyPairSignerFromPrivateKeyBytes(faucetSeed)
  const { value: lifetime } = await rpc.getLatestBlockhash().send()
  const bytes = await signInstructions({
    payer,
    instructions: [
      getCreateAssociatedTokenIdempotentInstruction({ payer, owner, mint, ata: token }),
      getMintToInstruction({ mint, token, mintAuthority: payer, amount: tokens }),
    ],
    ...lifetime,
  })
  await rpc.sendTransaction(bytes as never, { encoding: 'base64' }).send()
  return token
}
