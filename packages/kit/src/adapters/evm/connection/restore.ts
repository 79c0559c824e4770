import type { Session } from '../../../core/connection/Session.ts'
import { liveConnections } from '../context.ts'
import type { Answer, Evm } from '../context.ts'
import { toSession } from './toSession.ts'

/** A wallet that has not answered by then counts as gone. */
const answerTimeoutMs = 5_000

/**
 * The session of a wallet that still grants the site its accounts, without asking the visitor.
 *
 * Not wagmi's `reconnect`: that one tries every wallet, serves one config of a page at a time, and
 * waits for a wallet that hangs for as long as it hangs.
 *
 * @see spec §4.1.3, §9.6.5
 */
export async function restore(evm: Evm, connectorId: string): Promise<Session | undefined> {
  const answer = await within(answerTimeoutMs, authorized(evm, connectorId))
  return answer && toSession(evm, answer)
}

async function authorized({ config }: Evm, id: string): Promise<Answer | undefined> {
  const connector = config.connectors.find((candidate) => candidate.id === id)
  if (!connector) return undefined
  const live = liveConnections(config).find(({ connector: { uid } }) => uid === connector.uid)
  if (live) return live as Answer
  if (!(await connector.isAuthorized())) return undefined
  const { accounts, chainId } = await connector.connect({ isReconnecting: true })
  return accounts.length > 0 ? { connector, accounts, chainId } : undefined
}

/** The value, or undefined when it fails or takes longer. */
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
