import { getBase64Decoder, type EncodedAccount } from '@solana/kit'
import type { TransactionMetadata } from 'litesvm'
import { toBase58, type Ledger, type TransactionRecord } from './createLedger.ts'
import { decimalsOf, readToken, toUiAmount } from './encodeAccount.ts'
import { RpcError } from './RpcError.ts'

/** A transaction as `getTransaction` returns it. @throws {RpcError} for a version that the client does not support */
export function encodeTransaction(
  ledger: Ledger,
  record: TransactionRecord,
  options: {
    encoding: 'json' | 'base58' | 'base64'
    maxSupportedTransactionVersion?: number | undefined
  },
) {
  const { slot, blockTime, decoded } = record
  const { version } = decoded.message
  const { encoding, maxSupportedTransactionVersion: max } = options
  if (version !== 'legacy' && (max === undefined || max < version))
    throw new RpcError(
      'transactionVersion',
      `Transaction version (${version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
    )
  return {
    slot,
    blockTime,
    transaction:
      encoding === 'json'
        ? encodeJson(record)
        : [
            encoding === 'base64'
              ? getBase64Decoder().decode(decoded.bytes)
              : toBase58(decoded.bytes),
            encoding,
          ],
    meta: encodeMeta(ledger, record),
    ...(max !== undefined && { version }),
  }
}

function encodeJson({ decoded: { transaction, message } }: TransactionRecord) {
  const { header, staticAccounts, lifetimeToken, instructions } = message
  const lookups = 'addressTableLookups' in message ? message.addressTableLookups : undefined
  return {
    signatures: Object.values(transaction.signatures).map((one) =>
      toBase58(one ?? new Uint8Array(64)),
    ),
    message: {
      header: {
        numRequiredSignatures: header.numSignerAccounts,
        numReadonlySignedAccounts: header.numReadonlySignerAccounts,
        numReadonlyUnsignedAccounts: header.numReadonlyNonSignerAccounts,
      },
      accountKeys: staticAccounts,
      recentBlockhash: lifetimeToken,
      instructions: instructions.map(({ programAddressIndex, accountIndices, data }) => ({
        programIdIndex: programAddressIndex,
        accounts: accountIndices ?? [],
        data: toBase58(new Uint8Array(data ?? [])),
        stackHeight: null,
      })),
      ...(message.version === 0 && {
        addressTableLookups: (lookups ?? []).map((lookup) => ({
          accountKey: lookup.lookupTableAddress,
          writableIndexes: lookup.writableIndexes,
          readonlyIndexes: lookup.readonlyIndexes,
        })),
      }),
    },
  }
}

function encodeMeta(ledger: Ledger, record: TransactionRecord) {
  const { error, fee, before, after, meta, loaded } = record
  return {
    err: error,
    status: error === null ? { Ok: null } : { Err: error },
    fee,
    preBalances: before.map((one) => one?.lamports ?? 0n),
    postBalances: after.map((one) => one?.lamports ?? 0n),
    preTokenBalances: encodeTokenBalances(ledger, before),
    postTokenBalances: encodeTokenBalances(ledger, after),
    innerInstructions: encodeInner(meta),
    logMessages: meta.logs(),
    loadedAddresses: loaded,
    computeUnitsConsumed: meta.computeUnitsConsumed(),
    rewards: [],
  }
}

function encodeTokenBalances(ledger: Ledger, accounts: (EncodedAccount | undefined)[]) {
  return accounts.flatMap((account, accountIndex) => {
    const token = readToken(account)
    if (!token || !account) return []
    const { mint, owner, amount } = token
    const uiTokenAmount = toUiAmount(amount, decimalsOf(mint, ledger.account))
    return [{ accountIndex, mint, owner, programId: account.programAddress, uiTokenAmount }]
  })
}

/** The instructions that programs called. */
export function encodeInner(meta: TransactionMetadata) {
  return meta.innerInstructions().flatMap((calls, index) =>
    calls.length === 0
      ? []
      : [
          {
            index,
            instructions: calls.map((call) => {
              const instruction = call.instruction()
              return {
                programIdIndex: instruction.programIdIndex(),
                accounts: [...instruction.accounts()],
                data: toBase58(instruction.data()),
                stackHeight: call.stackHeight(),
              }
            }),
          },
        ],
  )
}

/** What a program returned; `null` if nothing. */
export function encodeReturnData(meta: TransactionMetadata) {
  const data = meta.returnData()
  if (data.data().length === 0) return null
  return {
    programId: toBase58(data.programId()),
    data: [getBase64Decoder().decode(data.data()), 'base64'],
  }
}
