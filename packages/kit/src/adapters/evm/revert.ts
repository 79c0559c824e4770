import { decodeErrorResult, isHex, numberToHex } from 'viem'
import type { Abi, Address, Client, Hex } from 'viem'

import { causesOf } from './failure.ts'

/** Maximum length of a revert reason, in characters, because it is shown to the visitor. */
const reasonMaxLength = 300

/** Matches the revert messages of nodes, with the reason after the colon if it is known. */
const revertText = /execution reverted(?:: ?(.+))?|\brevert(?:ed)?\b/i

/** @see Solidity documentation, “Panic via assert and Error via require” */
const panics: Record<string, string> = {
  1: 'an assertion failed',
  17: 'arithmetic overflow or underflow',
  18: 'division by zero',
  33: 'a value outside its enum',
  34: 'a wrongly encoded storage array',
  49: 'pop on an empty array',
  50: 'array index out of bounds',
  65: 'too much memory',
  81: 'a call to an uninitialized function',
}

/**
 * The reason for a revert, read from a node's or a wallet's error.
 *
 * @param abi - the contract's ABI, to decode custom errors
 * @returns `undefined` if the error is not a revert; `'unknown reason'` for a revert without a reason
 * @see spec §8.4
 */
export function revertReason(error: unknown, abi?: Abi): string | undefined {
  let reason: string | undefined
  for (const { data, code, message } of causesOf(error)) {
    if (isHex(data) && data.length >= 10) return decodeRevert(data, abi)
    const text = typeof message === 'string' ? revertText.exec(message) : null
    // Nodes use code 3 for reverts; some wallets forward only the message.
    if (code !== 3 && !text) continue
    reason ??= ''
    reason ||= text?.[1]?.replace(/[.,]? data: .*$/, '').slice(0, reasonMaxLength) ?? ''
  }
  if (reason === undefined) return undefined
  return reason && !reason.startsWith('custom error 0x') ? reason : 'unknown reason'
}

/** Decodes revert data: a reason, a panic, a custom error of the ABI, or the error's selector. */
export function decodeRevert(data: Hex, abi: Abi = []): string {
  const selector = data.slice(0, 10)
  try {
    const { errorName, args = [] } = decodeErrorResult({ abi, data }) as {
      errorName: string
      args?: readonly unknown[]
    }
    if (errorName === 'Error') return String(args[0]).slice(0, reasonMaxLength) || 'unknown reason'
    if (errorName === 'Panic') return panics[String(args[0])] ?? `panic code ${String(args[0])}`
    return `${errorName}(${args.map(String).join(', ')})`.slice(0, reasonMaxLength)
  } catch {
    // The ABI does not define this error.
    return `custom error ${selector}`
  }
}

export type Replayed = {
  from: Address
  to?: Address | null | undefined
  data?: Hex | undefined
  value?: bigint | undefined
  gas?: bigint | undefined
}

/**
 * Simulates a transaction with `eth_call`.
 *
 * @param block - the block whose state is used
 * @returns the revert reason; `undefined` if the transaction succeeds or the node cannot simulate it
 */
export async function replay(
  client: Client,
  transaction: Replayed,
  block: bigint | 'latest',
  abi?: Abi,
): Promise<string | undefined> {
  const { from, to, data, value, gas } = transaction
  try {
    await client.request({
      method: 'eth_call',
      params: [
        {
          from,
          ...(to && { to }),
          ...(data && { data }),
          ...(value && { value: numberToHex(value) }),
          ...(gas && { gas: numberToHex(gas) }),
        },
        block === 'latest' ? block : numberToHex(block),
      ],
    })
    return undefined
  } catch (error) {
    return revertReason(error, abi)
  }
}
