import {
  decodeFunctionData,
  encodeFunctionResult,
  namehash,
  parseAbi,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem'
import { etherCoinType } from '@gatefold/protocol/gateway'
import type { Name } from '../../storage/names.ts'

/** The supported functions of a resolver. @see EIP-137, ENSIP-5, ENSIP-9 */
const addrAbi = parseAbi(['function addr(bytes32 node) view returns (address)'])
const coinAddrAbi = parseAbi(['function addr(bytes32 node, uint256 coinType) view returns (bytes)'])
const textAbi = parseAbi(['function text(bytes32 node, string key) view returns (string)'])
const multicallAbi = parseAbi(['function multicall(bytes[] data) view returns (bytes[] results)'])
const resolverAbi = [...addrAbi, ...coinAddrAbi, ...textAbi, ...multicallAbi] as const

/** Maximum number of calls in a multicall. */
const maxCalls = 20

/**
 * Answers a call to a resolver.
 *
 * @param name - the name in text form.
 * @param found - the name if it is registered. Otherwise, every record is empty.
 * @returns the encoded result; `undefined` for a call of another name or another function.
 */
export function answerCall(name: string, found: Name | undefined, data: Hex): Hex | undefined {
  return answer({ node: namehash(name), found, data, isNested: false })
}

type Question = { node: Hex; found: Name | undefined; data: Hex; isNested: boolean }

function answer({ node, found, data, isNested }: Question): Hex | undefined {
  const call = decode(data)
  if (call?.functionName === 'multicall') {
    const [calls] = call.args
    if (isNested || calls.length > maxCalls) return undefined
    const results = calls.map((it) => answer({ node, found, data: it, isNested: true }))
    if (!results.every((it) => it !== undefined)) return undefined
    return encodeFunctionResult({ abi: multicallAbi, result: results })
  }
  if (call?.args[0] !== node) return undefined
  if (call.functionName === 'text') {
    const [, key] = call.args
    // The key of ENSIP-5 for the attribute that official clients call `bio`.
    const bio = key === 'description' || key === 'bio' ? found?.attributes.bio : undefined
    return encodeFunctionResult({ abi: textAbi, result: bio ?? '' })
  }
  const [, coinType] = call.args
  if (coinType === undefined) {
    const address = found?.addresses[etherCoinType] as Address | undefined
    return encodeFunctionResult({ abi: addrAbi, result: address ?? zeroAddress })
  }
  const address = found?.addresses[String(coinType)] as Hex | undefined
  return encodeFunctionResult({ abi: coinAddrAbi, result: address ?? '0x' })
}

function decode(data: Hex) {
  try {
    return decodeFunctionData({ abi: resolverAbi, data })
  } catch {
    return undefined
  }
}
