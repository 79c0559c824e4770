import { limits } from '@gatefold/protocol'
import {
  decodeFunctionData,
  encodeAbiParameters,
  encodePacked,
  hexToBytes,
  isAddress,
  isHex,
  keccak256,
  parseAbi,
  parseAbiParameters,
  type Address,
  type Hex,
} from 'viem'
import { generatePrivateKey, sign } from 'viem/accounts'
import { addressOf, limit, type HttpContext } from '../../http/access.ts'
import { findName, readSignerKey } from '../../storage/names.ts'
import { stored } from '../../storage/stored.ts'
import type { MoneyContext } from '../context.ts'
import { json, refuse, requestCost } from '../requests.ts'
import { answerCall } from './answerCall.ts'

/** Maximum length of a resolver's request, in hexadecimal digits. */
const maxDataLength = 16_384

const gatewayAbi = parseAbi(['function resolve(bytes name, bytes data) view returns (bytes)'])
const answerParameters = parseAbiParameters('bytes result, uint64 expires, bytes signature')

/**
 * `GET /v1/profile/ccip/{sender}/{data}.json`: answers a resolver contract about a name, with a signature that expires.
 * The answer to an unregistered name is empty.
 *
 * @see EIP-3668, ENSIP-10; docs/gateway.md#names-in-ens
 */
export function getAnswer(context: MoneyContext) {
  const { db } = context.storage
  return async (c: HttpContext): Promise<Response> => {
    const limited = limit(context, 'address', addressOf(context, c), requestCost)
    if (limited) return limited
    const sender = c.req.param('sender') ?? ''
    const data = (c.req.param('data') ?? '').replace(/\.json$/, '')
    if (!isAddress(sender, { strict: false }))
      return refuse(400, { field: 'sender', description: 'sender is not an address' })
    const question = data.length <= maxDataLength ? decodeQuestion(data) : undefined
    if (!question)
      return refuse(400, {
        field: 'data',
        description: 'data is not a call of resolve(bytes,bytes) with a DNS-encoded name',
      })
    const found = await stored(findName(db, question.name))
    const result = answerCall(question.name, found, question.data)
    if (result === undefined)
      return refuse(400, {
        field: 'data',
        description: 'the call is not addr, text or a multicall of them for the name',
      })

    const expires = BigInt(Math.floor(context.now() / 1000) + limits.nameAnswerSeconds)
    const privateKey = await stored(readSignerKey(db, generatePrivateKey))
    const hash = toDigest({ sender, expires, request: data as Hex, result })
    const signature = await sign({ hash, privateKey, to: 'hex' })
    return json({ data: encodeAbiParameters(answerParameters, [result, expires, signature]) })
  }
}

/** What the resolver contract verifies (ERC-191, version 0x00). @see apps/chain/contracts/src/EnsGatewayResolver.sol */
function toDigest(answer: { sender: Address; expires: bigint; request: Hex; result: Hex }): Hex {
  const { sender, expires, request, result } = answer
  return keccak256(
    encodePacked(
      ['bytes2', 'address', 'uint64', 'bytes32', 'bytes32'],
      ['0x1900', sender, expires, keccak256(request), keccak256(result)],
    ),
  )
}

function decodeQuestion(data: string): { name: string; data: Hex } | undefined {
  if (!isHex(data)) return undefined
  try {
    const [name, inner] = decodeFunctionData({ abi: gatewayAbi, data }).args
    const text = decodeName(hexToBytes(name))
    return text === undefined ? undefined : { name: text, data: inner }
  } catch {
    return undefined
  }
}

/**
 * Decodes a name in DNS wire format; `undefined` unless every label is valid in
 * this registry.
 */
function decodeName(bytes: Uint8Array): string | undefined {
  const labels: string[] = []
  let at = 0
  for (let length = bytes[at]; length; length = bytes[at]) {
    const label = new TextDecoder().decode(bytes.subarray(at + 1, at + 1 + length))
    if (!/^[a-z0-9-]+$/.test(label)) return undefined
    labels.push(label)
    at += 1 + length
  }
  return bytes[at] === 0 && at === bytes.length - 1 ? labels.join('.') : undefined
}
