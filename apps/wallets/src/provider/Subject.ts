import type { Address, Hex, TypedDataDefinition } from 'viem'
import type { WalletChain } from './createSession.ts'
import type { CallRequest } from './params.ts'
import type { Cost } from './transactions.ts'

/** An app that reached the wallet through the relay, as far as it is known. */
export type AskingApp = {
  name: string
  url: string
  icon?: string | undefined
  /**
   * What the verify service says of the page that asks: it is the one it claims to be, nobody knows,
   * it is another one, or it is known to steal.
   */
  trust: 'verified' | 'unverified' | 'mismatch' | 'scam'
  /** The origin that was really seen, where one was. */
  seenAt?: string | undefined
}

/** What a request is about, in a shape the wallet's window can put into words. */
export type Subject =
  | { kind: 'connect' }
  | { kind: 'message'; account: Address; message: Hex }
  | { kind: 'typedData'; account: Address; typedData: TypedDataDefinition }
  | {
      kind: 'calls'
      account: Address
      chainId: number
      calls: readonly CallRequest[]
      /** Whether the wallet also sends what it signs. */
      sends: boolean
      /** Rejects with the chain's error when the call would fail. Left out for a batch. */
      cost?: Promise<Cost>
    }
  | { kind: 'switchChain'; chainId: number }
  | { kind: 'addChain'; chain: WalletChain }
  | { kind: 'watchAsset'; address: Address; symbol: string }
  /** A session over the relay, and what the wallet would grant. */
  | {
      kind: 'session'
      chains: readonly number[]
      /** CAIP-2 ids that are asked for as well, and that the wallet does not know. */
      unknownChains: readonly string[]
      methods: readonly string[]
    }
  /** One signature that signs in and connects. */
  | { kind: 'signIn'; account: Address; domain: string; message: string }
