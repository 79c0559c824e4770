import { BaseError } from '@gatefold/protocol'

import type { Connection } from '../../core/connection/Connector.ts'
import { AlreadyConnectedError, ConnectError, UserRejectedError } from '../../core/kit/errors.ts'
import { OptionsError } from '../../core/kit/kitErrors.ts'
import type { Network } from '../../core/networks/Network.ts'
import { findConnection, handlersOf, toConnection } from './context.ts'
import type { Answered, Attempt, Evm, WagmiConnector } from './context.ts'
import { hasCode, isRejection } from './failure.ts'
import { adopt } from './reconnect.ts'
import { switchWallet } from './switchNetwork.ts'

/** JSON-RPC “resource unavailable”: the wallet already shows this very question. */
const alreadyAsking = -32002

/**
 * Asks a wallet for its accounts, then, if asked to, to be on a network.
 *
 * An attempt that is given up through `signal` changes nothing any more: what the wallet answers
 * afterwards is undone, unless a newer attempt at the same wallet can use it. An attempt that a
 * newer one overtook ends as the newer one does.
 *
 * @throws {UserRejectedError} the visitor declined the connection or the network
 * @throws {AlreadyConnectedError}
 * @throws {ConnectError} anything else
 * @see spec §4.15, §5.6.5, §5.6.7, §8.11.4; threat-model.md “wallet rejects, hangs, answers late”
 */
export async function connect(evm: Evm, parameters: connect.Parameters): Promise<Connection> {
  const { config, attempts } = evm
  const { connectorId } = parameters
  const connector = config.connectors.find(({ id }) => id === connectorId)
  if (!connector)
    throw new OptionsError('connectExternal: connector not found', {
      code: 'connect.connector_not_found',
      metaMessages: [`No EVM connector with the id ${connectorId} is known.`],
    })
  if (findConnection(evm, connectorId)) throw new AlreadyConnectedError(connector.name)

  const attempt: Attempt = { result: undefined }
  attempts.set(connector.uid, attempt)
  // While it is asked, the wallet's own news must not connect it: this attempt may be given up.
  connector.emitter.off('connect', handlersOf(config).connect)
  config.setState((state) => ({ ...state, status: 'connecting' }))
  attempt.result = run(evm, connector, attempt, parameters)
  return attempt.result
}

export declare namespace connect {
  type Parameters = {
    connectorId: string
    network?: Network | undefined
    signal?: AbortSignal | undefined
  }
}

async function run(
  evm: Evm,
  connector: WagmiConnector,
  attempt: Attempt,
  { connectorId, network, signal }: connect.Parameters,
): Promise<Connection> {
  const { config, attempts } = evm
  const { uid } = connector
  const isMine = () => attempts.get(uid) === attempt
  try {
    const asked = connectAndSwitch(evm, connector, { network, isWanted: isMine })
    const answer = await (signal ? Promise.race([asked, rejectOnAbort(signal)]) : asked)
    if (!isMine()) throw new ConnectError({ details: 'A newer attempt took over.' })
    attempts.delete(uid)
    adopt(config, answer, { inUse: true })
    return toConnection(answer)
  } catch (error) {
    const newer = attempts.get(uid)
    if (newer?.result && newer !== attempt && !signal?.aborted) return newer.result
    const overtaken = newer ? undefined : findConnection(evm, connectorId)
    if (overtaken && !signal?.aborted) return toConnection(overtaken)

    if (newer === attempt) {
      attempts.delete(uid)
      if (!evm.asked.has(uid)) listen(evm, connector)
    }
    if (attempts.size === 0)
      config.setState((state) => ({
        ...state,
        status: state.current ? 'connected' : 'disconnected',
      }))
    if (error instanceof BaseError) throw error
    throw isRejection(error)
      ? new UserRejectedError({ cause: error })
      : new ConnectError({ cause: error })
  }
}

type Answer = Parameters<typeof adopt>[1]

async function connectAndSwitch(
  evm: Evm,
  connector: WagmiConnector,
  options: { network: Network | undefined; isWanted: () => boolean },
): Promise<Answer> {
  const { network, isWanted } = options
  const givenUp = async () => {
    if (isWanted()) return
    if (!evm.attempts.has(connector.uid)) await letGo(evm, connector)
    throw new ConnectError({ details: 'The wallet answered after the attempt was given up.' })
  }
  const { accounts, chainId } = await ask(evm, connector, network)
  await givenUp()
  const answer = { connector, accounts, chainId }
  if (accounts.length === 0)
    throw new ConnectError({ details: `${connector.name} showed no account.` })
  if (!network || Number(network.id) === chainId) return answer
  try {
    await switchWallet(connector, network)
    answer.chainId = Number(network.id)
  } catch (error) {
    if (error instanceof UserRejectedError) {
      await letGo(evm, connector)
      throw error
    }
    // Connected all the same; the site says that the network is another one.
    answer.chainId = await connector.getChainId()
  }
  await givenUp()
  return answer
}

/** Asks for accounts; joins the question that the wallet may still show from an earlier attempt. */
function ask(evm: Evm, connector: WagmiConnector, network: Network | undefined): Answered {
  const { asked } = evm
  const { uid } = connector
  const earlier = asked.get(uid)
  // Wallets of the browser are switched by us, with a look at what they then do.
  const chainId = network && connector.type !== 'injected' ? Number(network.id) : undefined
  const fresh = connector.connect({ chainId }) as Answered
  const answer = earlier
    ? Promise.race([
        fresh.catch((error: unknown) =>
          hasCode(error, alreadyAsking) ? earlier : Promise.reject(error),
        ),
        earlier.catch(() => new Promise<never>(() => {})),
      ])
    : fresh
  asked.set(uid, answer)
  const settled = () => {
    if (asked.get(uid) === answer) asked.delete(uid)
  }
  answer.then(settled, () => {
    settled()
    if (!evm.attempts.has(uid)) listen(evm, connector)
  })
  return answer
}

/** Undoes what a wallet has granted to an attempt that nobody waits for. */
async function letGo(evm: Evm, connector: WagmiConnector): Promise<void> {
  // A newer attempt has made use of it.
  if (evm.config.state.connections.has(connector.uid)) return
  // A wallet that cannot be told keeps its grant; the site does not use it.
  await connector.disconnect().catch(() => {})
  listen(evm, connector)
}

/** Lets the wallet connect by itself again, as wagmi has it: from the wallet's own window. */
function listen({ config }: Evm, { emitter, uid }: WagmiConnector): void {
  if (config.state.connections.has(uid)) return
  emitter.off('connect', handlersOf(config).connect)
  emitter.on('connect', handlersOf(config).connect)
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abort = () =>
      reject(
        signal.reason instanceof BaseError
          ? signal.reason
          : new ConnectError({ cause: signal.reason, details: 'The attempt was given up.' }),
      )
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
}
