import type { Session } from '../../../core/connection/Session.ts'
import { ConnectError } from '../../../core/kit/errors.ts'
import { adopt } from './adopt.ts'
import { findConnection, liveConnections } from '../context.ts'
import type { Evm } from '../context.ts'
import { isSessionConnector } from '../sessions/register.ts'
import { toWalletAccounts } from './toSession.ts'

/**
 * Adds a session's accounts to wagmi's connections. Does nothing for a browser wallet that `connect` has
 * already connected.
 *
 * @param parameters.restored - whether the session is from an earlier visit. Such a session is skipped if
 * the same wallet is already connected, because a wallet can be both announced and injected
 * @see spec §4.1.3
 */
export async function attach(
  evm: Evm,
  parameters: { session: Session; active: boolean; restored?: boolean },
): Promise<void> {
  const { session, active, restored } = parameters
  const { config, providers } = evm
  const connector = config.connectors.find(({ id }) => id === session.connectorId)
  if (!connector)
    throw new ConnectError({ details: `No EVM connector with the id ${session.connectorId}.` })
  const isSession = isSessionConnector(evm, connector)
  if (!isSession && findConnection(evm, connector.id)) return
  const answer = isSession
    ? { connector, ...(await connector.connect({ isReconnecting: true })) }
    : toWalletAccounts(connector, session)
  if (restored) {
    const provider = providers.original(await connector.getProvider())
    for (const live of liveConnections(config))
      if (
        live.connector.uid !== connector.uid &&
        providers.original(await live.connector.getProvider()) === provider
      )
        return
  }
  if (answer.accounts.length === 0) return
  adopt(config, answer, { active })
  import('../actions.ts').catch(() => {}) // the first action retries a failed load
}
