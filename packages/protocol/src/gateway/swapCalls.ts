type Hex = `0x${string}`

/** A swap of 0x or 1inch, as far as its call data guarantees it. Addresses are in lower case. */
export type AggregatorSwap = {
  /** The token to pay with; `nativeTokenAddress` for the native currency. */
  pay: Hex
  /** The token to get; `nativeTokenAddress` for the native currency. */
  get: Hex
  /** The amount to pay, in atomic units. */
  amount: bigint
  /** The minimum amount to get; otherwise the swap fails. */
  minimum: bigint
  /** Who gets it. */
  recipient: Hex
}

/** A call of a transaction. */
export type SwapTransaction = { to: Hex; data: Hex; value: bigint }

/** The address that stands for the native currency of an EVM chain. @see docs/contracts/gateway.md#account-and-money */
export const nativeTokenAddress = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

/** Selectors of `exec`, `execute` and `swap`. */
const exec = '2213bc0b'
const execute = '1fff991f'
const swap = '07ed2379'

/**
 * Decodes a swap of 0x: `execute` of a Settler, through `exec` of AllowanceHolder unless the native currency is paid.
 * The operator can take the tokens independently of the call, so it must be the Settler, which takes at most the amount.
 *
 * @returns the swap, with the contracts that the caller must check: the Settler, and AllowanceHolder if it is used;
 * `undefined` for any other call
 * @see https://github.com/0xProject/0x-settler (`AllowanceHolder.exec`, `SettlerTakerSubmitted.execute`)
 */
export function readZeroExSwap({
  to,
  data,
  value,
}: SwapTransaction): (AggregatorSwap & { settler: Hex; holder: Hex | undefined }) | undefined {
  try {
    if (selectorOf(data) === execute && value > 0n)
      return {
        ...readExecute(data),
        pay: nativeTokenAddress,
        amount: value,
        settler: to,
        holder: undefined,
      }
    const call = argumentsOf(data, exec)
    const [operator, pay, target] = [call.address(0), call.address(1), call.address(3)]
    const amount = call.word(2)
    if (operator !== target || !isPaidWith(pay, amount, value)) return undefined
    return { ...readExecute(call.bytes(4)), pay, amount, settler: target, holder: to }
  } catch {
    return undefined
  }
}

/**
 * Decodes a swap of 1inch: `swap` of AggregationRouterV6 without flags, because one of them allows partial fills, to
 * which the minimum does not apply, and another pays through Permit2. The functions for single pools do not contain the
 * token to get.
 *
 * @returns `undefined` for any other call
 * @see https://github.com/1inch/limit-order-protocol, https://etherscan.io/address/0x111111125421cA6dc452d289314280a0f8842A65#code
 */
export function readOneInchSwap({
  data,
  value,
}: Omit<SwapTransaction, 'to'>): AggregatorSwap | undefined {
  try {
    const call = argumentsOf(data, swap)
    const [pay, get, recipient] = [call.address(1), call.address(2), call.address(4)]
    const [amount, minimum, flags] = [call.word(5), call.word(6), call.word(7)]
    if (flags !== 0n || !isPaidWith(pay, amount, value)) return undefined
    return { pay, get, amount, minimum, recipient }
  } catch {
    return undefined
  }
}

/** What a Settler pays out. @throws for any other call */
function readExecute(data: Hex) {
  const call = argumentsOf(data, execute)
  return { recipient: call.address(0), get: call.address(1), minimum: call.word(2) }
}

/**
 * Whether a call pays either a token or the native currency. A call that pays both could also take a token with an
 * allowance.
 */
function isPaidWith(token: Hex, amount: bigint, value: bigint): boolean {
  return value === (token === nativeTokenAddress ? amount : 0n)
}

function selectorOf(data: Hex): string {
  return data.slice(2, 10).toLowerCase()
}

/**
 * Reads the arguments of a call by their index in words of 32 bytes. This package has no ABI decoder, and the swaps
 * need only these types.
 *
 * @throws for another function, and for arguments that the contract would refuse
 */
function argumentsOf(data: Hex, selector: string) {
  if (selectorOf(data) !== selector) throw new Error('another function')
  const digits = data.slice(10).toLowerCase()
  const word = (index: number): bigint => {
    const text = digits.slice(index * 64, (index + 1) * 64)
    if (!/^[0-9a-f]{64}$/.test(text)) throw new Error('cut off')
    return BigInt(`0x${text}`)
  }
  return {
    word,
    address(index: number): Hex {
      const text = word(index).toString(16).padStart(40, '0')
      if (text.length > 40) throw new Error('not an address')
      return `0x${text}`
    },
    /** Bytes that directly follow the word with their offset, which is the last of the arguments. */
    bytes(index: number): Hex {
      if (word(index) !== BigInt((index + 1) * 32)) throw new Error('another encoding')
      const start = (index + 2) * 64
      const end = start + Number(word(index + 1)) * 2
      if (end > digits.length) throw new Error('cut off')
      return `0x${digits.slice(start, end)}`
    },
  }
}
