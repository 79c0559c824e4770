import { wrapsText, type FrameWallet, type KeyWrap } from '@gatefold/protocol/frame'
import { base64urlnopad } from '@scure/base'
import type { Sealed } from '../custody/seal.ts'

/** The accounts of the wallet. */
export type Accounts = Pick<FrameWallet, 'eip155' | 'solana'> & {
  /**
   * The owner of the smart account; `undefined` if neither this device nor the
   * server knows it.
   */
  owner?: string
}

/** The recovery key of a new set. */
export type Recovery = {
  userId: string
  recoveryId: string
  publicKey: string
  version: number
  wraps: KeyWrap[]
  /** Whether the wallet has signed the methods. */
  isSigned: boolean
  /** Set if the set changes the methods. */
  change?: { isAutomatic: boolean; bytes: Uint8Array<ArrayBuffer> }
}

/**
 * This device's set of shares. The keys are non-extractable, and the shares are
 * encrypted under them.
 */
export type StoredSet = Accounts & {
  setId: string
  epoch: number
  key: CryptoKey
  share: Sealed
  /** For operations while the server does not release its share. */
  recovery?: {
    userId: string
    recoveryId: string
    /** The recovery share, encrypted for the recovery key. */
    share: string
    /** The public key of the recovery key; undefined if the share is encrypted as in earlier versions. */
    publicKey?: string
    version: number
    wraps: KeyWrap[]
    /** Whether the methods had a signature. A later version without one is refused. */
    isSigned?: boolean
  }
}

/** A random id of a set. */
export function newId(): string {
  return base64urlnopad.encode(crypto.getRandomValues(new Uint8Array(16)))
}

/** Identifies the methods in their signature. */
export async function hashWraps(wraps: readonly KeyWrap[]): Promise<string> {
  const text = new TextEncoder().encode(wrapsText(wraps))
  return base64urlnopad.encode(new Uint8Array(await crypto.subtle.digest('SHA-256', text)))
}
