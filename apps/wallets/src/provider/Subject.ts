import type { Address, Hex, TypedDataDefinition } from 'viem'
import type { WalletChain } from './createSession.ts'
import type { CallRequest } from './params.ts'
import type { Cost } from './transactions.ts'

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
