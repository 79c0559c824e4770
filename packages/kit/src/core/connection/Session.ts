import type { CaipNetworkId, ChainNamespace } from '@gatefold/protocol'

import type { Connection } from './Connection.ts'

/** What a session grants to one chain family. */
export type SessionGrant = {
  /** In the wallet's order of preference. */
  accounts: readonly { address: string; caipNetworkId: CaipNetworkId.CaipNetworkId }[]
  /** Approved chains, those of the accounts included. */
  networkIds: readonly CaipNetworkId.CaipNetworkId[]
  /** Approved methods. */
  methods: readonly string[]
}

/**
 * How a session ended: `user` in the wallet, `site` on this page or another tab of it, `expired` at
 * its own end, `superseded` by a newer session of the connector, `failed` by a fault.
 */
export type SessionEndReason = 'user' | 'site' | 'expired' | 'superseded' | 'failed'

/** A session as the store holds it: plain data, replaced when it changes. */
export type SessionState = {
  /** Unique among the sessions of a connector. */
  id: string
  connectorId: string
  /** The wallet as it describes itself. */
  peer: { name: string; url?: string | undefined; icons?: readonly string[] | undefined }
  grants: { readonly [namespace in ChainNamespace.ChainNamespace]?: SessionGrant }
  /** Unix time in ms. */
  expiresAt?: number | undefined
  /** EIP-5792 capabilities that the wallet sent with the session. */
  capabilities?: unknown
  /** Opens the wallet's app for the request made last; set once the app was opened for it. */
  requestLink?: { href: string; newTab: boolean } | undefined
  /** How the visitor reached the wallet, as analytics count it. @see spec §7.7.2 */
  method: 'browser' | 'qrcode' | 'mobile'
  /** Set once the session has ended. */
  end?: SessionEndReason | undefined
}

/** What a connector gives: the wallet's grant, and a provider for each chain family. */
export type Session = {
  readonly connectorId: string
  getState(): SessionState
  /**
   * The wallet's provider for a family that the session grants: EIP-1193 on EVM, Wallet Standard
   * features on Solana and Bitcoin, `{ request }` with CAIP-2 chains (CAIP-27) elsewhere.
   */
  provider(namespace: ChainNamespace.ChainNamespace): Promise<unknown>
  /** Called after the store has the change. @returns unsubscribes */
  subscribe(listener: () => void): () => void
}

/** What connectors report without a call. */
export type SessionEvent =
  /** Made, restored or changed. */
  | { type: 'changed'; session: Session }
  /** Approved by a wallet for an attempt of an earlier page: no attempt waits for it. */
  | { type: 'approved'; session: Session }
  | { type: 'ended'; connectorId: string; reason: SessionEndReason }
  /** The server refuses the site; `message` is the server's. */
  | { type: 'refused'; message: string }

/**
 * The connection that a session alone makes to a chain family: its accounts on one chain.
 *
 * @param preferred - the chain to stay on while it is granted
 * @returns undefined where the session grants the family no account
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
      .map(({ address }) => ({ namespace, address, type: 'eoa' })),
    caipNetworkId,
  }
}
