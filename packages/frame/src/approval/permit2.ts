import { decodeFunctionData, encodeFunctionData, isAddressEqual, parseAbi } from 'viem'
import type { Address, Hex } from 'viem'

/** Permit2, which has the same address on all networks except ZKsync. @see https://docs.uniswap.org/contracts/v4/deployments */
const addresses = [
  '0x000000000022D473030F116dDEE9F6B43aC78BA3',
  '0x0000000000225e31D15943971F47aD3022F714Fa',
] as const

const abi = parseAbi([
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
])

/** An allowance for the tokens that Permit2 may spend. */
export type Permit2Approval = {
  token: Address
  spender: Address
  amount: bigint
  /** The last second of the allowance, in Unix time; 0 for that of the transaction's block. */
  expiration: number
}

/**
 * Decodes a call of Permit2 that gives an allowance. @returns `undefined` for any other call, and for the same call of
 * another contract
 */
export function readPermit2Approval(call: {
  to: Address | null
  data: Hex
}): Permit2Approval | undefined {
  const { to, data } = call
  if (!to || !addresses.some((address) => isAddressEqual(address, to))) return undefined
  try {
    const [token, spender, amount, expiration] = decodeFunctionData({ abi, data }).args
    return { token, spender, amount, expiration }
  } catch {
    return undefined
  }
}

/** The call data of an allowance. */
export function encodePermit2Approval(approval: Permit2Approval): Hex {
  const { token, spender, amount, expiration } = approval
  return encodeFunctionData({ abi, args: [token, spender, amount, expiration] })
}
