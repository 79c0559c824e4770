import {
  AccountRole,
  getBase58Decoder,
  getBase58Encoder,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type AccountMeta,
  type Address,
  type CompiledTransactionMessage,
  type CompiledTransactionMessageWithLifetime,
  type SignatureBytes,
  type Transaction,
} from '@solana/kit'
import { RequestError } from '../rpc/RequestError.ts'

/** The largest transaction that the network accepts, in bytes. */
const maxBytes = 1232

export type Message = Extract<CompiledTransactionMessage, { version: 'legacy' | 0 }> &
  CompiledTransactionMessageWithLifetime

/** A transaction that a page wants signed. */
export type DecodedTransaction = {
  transaction: Transaction
  message: Message
  /** The bytes that are signed. */
  messageBytes: Uint8Array
  /** Accounts that must sign; the first one pays the fee. */
  signers: Address[]
}

/**
 * Decodes a transaction.
 *
 * @param text - base58 of its wire form, as official clients send it;
 *   signatures may be missing
 * @throws {RequestError} unless it is a canonically encoded legacy or v0
 *   transaction that the account must sign
 */
export function decodeTransaction(text: unknown, owner: string): DecodedTransaction {
  const bytes = decodeBase58(text)
  if (!bytes || bytes.length > maxBytes) throw new RequestError('The transaction is not valid.')
  const found = attempt(() => {
    const transaction = getTransactionDecoder().decode(bytes)
    const messageBytes = new Uint8Array(transaction.messageBytes)
    return { transaction, messageBytes, message: decodeMessage(messageBytes) }
  })
  if (!found?.message) throw new RequestError('The transaction is not valid.')
  const { transaction, messageBytes, message } = found
  // Another decoder could read a non-canonical encoding differently.
  if (!isEqual(messageBytes, getCompiledTransactionMessageEncoder().encode(message)))
    throw new RequestError('The transaction is not valid.')
  const signers = message.staticAccounts.slice(0, message.header.numSignerAccounts)
  if (!signers.includes(owner as Address))
    throw new RequestError('The transaction does not need a signature of this account.')
  return { transaction, message, messageBytes, signers }
}

/**
 * Decodes the message of a transaction. @returns `undefined` for other bytes,
 * and for other versions
 */
export function decodeMessage(bytes: Uint8Array): Message | undefined {
  const message = attempt(() => getCompiledTransactionMessageDecoder().decode(bytes))
  if (!message || (message.version !== 'legacy' && message.version !== 0)) return undefined
  const { header, staticAccounts, instructions } = message
  const loaded = ('addressTableLookups' in message && message.addressTableLookups) || []
  const count = loaded.reduce(
    (sum, { writableIndexes, readonlyIndexes }) =>
      sum + writableIndexes.length + readonlyIndexes.length,
    staticAccounts.length,
  )
  const isValid =
    header.numReadonlySignerAccounts < header.numSignerAccounts &&
    header.numSignerAccounts + header.numReadonlyNonSignerAccounts <= staticAccounts.length &&
    instructions.every(
      ({ programAddressIndex, accountIndices = [] }) =>
        programAddressIndex > 0 &&
        programAddressIndex < staticAccounts.length &&
        accountIndices.every((index) => index < count),
    )
  return isValid ? message : undefined
}

/**
 * Whether bytes are a transaction or a transaction message of any version: a
 * signature of them would be valid for the transaction. No text begins with a
 * version byte.
 */
export function isTransaction(bytes: Uint8Array): boolean {
  const [first = 0] = bytes
  if (first >= 0x80 && first < 0xc0) return true
  if (decodeMessage(bytes)) return true
  const transaction = attempt(() => getTransactionDecoder().decode(bytes))
  return (
    transaction !== undefined &&
    decodeMessage(new Uint8Array(transaction.messageBytes)) !== undefined
  )
}

/** The accounts of a message with their roles: the static ones, then those of lookup tables. */
export function toAccounts(
  { header, staticAccounts }: Message,
  loaded: { writable: Address[]; readonly: Address[] },
): AccountMeta[] {
  const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } = header
  const roleAt = (index: number) => {
    if (index < numSignerAccounts - numReadonlySignerAccounts) return AccountRole.WRITABLE_SIGNER
    if (index < numSignerAccounts) return AccountRole.READONLY_SIGNER
    return index < staticAccounts.length - numReadonlyNonSignerAccounts
      ? AccountRole.WRITABLE
      : AccountRole.READONLY
  }
  return [
    ...staticAccounts.map((address, index) => ({ address, role: roleAt(index) })),
    ...loaded.writable.map((address) => ({ address, role: AccountRole.WRITABLE }) as const),
    ...loaded.readonly.map((address) => ({ address, role: AccountRole.READONLY }) as const),
  ]
}

/** The wire form of a transaction with the signature of an account. */
export function addSignature(
  transaction: Transaction,
  owner: string,
  signature: Uint8Array,
): Uint8Array {
  const signatures = { ...transaction.signatures, [owner]: signature as SignatureBytes }
  return new Uint8Array(getTransactionEncoder().encode({ ...transaction, signatures }))
}

/** @returns `undefined` for a text that is not base58 */
export function decodeBase58(text: unknown): Uint8Array | undefined {
  if (typeof text !== 'string' || text === '') return undefined
  return attempt(() => new Uint8Array(getBase58Encoder().encode(text)))
}

export function encodeBase58(bytes: Uint8Array): string {
  return getBase58Decoder().decode(bytes)
}

/** The result of a decoder; `undefined` if it throws. */
export function attempt<Result>(decode: () => Result): Result | undefined {
  try {
    return decode()
  } catch {
    return undefined
  }
}

function isEqual(a: Uint8Array, b: ArrayLike<number>): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index])
}
