import type { Address, Hex, TypedDataDefinition } from 'viem'
import type { WalletChain } from './createWalletState.ts'
import type { CallRequest } from './params.ts'
import type { Cost } from './transactions.ts'

/** An app that sends requests over the relay. */
export type RequestingApp = {
  name: string
  url: string
  icon?: string | undefined
  /**
   * The verify service's result: the origin matches the app's metadata, is unknown, does not match, or
   * is reported as a scam.
   */
  trust: 'verified' | 'unverified' | 'mismatch' | 'scam'
  /** The origin that the verify service attested, if any. */
  attestedOrigin?: string | undefined
}

/** A parsed request that needs approval, in the form that the wallet's window displays. */
export type RequestDetails =
  | { kind: 'connect' }
  | { kind: 'message'; account: Address; message: Hex }
  | { kind: 'typedData'; account: Address; typedData: TypedDataDefinition }
  | {
      kind: 'calls'
      account: Address
      chainId: number
      calls: readonly CallRequest[]
      /** Whether the wallet broadcasts the signed transaction. */
      sends: boolean
      /** The maximum fee. Rejects with the chain's error if the call would fail. Undefined for a batch. */
      cost?: Promise<Cost>
    }
  | { kind: 'switchChain'; chainId: number }
  | { kind: 'addChain'; chain: WalletChain }
  | { kind: 'watchAsset'; address: Address; symbol: string }
  /** A session proposal, and the namespaces that the wallet would grant. */
  | {
      kind: 'session'
      chains: readonly number[]
      /** Requested CAIP-2 ids that the wallet does not support. */
      unknownChains: readonly string[]
      methods: readonly string[]
    }
  /** A sign-in (`wc_sessionAuthenticate`). It also connects if it grants methods. */
  | {
      kind: 'signIn'
      account: Address
      domain: string
      message: string
      /** The methods that the app may request afterwards. */
      methods: readonly string[]
    }
