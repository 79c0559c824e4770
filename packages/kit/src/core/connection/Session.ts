import type { CaipNetworkId, ChainNamespace } from '@gatefold/protocol'

import type { AlertEvent } from '../notifications/alerts.ts'
import type { AccountType, Connection } from './Connection.ts'

/** What a session grants for one chain family. */
export type SessionGrant = {
  /** In the wallet's order of preference. */
  accounts: readonly {
    /** The address in the family's format. */
    address: string
    /** The chain of the account. */
    caipNetworkId: CaipNetworkId.CaipNetworkId
    /** The kind of account; `eoa` by default. */
    type?: AccountType | undefined
    /** The public key, on families whose wallets report it. */
    publicKey?: string | undefined
    /** The derivation path, on families whose wallets report it. */
    path?: string | undefined
  }[]
  /** Approved chains, including those of the accounts. */
  networkIds: readonly CaipNetworkId.CaipNetworkId[]
  /** Approved methods. */
  methods: readonly string[]
}

/**
 * Why a session ended. `user`: the wallet ended it; `site`: this page or another tab of the site ended it;
 * `expired`: it reached its expiry; `superseded`: a newer session of the connector replaced it; `failed`: an
 * error ended it.
 */
export type SessionEndReason = 'user' | 'site' | 'expired' | 'superseded' | 'failed'

/** A session in the store: plain data, replaced on every change. */
export type SessionState = {
  /** Unique among the sessions of a connector. */
  id: string
  /** Id of the connector that created it. */
  connectorId: string
  /** The wallet's metadata, as the wallet sent it. */
  peer: {
    /** The wallet's name. */
    name: string
    /** The wallet's web site. */
    url?: string | undefined
    /** URLs of the wallet's icons. */
    icons?: readonly string[] | undefined
  }
  /** What the wallet granted, by chain family. */
  grants: { readonly [namespace in ChainNamespace.ChainNamespace]?: SessionGrant }
  /** Unix time in ms. */
  expiresAt?: number | undefined
  /** The name of the visitor who logged in, for wallets with a login. */
  userName?: string | undefined
  /** EIP-5792 capabilities that the wallet sent when it approved. */
  capabilities?: unknown
  /** The link that opens the wallet's app for the latest request; set only if the app was opened to connect. */
  requestLink?:
    | {
        /** The link. */
        href: string
        /** Whether it opens in a new tab. */
        newTab: boolean
      }
    | undefined
  /** How the visitor connected the wallet, for analytics. */
  method: 'browser' | 'qrcode' | 'mobile'
  /** Set once the session has ended. */
  end?: SessionEndReason | undefined
}

/** An approved session: the wallet's grant, and a provider for each chain family. */
export type Session = {
  /** Id of the connector that created it. */
  readonly connectorId: string
  /** The session as plain data. */
  getState(): SessionState
  /**
   * The wallet's provider for a granted family: EIP-1193 on EVM, Wallet Standard features on Solana and
   * Bitcoin, `{ request }` with CAIP-2 chains (CAIP-27) elsewhere.
   */
  provider(namespace: ChainNamespace.ChainNamespace): Promise<unknown>
  /** Calls the listener after the store has applied a change. @returns a function that unsubscribes */
  subscribe(listener: () => void): () => void
}

/** Events that connectors emit. */
export type SessionEvent =
  /** A session was created, restored or changed. */
  | { type: 'changed'; /** The session. */ session: Session }
  /** A wallet approved an attempt that an earlier page started; no `connect` call is pending for it. */
  | { type: 'approved'; /** The session. */ session: Session }
  /** The session ended. */
  | {
      type: 'ended'
      /** Id of the connector. */
      connectorId: string
      /** Why it ended. */
      reason: SessionEndReason
    }
  /** The site requested a method that the wallet does not serve. */
  | { type: 'blocked'; /** The method. */ method: string }
  /** The connector's server rejected the site. */
  | { type: 'refused'; /** The server's message. */ message: string }
  /** The site is misconfigured. */
  | AlertEvent

/**
 * A session's connection for one chain family: its accounts on one chain.
 *
 * @param preferred - the chain to use if the session grants an account on it; otherwise, the chain of the
 * first account is used
 * @returns undefined if the session grants no account of the family
 * @see CAIP-10, CAIP-25
 */
export function connectionOf(
  session: SessionState,
  namespace: ChainNamespace.ChainNamespace,
  preferred?: CaipNetworkId.CaipNetworkId,
): Connection | undefined {
  const all = session.grants[namespace]?.accounts ?? []
  const { caipNetworkId } =
    all.find((account) => account.caipNetworkId === preferred) ?? all[0] ?? {}
  if (!caipNetworkId) return undefined
  return {
    connectorId: session.connectorId,
    accounts: all
      .filter((account) => account.caipNetworkId === caipNetworkId)
      .map(({ address, type = 'eoa', publicKey, path }) => ({
        namespace,
        address,
        type,
        publicKey,
        path,
      })),
    caipNetworkId,
    name: session.userName,
  }
}
