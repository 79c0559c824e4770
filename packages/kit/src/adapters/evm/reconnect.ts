import type { Config } from '@wagmi/core'
import { limits } from '@gatefold/protocol'

import type { Connection } from '../../core/connection/Connector.ts'
import { handlersOf, liveConnections, toConnection } from './context.ts'
import type { Evm, WagmiConnector } from './context.ts'
import { isWalletConnect } from './walletConnect/register.ts'

/** A wallet that has not said by then whether the site may see its accounts counts as gone. */
const answerTimeoutMs = 5_000

/** A session is in storage, and asks nobody: only the code that reads it may be slow to come. */
const sessionTimeoutMs = 60_000

type Answer = { connector: WagmiConnector; accounts: readonly `0x${string}`[]; chainId: number }

/**
 * Brings back earlier connections without asking the visitor. All wallets are asked at once;
 * the one last in use is shown first, so that no other account flashes up.
 *
 * Not wagmi's `reconnect`: that one tries every wallet, serves one config of a page at a time, and
 * waits for a wallet that hangs for as long as it hangs.
 *
 * @see spec §4.1.3, §9.6.5
 */
export async function reconnect(
  evm: Evm,
  parameters: { connectorIds: readonly string[]; current?: string | undefined },
): Promise<readonly Connection[]> {
  const { config } = evm
  const { current } = parameters
  const ids = [...new Set([...(current ? [current] : []), ...parameters.connectorIds])]
  config.setState((state) => ({
    ...state,
    status: state.current ? 'reconnecting' : 'connecting',
  }))
  const isSession = (id: string) =>
    config.connectors.some((it) => it.id === id && isWalletConnect(it))
  const answers = ids.map((id) =>
    within(isSession(id) ? sessionTimeoutMs : answerTimeoutMs, askQuietly(config, id)),
  )
  const taken = new Set<unknown>()
  for (const pending of answers) {
    const answer = await pending
    if (!answer) continue
    const provider = evm.providers.original(await answer.connector.getProvider())
    // The generic wallet and an announced one can be the same.
    if (taken.has(provider)) continue
    taken.add(provider)
    adopt(config, answer, { inUse: answer.connector.id === current })
  }
  config.setState((state) =>
    state.status === 'connected'
      ? state
      : { ...state, status: state.current ? 'connected' : 'disconnected' },
  )
  return liveConnections(config)
    .filter(({ connector }) => ids.includes(connector.id))
    .map(toConnection)
}

/** Makes an answer of a wallet a connection of wagmi, and wagmi listen to that wallet. */
export function adopt(config: Config, answer: Answer, options: { inUse: boolean }): void {
  const { connector, accounts, chainId } = answer
  const events = handlersOf(config)
  connector.emitter.off('connect', events.connect)
  connector.emitter.off('change', events.change)
  connector.emitter.off('disconnect', events.disconnect)
  connector.emitter.on('change', events.change)
  connector.emitter.on('disconnect', events.disconnect)
  config.setState((state) => {
    // Connections that wagmi has read from storage have connectors without methods.
    const live = [...state.connections].filter(([, old]) => 'getProvider' in old.connector)
    const connections = new Map(live).set(connector.uid, {
      accounts: accounts as readonly [`0x${string}`, ...`0x${string}`[]],
      chainId,
      connector,
    })
    const keep = !options.inUse && state.current && connections.has(state.current)
    return {
      ...state,
      connections,
      current: keep ? state.current : connector.uid,
      status: 'connected',
    }
  })
}

async function askQuietly(config: Config, id: string): Promise<Answer | undefined> {
  const connector = await findConnector(config, id)
  if (!connector) return undefined
  const already = liveConnections(config).find((live) => live.connector.uid === connector.uid)
  if (already) return already as Answer
  if (!(await connector.isAuthorized())) return undefined
  const { accounts, chainId } = await connector.connect({ isReconnecting: true })
  return accounts.length > 0 ? { connector, accounts, chainId } : undefined
}

/** The connector of an id; a wallet may announce itself a moment after the page has started. */
function findConnector(config: Config, id: string): Promise<WagmiConnector | undefined> {
  const find = () => config.connectors.find((connector) => connector.id === id)
  const known = find()
  if (known) return Promise.resolve(known)
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      stop()
      resolve(find())
    }
    const timer = setTimeout(done, limits.asyncInjectMs)
    const stop = config._internal.connectors.subscribe(() => find() && done())
  })
}

/** The value, or nothing when it fails or takes longer. */
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
