import {
  getAddressDecoder,
  getBase58Encoder,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getSignatureFromTransaction,
  getTransactionDecoder,
  type Address,
  type CompiledTransactionMessage,
  type CompiledTransactionMessageWithLifetime,
  type EncodedAccount,
  type ReadonlyUint8Array,
  type Signature,
  type Transaction,
} from '@solana/kit'
import { RpcError } from './RpcError.ts'

/** The largest transaction that fits into a packet of the network. */
const maxBytes = 1232

/** A legacy or v0 message. */
export type Message = Extract<CompiledTransactionMessage, { version: 'legacy' | 0 }> &
  CompiledTransactionMessageWithLifetime

export type Encoding = 'base58' | 'base64'

/** A transaction of a client, decoded. */
export type Decoded = { bytes: Uint8Array; transaction: Transaction; message: Message }

/** Decodes a transaction. @throws {RpcError} */
export function readTransaction(text: string, encoding: Encoding): Decoded {
  const bytes = toBytes(text, encoding)
  if (bytes.length > maxBytes)
    throw new RpcError(
      'invalidParams',
      `decoded solana_transaction::versioned::VersionedTransaction too large: ${bytes.length} bytes (max: ${maxBytes} bytes)`,
    )
  try {
    const transaction = getTransactionDecoder().decode(bytes)
    const message = readMessage(transaction.messageBytes)
    // LiteSVM ends the process if the bytes are not exactly a transaction, such as one that is cut off.
    const exact = getCompiledTransactionMessageEncoder().encode(message)
    if (Buffer.compare(Buffer.from(transaction.messageBytes), Buffer.from(exact)) !== 0)
      throw undecodable()
    return { bytes, transaction, message }
  } catch (error) {
    throw error instanceof RpcError ? error : undecodable()
  }
}

function undecodable(): RpcError {
  return new RpcError(
    'invalidParams',
    'failed to deserialize solana_transaction::versioned::VersionedTransaction',
  )
}

/** Decodes a message. @throws {RpcError} for a version other than legacy and 0 */
export function readMessage(bytes: ReadonlyUint8Array): Message {
  const message = getCompiledTransactionMessageDecoder().decode(bytes)
  if (message.version !== 'legacy' && message.version !== 0)
    throw new RpcError('invalidParams', 'invalid transaction: the version is not supported')
  const { header, staticAccounts } = message
  const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } = header
  if (
    numSignerAccounts + numReadonlyNonSignerAccounts > staticAccounts.length ||
    numReadonlySignerAccounts >= numSignerAccounts
  )
    throw new RpcError(
      'invalidParams',
      'invalid transaction: Transaction failed to sanitize accounts offsets correctly',
    )
  return message
}

/** The first signature of a transaction, which is its id. @throws {RpcError} if it is missing */
export function signatureOf({ transaction }: Decoded): Signature {
  try {
    return getSignatureFromTransaction(transaction)
  } catch {
    throw new RpcError('signatureVerification', 'Transaction signature verification failure')
  }
}

/** Decodes bytes of a client. @throws {RpcError} */
export function toBytes(text: string, encoding: Encoding): Uint8Array {
  try {
    return new Uint8Array(
      (encoding === 'base58' ? getBase58Encoder() : getBase64Encoder()).encode(text),
    )
  } catch {
    throw new RpcError('invalidParams', `invalid ${encoding} encoding`)
  }
}

/** Addresses that a v0 message takes from lookup tables. */
export type LoadedAddresses = { writable: Address[]; readonly: Address[] }

/** Size of a lookup table's header, which precedes the addresses. */
const tableHead = 56

/**
 * Resolves the addresses of lookup tables; those of a missing table are
 * omitted.
 */
export function loadAddresses(
  message: Message,
  account: (address: Address) => EncodedAccount | undefined,
): LoadedAddresses {
  const loaded: LoadedAddresses = { writable: [], readonly: [] }
  if (!('addressTableLookups' in message)) return loaded
  for (const lookup of message.addressTableLookups ?? []) {
    const data = account(lookup.lookupTableAddress)?.data
    const read = (indexes: readonly number[]) =>
      indexes.flatMap((index) => {
        const start = tableHead + index * 32
        return data && data.length >= start + 32
          ? [getAddressDecoder().decode(data.subarray(start, start + 32))]
          : []
      })
    loaded.writable.push(...read(lookup.writableIndexes))
    loaded.readonly.push(...read(lookup.readonlyIndexes))
  }
  return loaded
}
