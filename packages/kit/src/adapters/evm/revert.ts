import { decodeErrorResult, isHex, numberToHex } from 'viem'
import type { Abi, Address, Client, Hex } from 'viem'

import { causesOf } from './failure.ts'

/** A contract's text is shown to people, so it has an end. */
const reasonMaxLength = 300

/** As nodes say it, with the reason behind the colon when they know it. */
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
  81: 'a call of an uninitialised function',
}

/**
 * Why a call was reverted, read from the error of a node or a wallet.
 *
 * @param abi - the contract's, for the names of its own errors
 * @returns `undefined` when the error is no revert; `'unknown reason'` for a revert that says nothing
 * @see spec §8.4
 */
export function revertReason(error: unknown, abi?: Abi): string | undefined {
  let said: string | undefined
  for (const { data, code, message } of causesOf(error)) {
    if (isHex(data) && data.length >= 10) return decodeRevert(data, abi)
    const text = typeof message === 'string' ? revertText.exec(message) : null
    // 3 is what nodes give to a revert; some wallets pass on the sentence alone.
    if (code !== 3 && !text) continue
    said ??= ''
    said ||= text?.[1]?.replace(/[.,]? data: .*$/, '').slice(0, reasonMaxLength) ?? ''
  }
  if (said === undefined) return undefined
  return said && !said.startsWith('custom error 0x') ? said : 'unknown reason'
}

/** Names a revert: the reason, the panic in words, the contract's own error, or its selector. */
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
    // Neither Solidity's errors nor the contract's: the selector is all there is to say.
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
 * Runs a transaction without sending it.
 *
 * @param block - on top of which block
 * @returns why it would be reverted, or `undefined` when it would not, or the node cannot say
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
