import type { TransactionMark } from '../../connection/Adapter.ts'
import type { Transfer } from '../ActivityTransfer.ts'

/** A transaction that this site submitted. It is kept until the gateway's history contains it. */
export type PendingTransaction = {
  /** The hash with which it was submitted, or `callsId`; stays the same when it is replaced. */
  id: string
  /**
   * The hash of the latest version or, once a version is in a block, of that version. Undefined for a batch that is not
   * in a block yet.
   */
  hash: string | undefined
  /** The wallet's id of a batch of calls (EIP-5792). Only the wallet knows its status. */
  callsId?: string | undefined
  /** Id of the connector of the wallet that has sent the batch. */
  connectorId?: string | undefined
  /** What it does for the account. */
  type: 'send' | 'approve' | 'trade' | 'execute'
  /**
   * `failed`: reverted in a block. `canceled`, `replaced`: another transaction
   * with the same nonce is in a block, and does nothing or something else.
   * `dropped`: the network no longer knows it.
   */
  status: 'pending' | 'confirmed' | 'failed' | 'canceled' | 'replaced' | 'dropped'
  /** The account that sent it. */
  account: string
  /** CAIP-2 id of its network. */
  networkId: string
  /** The receiver's address. */
  to: string
  /**
   * The amounts that it moves from or to the account, or approves. Zero means
   * that the amount is not known yet.
   */
  transfers: readonly Transfer[]
  /** When it was submitted, as Unix time in ms. */
  time: number
  /** When it ended, as Unix time in ms. */
  endedAt?: number | undefined
  /** The fee paid, in whole units of the native currency, as a decimal number. */
  fee?: string | undefined
  /** Why it was reverted, or 'unknown reason'. */
  reason?: string | undefined
  /** Hashes of its earlier versions, newest first; one of them may still be included. */
  earlier: readonly string[]
  /**
   * The hash of the version that cancels it, if the visitor has requested a
   * cancellation.
   */
  cancelHash?: string | undefined
  /** Since when the network has not known it, as Unix time in ms. */
  missingAt?: number | undefined
  /** The adapter's mark, which identifies a replacement. */
  mark?: TransactionMark | undefined
}
