import type { Session, SessionState } from '../../../core/connection/Session.ts'
import type { Answer, Evm, WagmiConnector } from '../context.ts'

/** The session of a wallet of the browser: its accounts on its chain. */
export function toSession(evm: Evm, { connector, accounts, chainId }: Answer): Session {
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
    // Its one connection follows the wallet; the session is as it was made.
    subscribe: () => () => {},
  }
}

/** The wallet's answer that a session was made of. */
export function toAnswer(connector: WagmiConnector, session: Session): Answer {
  const accounts = session.getState().grants.eip155?.accounts ?? []
  return {
    connector,
    accounts: accounts.map(({ address }) => address as `0x${string}`),
    chainId: Number(accounts[0]?.caipNetworkId.slice('eip155:'.length)),
  }
}
