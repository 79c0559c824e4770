import type { Session } from '../../../core/connection/Session.ts'
import { liveConnections } from '../context.ts'
import type { WalletAccounts, Evm } from '../context.ts'
import { toSession } from './toSession.ts'

/** How long a wallet may take to respond, in ms. After that, it is not restored. */
const answerTimeoutMs = 5_000

/**
 * Restores the session of a wallet that still exposes its accounts to the site. Does not prompt the
 * visitor.
 *
 * wagmi's `reconnect` is not used: it sends requests to every wallet, handles only one config per page
 * at a time, and waits for hanging wallets without a timeout.
 *
 * @see spec §4.1.3, §9.6.5
 */
export async function restore(evm: Evm, connectorId: string): Promise<Session | undefined> {
  const answer = await within(answerTimeoutMs, authorized(evm, connectorId))
  return answer && toSession(evm, answer)
}

async function authorized({ config }: Evm, id: string): Promise<WalletAccounts | undefined> {
  const connector = config.connectors.find((candidate) => candidate.id === id)
  if (!connector) return undefined
  const live = liveConnections(config).find(({ connector: { uid } }) => uid === connector.uid)
  if (live) return live as WalletAccounts
  if (!(await connector.isAuthorized())) return undefined
  const { accounts, chainId } = await connector.connect({ isReconnecting: true })
  return accounts.length > 0 ? { connector, accounts, chainId } : undefined
}

/** The promise's value, or undefined if the promise rejects or does not settle in time. */
async function within<value>(ms: number, promise: Promise<value>): Promise<value | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined)
  })
  try {
    return await Promise.race([promise.catch(() => undefined), timeout])
  } finally {
    clearTimeout(timer)
  }
}
