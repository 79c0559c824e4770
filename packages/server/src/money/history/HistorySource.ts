import type { HistoryResponse } from '@gatefold/protocol/gateway'
import type { Address, Hex } from 'viem'
import type { NftCandidate } from '../nfts/NftToken.ts'

export type Standard = 'native' | 'erc20' | 'erc721' | 'erc1155'

/** A transfer to or from an account. Addresses are in lower case. */
export type Transfer = {
  standard: Standard
  /** Absent for the native currency. */
  token?: Address
  from: Address
  to: Address
  /** In the smallest unit; for NFTs the number of copies. */
  amount: string
  /** Decimal; only for NFTs. */
  tokenId?: string
}

/** An approval that an account granted. */
export type Approval = {
  standard: 'erc20' | 'erc721'
  token: Address
  spender: Address
  /** In the smallest unit; for NFTs `1`, or `0` if the approval was revoked. */
  amount: string
  /** Decimal; absent for ERC-20, and if the approval is for all NFTs of the contract. */
  tokenId?: string
}

/** What a transaction did for an account. Addresses are in lower case. */
export type Entry = {
  hash: Hex
  block: number
  /** Index in the block. */
  position: number
  /** Unix time in ms. */
  minedAt: number
  from: Address
  /** `null` for a deployment. */
  to: Address | null
  /** The contract that a deployment created. */
  created?: Address
  nonce: number
  isFailed: boolean
  /** In the smallest unit of the native currency. */
  value: string
  /** Whether the transaction has calldata. */
  isCall: boolean
  transfers: Transfer[]
  approvals: Approval[]
}

export type HistoryPage = {
  /** Newest first. */
  entries: Entry[]
  next: string | null
  indexed?: HistoryResponse['indexed']
}

/** The source of the account histories of one chain. */
export type HistorySource = {
  /**
   * A page of an account's history.
   *
   * @param account - lower case.
   * @param cursor - `next` of the previous page.
   * @throws {RefusedError} if the source did not create the cursor.
   * @throws {HistoryUnavailableError} if the source does not respond.
   */
  read(account: Address, cursor: string | undefined): Promise<HistoryPage>
}

/** The address and project of a request. */
export type Payer = { address: string; project: string }

export type History = {
  /** By CAIP-2 id. */
  sources: ReadonlyMap<string, HistorySource>
  /**
   * Watches an address on a chain, if the server indexes it itself. New addresses are limited by the address and project
   * of the request. Never rejects.
   */
  watch(
    chain: string,
    address: Address,
    payer: Payer,
  ): Promise<'watched' | 'limited' | 'full' | 'failed'>
  /**
   * Admits a request for the history of an account: watches the account as {@link watch} does, or, if another server
   * has the history, limits new accounts by address and project in the same way. Never rejects.
   */
  admit(
    chain: string,
    address: Address,
    payer: Payer,
  ): Promise<'watched' | 'limited' | 'full' | 'failed'>
  /**
   * The tokens outside the chain's list that were transferred to or from an account, newest first. Empty if they cannot
   * be read.
   */
  listTokens(chain: string, address: Address): Promise<Address[]>
  /**
   * The NFTs that were transferred to or from an account, latest first. The account may no longer own them. Empty if they
   * cannot be read.
   */
  listNfts(chain: string, address: Address): Promise<NftCandidate[]>
  /** Starts the indexers. */
  start(): void
  /** Stops the indexers. */
  stop(): Promise<void>
}

/** A source did not respond in time, or its response was malformed. */
export class HistoryUnavailableError extends Error {
  override name = 'HistoryUnavailableError'
}
