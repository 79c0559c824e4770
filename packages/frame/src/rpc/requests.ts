import { CaipNetworkId } from '@gatefold/protocol'
import { getAddress, isAddress, isHex, toHex, type Address, type TypedDataDefinition } from 'viem'
import { describeMessage } from '../approval/describeMessage.ts'
import { describeTransaction } from '../approval/describeTransaction.ts'
import { describeTypedData } from '../approval/describeTypedData.ts'
import type { Statement } from '../approval/Statement.ts'
import type { ChainConfig } from '../config.ts'
import type { SignRequest } from '../signer/operations.ts'
import type { Rpc } from './createRpc.ts'
import { prepareTransaction } from './prepareTransaction.ts'
import { readToken } from './readToken.ts'
import { simulateChanges } from './simulateChanges.ts'
import { RequestError } from './RequestError.ts'

/** A request that has been examined: what to show, and what to sign and do after the approval. */
export type Examined = {
  statement: Statement
  prepared: {
    request: SignRequest
    /** Uses the signature; by default, it is the result. */
    finish?: (signature: string) => Promise<unknown>
  }
}

export type Examine = (options: {
  params: unknown
  chain: ChainConfig
  /** The visitor's account on the chain. */
  from: string
  origin: string
  rpc: Rpc
}) => Promise<Examined>

/** The EVM methods that the visitor approves. Loaded with the first of them. */
export const evmRequests: Readonly<Record<string, Examine>> = {
  async personal_sign({ params, from, origin }) {
    const [first, second] = toList(params)
    // Some pages send the address first.
    const isSwapped = typeof first === 'string' && isAddress(first) && typeof second === 'string'
    const [text, address] = isSwapped && !isAddress(second) ? [second, first] : [first, second]
    if (typeof text !== 'string') throw new RequestError('The message is missing.')
    assertOwn(address, from)
    const message = isHex(text) && text.length % 2 === 0 ? text : toHex(text)
    return {
      statement: describeMessage({ message, origin }),
      prepared: { request: { kind: 'message', message } },
    }
  },

  async eth_signTypedData_v4({ params, chain, from, rpc }) {
    const [address, given] = toList(params)
    assertOwn(address, from)
    const data = toTypedData(given)
    const chainId = (data.domain as { chainId?: unknown } | undefined)?.chainId
    if (
      chainId !== undefined &&
      Number(chainId) !== Number(CaipNetworkId.parse(chain.id).reference)
    )
      throw new RequestError('The data is for another network. Switch the network first.')
    const token = (contract: Address) => readToken(rpc, chain.id, contract)
    return {
      statement: await describeTypedData({ data, chain, token }),
      prepared: { request: { kind: 'typedData', data } },
    }
  },

  async eth_sendTransaction({ params, chain, from: account, rpc }) {
    const from = account as Address
    const { transaction, call, fee, missing, failure, wasTried } = await prepareTransaction({
      rpc,
      chainId: chain.id,
      from,
      params,
    })
    const token = (contract: Address) => readToken(rpc, chain.id, contract)
    const changes = failure
      ? undefined
      : await simulateChanges({ rpc, chainId: chain.id, account: from, calls: [call] })
    return {
      statement: await describeTransaction({
        call,
        chain,
        from,
        fee,
        missing,
        token,
        failure,
        wasTried,
        changes,
      }),
      prepared: {
        request: { kind: 'transaction', transaction },
        finish: (signed) => rpc(chain.id, 'eth_sendRawTransaction', [signed]),
      },
    }
  },
}

function toList(params: unknown): unknown[] {
  if (!Array.isArray(params)) throw new RequestError('The parameters must be a list.')
  return params
}

function assertOwn(address: unknown, from: string) {
  if (typeof address !== 'string' || !isAddress(address, { strict: false }))
    throw new RequestError('The address is missing.')
  if (getAddress(address) !== from) throw new RequestError('The request is for another account.')
}

function toTypedData(given: unknown): TypedDataDefinition {
  const value: unknown = typeof given === 'string' ? parseJson(given) : given
  const { types, primaryType, message } = (value ?? {}) as Record<string, unknown>
  if (!isRecord(types) || typeof primaryType !== 'string' || !isRecord(message))
    throw new RequestError('The typed data must have types, primaryType and message.')
  return value as TypedDataDefinition
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new RequestError('The typed data is not JSON.')
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
