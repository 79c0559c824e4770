import { createRequire } from 'node:module'
import { getBase64Encoder } from '@solana/kit'
import { getMintDecoder } from '@solana-program/token'
import * as v from 'valibot'
import type { Ledger, TransactionRecord } from './createLedger.ts'
import {
  decimalsOf,
  encodeAccount,
  readToken,
  tokenAccountsOf,
  toUiAmount,
} from './encodeAccount.ts'
import { encodeInner, encodeReturnData, encodeTransaction } from './encodeTransaction.ts'
import { feeOf } from './feeOf.ts'
import {
  AccountConfig,
  assertSlot,
  Config,
  read,
  readAddress,
  readSignature,
  SendConfig,
  SignaturesConfig,
  SimulateConfig,
  StatusesConfig,
  TokenFilter,
  TransactionConfig,
  U64,
} from './parameters.ts'
import { readMessage, readTransaction, signatureOf } from './readTransaction.ts'
import { RpcError } from './RpcError.ts'
import { solanaLocal } from './solanaLocal.ts'
import { toErrorText } from './toTransactionError.ts'

const slotsInEpoch = 432_000n
/** Upper limits for lists in requests, as at public nodes. */
const maxAccounts = 100
const maxStatuses = 256

const litesvm = createRequire(import.meta.url)('litesvm/package.json') as { version: string }

type Method = (ledger: Ledger, params: readonly unknown[]) => unknown

/**
 * The methods of the JSON-RPC over HTTP that clients use to read accounts, and
 * to send and confirm transactions. All blocks are final immediately.
 *
 * @see https://solana.com/docs/rpc/http
 */
