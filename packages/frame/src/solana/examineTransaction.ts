import { getBase64Decoder, getTransactionEncoder } from '@solana/kit'
import {
  getNonceDecoder,
  identifySystemInstruction,
  SystemInstruction,
} from '@solana-program/system'
import * as v from 'valibot'
import type { Statement } from '../approval/Statement.ts'
import type { ChainConfig } from '../config.ts'
import type { Rpc } from '../rpc/createRpc.ts'
import { RequestError } from '../rpc/RequestError.ts'
import type { Language } from '../strings/language.ts'
import {
  attempt,
  decodeTransaction,
  toAccounts,
  type DecodedTransaction,
} from './decodeTransaction.ts'
import { describeTransaction } from './describeTransaction.ts'
import { programs } from './programs.ts'
import { readAccounts, readLookups, readToken, type Accounts } from './readAccounts.ts'
import {
  accountsToRead,
  createdToken,
  readInstruction,
  type FullInstruction,
} from './readInstruction.ts'
import { simulate } from './simulate.ts'

/** A transaction that has been examined. */
export type ExaminedTransaction = { statement: Statement; decoded: DecodedTransaction }

/**
 * Decodes a transaction, simulates it at the operator's node, and describes it.
 *
 * @param options.text - base58 of its wire form
 * @throws {RequestError} if it is invalid, does not need the account's
 *   signature, or is for another network
 */
export async function examineTransaction(options: {
  text: unknown
  chain: ChainConfig
  owner: string
  rpc: Rpc
  language: Language
}): Promise<ExaminedTransaction> {
  const { chain, owner, rpc, language } = options
  const decoded = decodeTransaction(options.text, owner)
  const { message, messageBytes, signers, transaction } = decoded
  const loaded = await readLookups(rpc, chain.id, message)
  const accounts = toAccounts(message, loaded)
  const instructions = message.instructions.map(
    ({ programAddressIndex, accountIndices = [], data }): FullInstruction => ({
      programAddress: message.staticAccounts[programAddressIndex]!,
      accounts: accountIndices.map((index) => accounts[index]!),
      data: new Uint8Array(data ?? []),
    }),
  )
  const [known, fee] = await Promise.all([
    readKnown(rpc, chain.id, instructions),
    readFee(rpc, chain.id, messageBytes),
    assertNetwork({ instructions, lifetime: message.lifetimeToken, chain, rpc }),
  ])
  const bytes = new Uint8Array(getTransactionEncoder().encode(transaction))
  const isPayer = signers[0] === owner
  const simulation = await simulate({
    rpc,
    chainId: chain.id,
    owner,
    bytes,
    accounts,
    fee: isPayer ? (fee ?? 0n) : 0n,
  })
  const owners = new Map(
    instructions.flatMap((one) => [createdToken(one)].filter((it) => it !== undefined)),
  )
  const readings = instructions.map((instruction) =>
    readInstruction({ instruction, owner, known, owners, language }),
  )
  return {
    decoded,
    statement: describeTransaction({
      readings,
      chain,
      owner,
      signers,
      fee,
      simulation,
      bytes,
      language,
    }),
  }
}

/**
 * The token accounts that instructions name, and their mints, which only some
 * instructions name.
 */
async function readKnown(
  rpc: Rpc,
  chainId: string,
  instructions: readonly FullInstruction[],
): Promise<Accounts> {
  const known = await readAccounts(rpc, chainId, instructions.flatMap(accountsToRead))
  const mints = Array.from(known.values(), (account) => readToken(account)?.mint)
  const missing = mints.filter((mint) => mint !== undefined).filter((mint) => !known.has(mint))
  return new Map([...known, ...(await readAccounts(rpc, chainId, missing))])
}

const Valid = v.object({ value: v.boolean() })

/**
 * Checks the network of a transaction. Only the blockhash binds a transaction
 * to a network, and a simulation on one network says nothing about another.
 *
 * @throws {RequestError} if the network does not know the blockhash or durable nonce
 */
async function assertNetwork(options: {
  instructions: readonly FullInstruction[]
  lifetime: string
  chain: ChainConfig
  rpc: Rpc
}): Promise<void> {
  const { instructions, lifetime, chain, rpc } = options
  const [first] = instructions
  const isDurable =
    first?.programAddress === programs.system &&
    attempt(() => identifySystemInstruction(first)) === SystemInstruction.AdvanceNonceAccount
  if (isDurable) {
    const address = first.accounts[0]?.address ?? ''
    const account = (await readAccounts(rpc, chain.id, [address])).get(address)
    const nonce = account && attempt(() => getNonceDecoder().decode(account.data))
    if (account?.owner === programs.system && nonce?.blockhash === lifetime) return
  } else {
    const config = { commitment: 'processed' }
    const response = await rpc(chain.id, 'isBlockhashValid', [lifetime, config])
    if (v.is(Valid, response) && response.value) return
  }
  throw new RequestError(
    `The transaction is for a network other than ${chain.name}, or it has expired.`,
  )
}

const Fee = v.object({ value: v.number() })

/** The fee in lamports; `undefined` if the node does not know it. */
async function readFee(
  rpc: Rpc,
  chainId: string,
  message: Uint8Array,
): Promise<bigint | undefined> {
  const text = getBase64Decoder().decode(message)
  const response = await rpc(chainId, 'getFeeForMessage', [text, { commitment: 'processed' }])
  return v.is(Fee, response) ? BigInt(response.value) : undefined
}
