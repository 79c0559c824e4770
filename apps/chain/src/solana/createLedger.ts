import {
  address as toAddress,
  createKeyPairSignerFromPrivateKeyBytes,
  getBase58Decoder,
  lamports,
  type Address,
  type EncodedAccount,
  type Signature,
} from '@solana/kit'
import { getNonceDecoder, SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system'
import { Clock, FailedTransactionMetadata, LiteSVM, type TransactionMetadata } from 'litesvm'
import { compile } from './compile.ts'
import { feeOf } from './feeOf.ts'
import { faucetSeed, testMint, toMintAccount } from './funds.ts'
import {
  loadAddresses,
  readTransaction,
  signatureOf,
  type Decoded,
  type Message,
} from './readTransaction.ts'
import { toTransactionError, type TransactionError } from './toTransactionError.ts'

/** Number of blocks for which a blockhash is valid, as on the public clusters. */
const blockhashBlocks = 150n
/** Maximum number of transactions that are kept. */
const maxRecords = 10_000

/** A transaction that was executed, whether or not it succeeded. */
export type TransactionRecord = {
  signature: Signature
  slot: bigint
  blockTime: bigint
  decoded: Decoded
  /** All accounts: the static ones, then those of lookup tables. */
  accounts: Address[]
  loaded: { writable: Address[]; readonly: Address[] }
  error: TransactionError | null
  meta: TransactionMetadata
  fee: bigint
  before: (EncodedAccount | undefined)[]
  after: (EncodedAccount | undefined)[]
}

export type Outcome = {
  error: TransactionError | null
  meta: TransactionMetadata | undefined
  /**
   * The account after the transaction; `undefined` if the account no longer
   * exists.
   */
  account: (address: Address) => EncodedAccount | undefined
}

export type LedgerEvent =
  | { type: 'slot'; slot: bigint }
  | { type: 'transaction'; record: TransactionRecord }

export type Ledger = ReturnType<typeof createLedger>

/**
 * Creates a chain in memory, on LiteSVM. Each transaction gets a separate
 * block, which is final immediately; {@link Ledger.tick} adds an empty block.
 * LiteSVM itself accepts only the latest blockhash, so the ledger checks
 * blockhashes and durable nonces.
 */
export function createLedger() {
  const svm = new LiteSVM().withTransactionHistory(BigInt(maxRecords)).withBlockhashCheck(false)
  let slot = 1n
  /** Valid blockhashes, with the slot of their block. */
  const blockhashes = new Map<string, bigint>()
  const records = new Map<Signature, TransactionRecord>()
  const listeners = new Set<(event: LedgerEvent) => void>()

  const emit = (event: LedgerEvent) => {
    for (const listener of listeners) listener(event)
  }

  /** Starts the next block. */
  function tick() {
    slot += 1n
    const now = BigInt(Math.floor(Date.now() / 1000))
    svm.setClock(new Clock(slot, now, 0n, 0n, now))
    svm.expireBlockhash()
    const latest = svm.latestBlockhash()
    blockhashes.set(latest, slot)
    for (const [hash, at] of blockhashes) if (at + blockhashBlocks < slot) blockhashes.delete(hash)
    const slotHashes = [...blockhashes].map(([hash, at]) => ({ slot: at - 1n, hash }))
    // Programs search this list, which has to start with the latest slot.
    svm.setSlotHashes(slotHashes.toReversed())
    emit({ type: 'slot', slot })
  }

  function account(at: Address): EncodedAccount | undefined {
    const found = svm.getAccount(at)
    return found.exists && found.lamports > 0n ? found : undefined
  }

  /** Whether the blockhash is recent, or the value of the durable nonce that the transaction advances. */
  function isAlive(message: Message): boolean {
    if (blockhashes.has(message.lifetimeToken)) return true
    const [first] = message.instructions
    const isAdvance =
      first !== undefined &&
      message.staticAccounts[first.programAddressIndex] === SYSTEM_PROGRAM_ADDRESS &&
      first.data?.length === 4 &&
      first.data[0] === 4
    const nonce = isAdvance ? message.staticAccounts[first.accountIndices?.[0] ?? -1] : undefined
    const data = nonce && account(nonce)?.data
    return (
      data !== undefined &&
      data.length === 80 &&
      getNonceDecoder().decode(data).blockhash === message.lifetimeToken
    )
  }

  function simulate(
    decoded: Decoded,
    options: { isVerified: boolean; anyBlockhash?: boolean },
  ): Outcome {
    if (!options.anyBlockhash && !isAlive(decoded.message))
      return { error: 'BlockhashNotFound', meta: undefined, account }
    if (options.isVerified && !isSigned(decoded))
      return { error: 'SignatureFailure', meta: undefined, account }
    svm.withSigverify(options.isVerified)
    try {
      const result = svm.simulateTransaction(decoded.transaction)
      if (result instanceof FailedTransactionMetadata)
        return { error: toTransactionError(result), meta: result.meta(), account }
      const changed = new Map(result.postAccounts().map((one) => [one.address, one]))
      return { error: null, meta: result.meta(), account: (at) => changed.get(at) ?? account(at) }
    } finally {
      svm.withSigverify(true)
    }
  }

  /**
   * Executes a transaction.
   *
   * @returns its error if it was not executed; then no fee was charged, and the
   *   transaction is not recorded
   */
  function send(decoded: Decoded): TransactionError | undefined {
    if (!isAlive(decoded.message)) return 'BlockhashNotFound'
    if (!isSigned(decoded)) return 'SignatureFailure'
    const signature = signatureOf(decoded)
    const { message } = decoded
    const loaded = loadAddresses(message, account)
    const accounts = [...message.staticAccounts, ...loaded.writable, ...loaded.readonly]
    const before = accounts.map(account)
    const result = svm.sendTransaction(decoded.transaction)
    const isFailed = result instanceof FailedTransactionMetadata
    const meta = isFailed ? result.meta() : result
    const error = isFailed ? toTransactionError(result) : null
    if (isFailed && !meta.signature().some((byte) => byte !== 0)) return error!
    const record: TransactionRecord = {
      signature,
      slot,
      blockTime: svm.getClock().unixTimestamp,
      decoded,
      accounts,
      loaded,
      error,
      meta,
      fee: feeOf(message),
      before,
      after: accounts.map(account),
    }
    records.set(signature, record)
    const [oldest] = records.keys()
    if (records.size > maxRecords && oldest !== undefined) records.delete(oldest)
    emit({ type: 'transaction', record })
    tick()
    return undefined
  }

  const latest = () => {
    const blockhash = svm.latestBlockhash()
    return { blockhash, lastValidBlockHeight: blockhashes.get(blockhash)! + blockhashBlocks }
  }

  const faucet = createKeyPairSignerFromPrivateKeyBytes(faucetSeed)

  /** Sends lamports from the faucet. @returns the signature */
  async function airdrop(to: Address, amount: bigint): Promise<Signature> {
    const payer = await faucet
    const bytes = await compile({ payer, to, amount, ...latest() })
    const decoded = readTransaction(bytes, 'base64')
    const error = send(decoded)
    if (error !== undefined) throw new Error(`The faucet failed: ${JSON.stringify(error)}`)
    return signatureOf(decoded)
  }

  /** Puts the faucet and the test mint on the chain. */
  async function fill() {
    const { address } = await faucet
    svm.setAccount({
      address,
      data: new Uint8Array(),
      executable: false,
      lamports: lamports(500_000_000n * 1_000_000_000n),
      programAddress: SYSTEM_PROGRAM_ADDRESS,
      space: 0n,
    })
    svm.setAccount(toMintAccount(testMint, address, svm.minimumBalanceForRentExemption(82n)))
    tick()
  }

  return {
    fill,
    tick,
    send,
    simulate,
    airdrop,
    account,
    latest,
    accountsOf: (program: Address) => svm.getProgramAccounts(program),
    slot: () => slot,
    isAlive,
    isBlockhashValid: (hash: string) => blockhashes.has(hash),
    rentOf: (bytes: bigint) => svm.minimumBalanceForRentExemption(bytes),
    record: (signature: Signature) => records.get(signature),
    /** The transactions of an address, newest first. */
    recordsOf: (at: Address) =>
      [...records.values()].filter(({ accounts }) => accounts.includes(at)).toReversed(),
    count: () => BigInt(records.size),
    /** @returns a function that removes the listener */
    watch(listener: (event: LedgerEvent) => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** Whether each signer has a signature, valid or not. */
function isSigned({ transaction }: Decoded): boolean {
  return Object.values(transaction.signatures).every((one) => one !== null)
}

/** base58 of bytes. */
export function toBase58(bytes: Uint8Array): string {
  return getBase58Decoder().decode(bytes)
}

/** An address of a client. @returns `undefined` for any other text */
export function parseAddress(text: string): Address | undefined {
  try {
    return toAddress(text)
  } catch {
    return undefined
  }
}