export const methods: Readonly<Record<string, Method>> = {
  getAccountInfo(ledger, [at, given]) {
    const address = readAddress(at)
    const config = read(AccountConfig, given)
    assertSlot(ledger, config)
    return withContext(ledger, encodeAccount(ledger.account(address), config, ledger.account))
  },

  getBalance(ledger, [at, given]) {
    const address = readAddress(at)
    assertSlot(ledger, read(Config, given))
    return withContext(ledger, ledger.account(address)?.lamports ?? 0n)
  },

  getBlockHeight(ledger, [given]) {
    assertSlot(ledger, read(Config, given))
    return ledger.slot()
  },

  getEpochInfo(ledger, [given]) {
    assertSlot(ledger, read(Config, given))
    const slot = ledger.slot()
    return {
      absoluteSlot: slot,
      blockHeight: slot,
      epoch: slot / slotsInEpoch,
      slotIndex: slot % slotsInEpoch,
      slotsInEpoch,
      transactionCount: ledger.count(),
    }
  },

  getFeeForMessage(ledger, [text, given]) {
    const bytes = decodeBase64(read(v.string(), text))
    assertSlot(ledger, read(Config, given))
    const message = readUnsafely(() => readMessage(bytes))
    return withContext(ledger, ledger.isAlive(message) ? feeOf(message) : null)
  },

  getGenesisHash: () => solanaLocal.genesisHash,
  getHealth: () => 'ok',

  getLatestBlockhash(ledger, [given]) {
    assertSlot(ledger, read(Config, given))
    return withContext(ledger, ledger.latest())
  },

  getMinimumBalanceForRentExemption: (ledger, [bytes]) => ledger.rentOf(read(U64, bytes)),

  getMultipleAccounts(ledger, [list, given]) {
    const addresses = read(v.array(v.string()), list)
    if (addresses.length > maxAccounts)
      throw new RpcError('invalidParams', `Too many inputs provided; max ${maxAccounts}`)
    const config = read(AccountConfig, given)
    assertSlot(ledger, config)
    return withContext(
      ledger,
      addresses.map((at) => encodeAccount(ledger.account(readAddress(at)), config, ledger.account)),
    )
  },

  getRecentPrioritizationFees: (ledger) => [{ slot: ledger.slot(), prioritizationFee: 0 }],

  getSignatureStatuses(ledger, [list, given]) {
    const signatures = read(v.array(v.string()), list)
    if (signatures.length > maxStatuses)
      throw new RpcError('invalidParams', `Too many inputs provided; max ${maxStatuses}`)
    read(StatusesConfig, given)
    return withContext(
      ledger,
      signatures.map((one) => encodeStatus(ledger.record(readSignature(one)))),
    )
  },

  getSignaturesForAddress(ledger, [at, given]) {
    const address = readAddress(at)
    const config = read(SignaturesConfig, given)
    assertSlot(ledger, config)
    const { limit, before, until } = config
    const all = ledger.recordsOf(address)
    const from = before ? all.findIndex(({ signature }) => signature === before) + 1 : 0
    const end = until ? all.findIndex(({ signature }) => signature === until) : -1
    return all
      .slice(from, end < 0 ? undefined : end)
      .slice(0, limit)
      .map(({ signature, slot, error, blockTime }) => ({
        signature,
        slot,
        err: error,
        memo: null,
        blockTime,
        confirmationStatus: 'finalized',
      }))
  },

  getSlot(ledger, [given]) {
    assertSlot(ledger, read(Config, given))
    return ledger.slot()
  },

  getTokenAccountBalance(ledger, [at]) {
    const token = readToken(ledger.account(readAddress(at)))
    if (!token) throw new RpcError('invalidParams', 'Invalid param: not a Token account')
    const decimals = decimalsOf(token.mint, ledger.account)
    return withContext(ledger, toUiAmount(token.amount, decimals))
  },

  getTokenAccountsByOwner(ledger, [at, filter, given]) {
    const owner = readAddress(at)
    const wanted = read(TokenFilter, filter)
    const config = read(AccountConfig, given)
    assertSlot(ledger, config)
    const found = tokenAccountsOf(
      ledger,
      owner,
      'mint' in wanted
        ? { mint: readAddress(wanted.mint) }
        : { programId: readAddress(wanted.programId) },
    )
    return withContext(
      ledger,
      found.map((account) => ({
        pubkey: account.address,
        account: encodeAccount(account, config, ledger.account),
      })),
    )
  },

  getTokenSupply(ledger, [at]) {
    const account = ledger.account(readAddress(at))
    if (account?.data.length !== 82)
      throw new RpcError('invalidParams', 'Invalid param: not a Token mint')
    const { supply, decimals } = getMintDecoder().decode(account.data)
    return withContext(ledger, toUiAmount(supply, decimals))
  },

  getTransaction(ledger, [signature, given]) {
    const record = ledger.record(readSignature(signature))
    const config = read(TransactionConfig, given)
    return record ? encodeTransaction(ledger, record, config) : null
  },

  getTransactionCount: (ledger) => ledger.count(),
  getVersion: () => ({ 'solana-core': `litesvm ${litesvm.version}`, 'feature-set': 0 }),

  isBlockhashValid(ledger, [hash, given]) {
    assertSlot(ledger, read(Config, given))
    return withContext(ledger, ledger.isBlockhashValid(readAddress(hash)))
  },

  requestAirdrop: (ledger, [at, amount]) => ledger.airdrop(readAddress(at), read(U64, amount)),

  sendTransaction(ledger, [text, given]) {
    const { encoding, skipPreflight, ...config } = read(SendConfig, given)
    assertSlot(ledger, config)
    const decoded = readTransaction(read(v.string(), text), encoding)
    const signature = signatureOf(decoded)
    if (!skipPreflight) {
      const outcome = ledger.simulate(decoded, { isVerified: true })
      if (outcome.error !== null) throw toPreflightError(outcome)
    }
    const refused = ledger.send(decoded)
    if (refused !== undefined && !skipPreflight)
      throw toPreflightError({ error: refused, meta: undefined })
    // Without a preflight, a node forwards the transaction and cannot say whether it will be executed.
    return signature
  },

  simulateTransaction(ledger, [text, given]) {
    const config = read(SimulateConfig, given)
    const { encoding, sigVerify, replaceRecentBlockhash } = config
    assertSlot(ledger, config)
    if (sigVerify && replaceRecentBlockhash)
      throw new RpcError('invalidParams', 'sigVerify may not be used with replaceRecentBlockhash')
    const decoded = readTransaction(read(v.string(), text), encoding)
    const { error, meta, account } = ledger.simulate(decoded, {
      isVerified: sigVerify,
      anyBlockhash: replaceRecentBlockhash,
    })
    if (error === 'SignatureFailure') throw signatureFailure()
    const accounts = config.accounts?.addresses.map((at) =>
      encodeAccount(account(readAddress(at)), { encoding: config.accounts?.encoding }, account),
    )
    return withContext(ledger, {
      err: error,
      logs: meta?.logs() ?? [],
      accounts: error === null ? (accounts ?? null) : null,
      unitsConsumed: meta?.computeUnitsConsumed() ?? 0n,
      returnData: meta ? encodeReturnData(meta) : null,
      innerInstructions: config.innerInstructions && meta ? encodeInner(meta) : null,
      ...(replaceRecentBlockhash && { replacementBlockhash: ledger.latest() }),
    })
  },
}

function withContext(ledger: Ledger, value: unknown) {
  return { context: { apiVersion: litesvm.version, slot: ledger.slot() }, value }
}

/** The status of a transaction; `null` for an unknown one. */
function encodeStatus(record: TransactionRecord | undefined) {
  if (!record) return null
  const { slot, error } = record
  return {
    slot,
    confirmations: null,
    err: error,
    status: error === null ? { Ok: null } : { Err: error },
    confirmationStatus: 'finalized',
  }
}

function signatureFailure(): RpcError {
  return new RpcError('signatureVerification', 'Transaction signature verification failure')
}

function toPreflightError({ error, meta }: Pick<ReturnType<Ledger['simulate']>, 'error' | 'meta'>) {
  if (error === 'SignatureFailure') return signatureFailure()
  return new RpcError('preflightFailure', `Transaction simulation failed: ${toErrorText(error!)}`, {
    accounts: null,
    err: error,
    innerInstructions: null,
    logs: meta?.logs() ?? [],
    returnData: null,
    unitsConsumed: meta?.computeUnitsConsumed() ?? 0n,
  })
}

function decodeBase64(text: string): Uint8Array {
  return readUnsafely(() => new Uint8Array(getBase64Encoder().encode(text)))
}

/** Decodes untrusted bytes. @throws {RpcError} */
function readUnsafely<Result>(decode: () => Result): Result {
  try {
    return decode()
  } catch (error) {
    throw error instanceof RpcError
      ? error
      : new RpcError('invalidParams', 'failed to deserialize the message')
  }
}
