import {
  appendTransactionMessageInstructions,
  blockhash as toBlockhash,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  type Address,
  type Instruction,
  type KeyPairSigner,
} from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'

type Lifetime = { blockhash: string; lastValidBlockHeight: bigint }

/** Builds and signs a transfer of lamports. @returns base64 */
export function compile(
  options: { payer: KeyPairSigner; to: Address; amount: bigint } & Lifetime,
): Promise<string> {
  const { payer, to, amount, ...lifetime } = options
  const transfer = getTransferSolInstruction({ source: payer, destination: to, amount })
  return signInstructions({ payer, instructions: [transfer], ...lifetime })
}

/** Builds a v0 transaction of instructions and signs it. @returns base64 */
export async function signInstructions(
  options: { payer: KeyPairSigner; instructions: Instruction[] } & Lifetime,
): Promise<string> {
  const { payer, instructions, blockhash, lastValidBlockHeight } = options
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (next) => setTransactionMessageFeePayerSigner(payer, next),
    (next) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: toBlockhash(blockhash), lastValidBlockHeight },
        next,
      ),
    (next) => appendTransactionMessageInstructions(instructions, next),
  )
  return getBase64EncodedWireTransaction(await signTransactionMessageWithSigners(message))
}
