import { getAddressDecoder, getBase64Encoder, type Address } from '@solana/kit'
import { getMintDecoder, getTokenDecoder, type Mint, type Token } from '@solana-program/token'
import * as v from 'valibot'
import { NodeError, type Rpc } from '../rpc/createRpc.ts'
import { RequestError } from '../rpc/RequestError.ts'
import { attempt, type Message } from './decodeTransaction.ts'
import { programs } from './programs.ts'

/** An account on the network. */
export type Account = { lamports: bigint; owner: string; data: Uint8Array }

/** Accounts by address; accounts that do not exist are omitted. */
export type Accounts = ReadonlyMap<string, Account>

/** How many accounts a node returns per request. */
const maxAccounts = 100

const WireAccount = v.object({
  lamports: v.number(),
  owner: v.string(),
  data: v.tuple([v.string(), v.literal('base64')]),
})

/** Accounts in a response, in the order of the addresses. */
export const WireAccounts = v.array(v.nullable(WireAccount))

const Response = v.object({ value: WireAccounts })

export function toAccounts(
  addresses: readonly string[],
  wire: v.InferOutput<typeof WireAccounts>,
): Accounts {
  const accounts = new Map<string, Account>()
  for (const [index, address] of addresses.entries()) {
    const account = wire[index]
    if (!account) continue
    const data = attempt(() => new Uint8Array(getBase64Encoder().encode(account.data[0])))
    if (!data) continue
    accounts.set(address, { lamports: BigInt(account.lamports), owner: account.owner, data })
  }
  return accounts
}

/** Reads accounts of the network. @throws {NodeError} */
export async function readAccounts(
  rpc: Rpc,
  chainId: string,
  addresses: readonly string[],
): Promise<Accounts> {
  const wanted = [...new Set(addresses)]
  const config = { encoding: 'base64', commitment: 'confirmed' }
  const parts = Array.from({ length: Math.ceil(wanted.length / maxAccounts) }, (_, index) =>
    wanted.slice(index * maxAccounts, (index + 1) * maxAccounts),
  )
  const read = await Promise.all(
    parts.map(async (part) => {
      const response = v.safeParse(
        Response,
        await rpc(chainId, 'getMultipleAccounts', [part, config]),
      )
      if (!response.success) throw new NodeError('The network did not respond.')
      return [...toAccounts(part, response.output.value)]
    }),
  )
  return new Map(read.flat())
}

/** Decodes an account as a token account; `undefined` if it is not one. */
export function readToken(account: Account | undefined): Token | undefined {
  if (!account || !isTokenProgram(account.owner) || account.data.length < 165) return undefined
  if (account.data.length > 165 && !isExtended(account, accountType.token)) return undefined
  return attempt(() => getTokenDecoder().decode(account.data))
}

/** Decodes an account as a mint; `undefined` if it is not one. */
export function readMint(account: Account | undefined): Mint | undefined {
  if (!account || !isTokenProgram(account.owner)) return undefined
  if (account.data.length !== 82 && !isExtended(account, accountType.mint)) return undefined
  return attempt(() => getMintDecoder().decode(account.data))
}

/**
 * The type of a Token-2022 account: the byte after its base, which is padded to
 * the size of a token account.
 */
const accountType = { mint: 1, token: 2 } as const

function isExtended({ owner, data }: Account, type: number): boolean {
  return owner === programs.token2022 && data.length > 165 && data[165] === type
}

export function isTokenProgram(address: string): boolean {
  return address === programs.token || address === programs.token2022
}

/** Size of a lookup table's header, which precedes the addresses. */
const tableHead = 56

/**
 * Reads the addresses that a message takes from lookup tables.
 *
 * @throws {RequestError} if the network lacks one of them
 */
export async function readLookups(
  rpc: Rpc,
  chainId: string,
  message: Message,
): Promise<{ writable: Address[]; readonly: Address[] }> {
  const lookups = ('addressTableLookups' in message && message.addressTableLookups) || []
  const tables = await readAccounts(
    rpc,
    chainId,
    lookups.map(({ lookupTableAddress }) => lookupTableAddress),
  )
  const addressAt = (table: string, index: number): Address => {
    const account = tables.get(table)
    const start = tableHead + index * 32
    if (account?.owner !== programs.lookupTable || account.data.length < start + 32)
      throw new RequestError('The transaction uses addresses that the network does not have.')
    return getAddressDecoder().decode(account.data.subarray(start, start + 32))
  }
  return {
    writable: lookups.flatMap(({ lookupTableAddress, writableIndexes }) =>
      writableIndexes.map((index) => addressAt(lookupTableAddress, index)),
    ),
    readonly: lookups.flatMap(({ lookupTableAddress, readonlyIndexes }) =>
      readonlyIndexes.map((index) => addressAt(lookupTableAddress, index)),
    ),
  }
}
