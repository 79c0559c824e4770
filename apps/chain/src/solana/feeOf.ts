import type { Message } from './readTransaction.ts'

const lamportsPerSignature = 5_000n
const computeBudget = 'ComputeBudget111111111111111111111111111111'
/** Compute units of an instruction whose transaction sets no limit. */
const defaultUnits = 200_000n
const maxUnits = 1_400_000n

/**
 * The fee of a transaction in lamports: 5,000 for each signature, and the priority fee of its compute budget.
 *
 * @see https://solana.com/docs/core/fees
 */
export function feeOf(message: Message): bigint {
  let units: bigint | undefined
  let microLamports = 0n
  let others = 0n
  for (const { programAddressIndex, data } of message.instructions) {
    if (message.staticAccounts[programAddressIndex] !== computeBudget) {
      others += 1n
      continue
    }
    const view = new DataView(new Uint8Array(data ?? []).buffer)
    if (view.byteLength === 5 && view.getUint8(0) === 2) units = BigInt(view.getUint32(1, true))
    if (view.byteLength === 9 && view.getUint8(0) === 3) microLamports = view.getBigUint64(1, true)
  }
  const limit = units ?? others * defaultUnits
  const priority = (microLamports * (limit < maxUnits ? limit : maxUnits) + 999_999n) / 1_000_000n
  return BigInt(message.header.numSignerAccounts) * lamportsPerSignature + priority
}
