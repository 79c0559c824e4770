import type { Session } from '@gatefold/sign'

import type { Network } from '../networks/Network.ts'
import type { KeyValueStorage } from '../storage/storage.ts'

/** The id of the connector that reaches wallets through the relay. Spelled as wagmi spells it. */
export const walletConnectId = 'walletConnect'

/** A session that a visitor is asked for: a URI to be scanned or opened, and what comes of it. */
export type Proposal = {
  uri: string
  /** Unix time in ms until which the URI is good. */
  expiresAt: number
  /** Settles with the wallet's answer. Rejects with a `BaseError`; a refusal is `UserRejectedError`. */
  approval: () => Promise<Session>
}

/** What happens to the session without a call of ours. */
export type WalletConnectEvent =
  /** A session was made, restored or changed; `undefined` once there is none any more. */
  | {
      type: 'session'
      session: Session | undefined
      /** Who ended it. */
      by?: 'wallet' | 'expiry' | 'site'
      /** What the wallet called itself. */
      wallet?: string | undefined
      /** It was made of what an earlier page offered, by this app if any: nobody here waits for it. */
      late?: { app?: { name: string; href: string } | undefined } | undefined
    }
  /** Something the wallet tells about a chain: `accountsChanged`, `chainChanged`. */
  | { type: 'event'; chainId: string; name: string; data: unknown }
  /** The wallet's app was brought to the front for a request. */
  | { type: 'app' }
  /** The way to the relay. `refused`: it will not be tried again. */
  | { type: 'relay'; status: 'connected' | 'offline' | 'refused'; reason?: string | undefined }

/**
 * The wallet-connection protocol of one instance: at most one session, which can hold accounts of
 * several chain families. Its client is loaded when the first URI is asked for, or when an earlier
 * session has to be restored.
 *
 * @see spec §3.19, §4.6.5, §4.7
 */
export type WalletConnect = {
  /** The session in use, once it is restored or made. */
  session(): Session | undefined
  /** Whether storage tells of an earlier session, or of one that may still come. Loads nothing. */
  remembers(): boolean
  /** Loads the client ahead of time. */
  preload(): Promise<void>
  /**
   * The session in use, or the earlier one, if it is still good and was asked for the chains of today;
   * one that was not is ended.
   *
   * @see spec §4.6.5
   */
  restore(): Promise<Session | undefined>
  /** Asks for a session. The URI does not wait for the relay. */
  propose(parameters?: { signal?: AbortSignal | undefined }): Promise<Proposal>
  /**
   * Asks the wallet for something on a chain of the session.
   *
   * @param parameters.chainId - CAIP-2
   * @throws {UserRejectedError} the visitor declined
   */
  request(parameters: {
    chainId: string
    request: { method: string; params?: unknown }
  }): Promise<unknown>
  /**
   * Notes the app that was opened with what is on offer: it is brought to the front for each request
   * of the session that comes of it. Undefined for none.
   */
  rememberApp(app: { name: string; href: string } | undefined): void
  /**
   * What brings the wallet's app to the front again for the request asked last; undefined until it was
   * brought there, and where none was opened to connect.
   */
  appOpener(): (() => void) | undefined
  /** Ends the session, here at once and at the wallet as soon as the relay takes it. */
  disconnect(): Promise<void>
  subscribe(listener: (event: WalletConnectEvent) => void): () => void
  /** Closes the socket and stops every timer. What is stored stays. */
  destroy(): void
}

/** What a `WalletConnect` is made with. */
export type WalletConnectParameters = {
  /** Origins. */
  endpoints: { relay: string; verify?: string | undefined }
  projectId: string | undefined
  metadata: { name: string; description: string; url: string; icons: readonly string[] }
  /** Keeps the sessions of several instances apart. */
  storageKey: string
  /** The host's own, without a prefix. */
  storage: KeyValueStorage
  /** The networks to ask the wallet for, as they are now. */
  networks(): readonly Network[]
}
