import type {
  ConnectorContext,
  SessionConnector,
  WalletApp,
} from '../../core/connection/Connector.ts'
import { lazyClient } from '../lazyClient.ts'
import { walletConnectId } from './id.ts'
import { readProposalRecord, readSessionRecord } from './records.ts'

/** The WalletConnect connector, with a method for its views. */
export type WalletConnectConnector = SessionConnector & {
  /**
   * Records the app that was opened with the current URI. It is opened again for requests of the session
   * that prompt the visitor. Undefined removes it.
   */
  setApp(app: WalletApp | undefined): void
}

/**
 * Connects wallets on this or another device through the relay. Has at most one session, which can
 * serve several chain families. Part of the initial chunk, so it only reads storage; the protocol
 * client is loaded to connect, or to restore a session or an earlier proposal.
 *
 * @param loadClient - replaced by tests
 * @returns undefined if no relay is configured or `enableWalletConnect` is off
 * @see spec §3.19, §4.6.5, §4.7
 */
export function walletConnect(
  context: ConnectorContext,
  loadClient = () => import('./chunks/session.ts'),
): WalletConnectConnector | undefined {
  const { namespaces, options, storage } = context
  const [chain] = namespaces
  const { storageKey } = options
  if (!options.endpoints.relay || options.enableWalletConnect === false || !chain) return undefined
  const client = lazyClient(async () => {
    const { createClient } = await loadClient()
    return () => createClient(context)
  })
  const location = { storage, storageKey }
  const hasSession = () => Boolean(client.current() ?? readSessionRecord(location))
  return {
    id: walletConnectId,
    name: 'WalletConnect',
    type: 'WALLET_CONNECT',
    chain,
    chains: namespaces,
    view: 'ConnectingWalletConnect',
    universal: true,
    start() {
      // A wallet may still approve a proposal from an earlier page; a running client is needed to
      // notice it.
      if (readProposalRecord(location)) this.preload().catch(() => {})
    },
    preload: () => client.use(async () => {}),
    connect: (parameters) => client.use((it) => it.connect(parameters)),
    restore: async () => (hasSession() ? client.use((it) => it.restore()) : undefined),
    async disconnect() {
      if (hasSession()) await client.use((it) => it.disconnect())
    },
    setApp: (app) => client.current()?.setApp(app),
    destroy: () => client.destroy(),
  }
}
