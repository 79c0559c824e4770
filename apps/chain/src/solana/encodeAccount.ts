import { getBase64Decoder, type Address, type EncodedAccount } from '@solana/kit'
import {
  AccountState,
  getMintDecoder,
  getTokenDecoder,
  TOKEN_PROGRAM_ADDRESS,
  type Token,
} from '@solana-program/token'
import { toBase58, type Ledger } from './createLedger.ts'
import type { AccountConfig } from './parameters.ts'
import { RpcError } from './RpcError.ts'

/** The rent epoch that nodes report for all accounts, because accounts never pay rent. */
const rentEpoch = 18_446_744_073_709_551_615n
/** Nodes refuse to encode more bytes as base58. */
const maxBase58 = 128

type AccountOf = (address: Address) => EncodedAccount | undefined

/** An account in the form of the JSON-RPC; `null` if it does not exist. */
export function encodeAccount(
  account: EncodedAccount | undefined,
  config: AccountConfig,
  accountOf: AccountOf,
) {
  if (!account) return null
  const { lamports, programAddress: owner, executable, space } = account
  const data = encodeData(account, config, accountOf)
  return { lamports, owner, data, executable, rentEpoch, space }
}

function encodeData(
  account: EncodedAccount,
  { encoding, dataSlice }: AccountConfig,
  accountOf: AccountOf,
) {
  const parsed = encoding === 'jsonParsed' ? parseTokenData(account, accountOf) : undefined
  if (parsed) return parsed
  const { offset, length } = dataSlice ?? { offset: 0, length: account.data.length }
  const bytes = account.data.subarray(offset, offset + length)
  if (encoding === 'base64' || encoding === 'jsonParsed')
    return [getBase64Decoder().decode(bytes), 'base64']
  if (bytes.length > maxBase58)
    throw new RpcError(
      'invalidRequest',
      'Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.',
    )
  return encoding === 'base58' ? [toBase58(bytes), 'base58'] : toBase58(bytes)
}

/** Decodes an account as a token account; `undefined` if it is not one. */
export function readToken(account: EncodedAccount | undefined): Token | undefined {
  if (account?.programAddress !== TOKEN_PROGRAM_ADDRESS || account.data.length !== 165)
    return undefined
  return getTokenDecoder().decode(account.data)
}

/** The decimals of a mint. */
export function decimalsOf(mint: Address, accountOf: AccountOf): number {
  const account = accountOf(mint)
  return account ? getMintDecoder().decode(account.data).decimals : 0
}

/** A token amount in the form of the JSON-RPC. */
export function toUiAmount(atomic: bigint, decimals: number) {
  const digits = atomic.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const rest = digits.slice(digits.length - decimals).replace(/0+$/, '')
  const uiAmountString = rest === '' ? whole : `${whole}.${rest}`
  return { amount: atomic.toString(), decimals, uiAmount: Number(uiAmountString), uiAmountString }
}

function parseTokenData(account: EncodedAccount, accountOf: AccountOf) {
  const space = account.space
  const token = readToken(account)
  if (token) {
    const decimals = decimalsOf(token.mint, accountOf)
    const { delegate, closeAuthority, isNative } = token
    return {
      program: 'spl-token',
      space,
      parsed: {
        type: 'account',
        info: {
          mint: token.mint,
          owner: token.owner,
          state: AccountState[token.state].toLowerCase(),
          isNative: isNative.__option === 'Some',
          tokenAmount: toUiAmount(token.amount, decimals),
          ...(delegate.__option === 'Some' && {
            delegate: delegate.value,
            delegatedAmount: toUiAmount(token.delegatedAmount, decimals),
          }),
          ...(closeAuthority.__option === 'Some' && { closeAuthority: closeAuthority.value }),
        },
      },
    }
  }
  if (account.programAddress !== TOKEN_PROGRAM_ADDRESS || account.data.length !== 82)
    return undefined
  const { mintAuthority, freezeAuthority, supply, decimals, isInitialized } =
    getMintDecoder().decode(account.data)
  return {
    program: 'spl-token',
    space,
    parsed: {
      type: 'mint',
      info: {
        decimals,
        supply: supply.toString(),
        isInitialized,
        mintAuthority: mintAuthority.__option === 'Some' ? mintAuthority.value : null,
        freezeAuthority: freezeAuthority.__option === 'Some' ? freezeAuthority.value : null,
      },
    },
  }
}

/** The token accounts of an owner, with their addresses. */
export function tokenAccountsOf(
  ledger: Ledger,
  owner: Address,
  filter: { mint: Address } | { programId: Address },
): EncodedAccount[] {
  const program = 'programId' in filter ? filter.programId : TOKEN_PROGRAM_ADDRESS
  return ledger.accountsOf(program).filter((account) => {
    const token = readToken(account)
    return token?.owner === owner && (!('mint' in filter) || token.mint === filter.mint)
  })
}
