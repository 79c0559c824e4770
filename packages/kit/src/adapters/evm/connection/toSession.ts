import { CaipNetworkId } from '@gatefold/protocol'
import type { Session, SessionState } from '../../../core/connection/Session.ts'
import type { WalletAccounts, Evm, WagmiConnector } from '../context.ts'

/** The session of a browser wallet: its accounts on its chain. */
export function toSession(evm: Evm, { connector, accounts, chainId }: WalletAccounts): Session {
  const caipNetworkId = `eip155:${chainId}` as const
  const state: SessionState = {
    id: connector.uid,
    connectorId: connector.id,
    peer: { name: connector.name },
    grants: {
      eip155: {
        accounts: accounts.map((address) => ({ address, caipNetworkId })),
        networkIds: [caipNetworkId],
        methods: [],
      },
    },
    method: 'browser',
  }
  return {
    connectorId: connector.id,
    getState: () => state,
    provider: async () => evm.providers.original(await connector.getProvider()),
    // The connection follows the wallet's events; the session itself never changes.
    subscribe: () => () => {},
  }
}

/** The accounts and chain that a session was created from. */
export function toWalletAccounts(connector: WagmiConnector, session: Session): WalletAccounts {
  const accounts = session.getState().grants.eip155?.accounts ?? []
  return {
    connector,
    accounts: accounts.map(({ address }) => address as `0x${string}`),
    chainId: Number(CaipNetworkId.split(accounts[0]?.caipNetworkId ?? '')?.reference),
  }
}
