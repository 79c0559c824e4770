import { BaseError } from '@gatefold/protocol'

import type { Session } from '../../../core/connection/Session.ts'
import { AlreadyConnectedError, ConnectError, UserRejectedError } from '../../../core/kit/errors.ts'
import type { Network } from '../../../core/networks/Network.ts'
import { findConnection } from '../context.ts'
import { handlersOf } from './lookups.ts'
import type { WalletAccounts, AccountsRequest, Attempt, Evm, WagmiConnector } from '../context.ts'
import { hasCode, isRejection } from '../failure.ts'
import { adopt } from './adopt.ts'
import { toSession } from './toSession.ts'

/** JSON-RPC “resource unavailable”: the wallet is already showing this request. */
const alreadyPending = -32002

/**
 * Requests a wallet's accounts, then a switch to `network`.
 *
 * If the wallet approves after the attempt was aborted, the permission is revoked, unless a newer
 * attempt with the same wallet uses it. A superseded attempt settles like the newer one.
 *
 * @throws {UserRejectedError} the visitor declined the connection or the network
 * @throws {AlreadyConnectedError}
 * @throws {ConnectError} any other failure
 * @see spec §4.15, §5.6.5, §5.6.7, §8.11.4; docs/threats.md
 */
export async function connect(evm: Evm, parameters: connect.Parameters): Promise<Session> {
  const { config, attempts } = evm
  const { connectorId } = parameters
  const connector = config.connectors.find(({ id }) => id === connectorId)
  if (!connector)
    throw new ConnectError({ details: `No EVM connector with the id ${connectorId}.` })
  if (findConnection(evm, connectorId)) throw new AlreadyConnectedError(connector.name)

  const attempt: Attempt = { result: undefined }
  attempts.set(connector.uid, attempt)
  // While a request is pending, the wallet's own events must not connect it: the attempt may abort.
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
): Promise<Session> {
  const { config, attempts } = evm
  const { uid } = connector
  const isCurrent = () => attempts.get(uid) === attempt
  try {
    const request = connectAndSwitch(evm, connector, { network, isCurrent: isCurrent })
    const answer = await (signal ? Promise.race([request, rejectOnAbort(signal)]) : request)
    if (!isCurrent()) throw new ConnectError({ details: 'A newer attempt replaced this one.' })
    attempts.delete(uid)
    adopt(config, answer, { active: true })
    return toSession(evm, answer)
  } catch (error) {
    const newer = attempts.get(uid)
    if (newer?.result && newer !== attempt && !signal?.aborted) return newer.result
    const superseding = newer ? undefined : findConnection(evm, connectorId)
    if (superseding && !signal?.aborted) return toSession(evm, superseding as WalletAccounts)

    if (newer === attempt) {
      attempts.delete(uid)
      if (!evm.accountRequests.has(uid)) acceptWalletEvents(evm, connector)
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

async function connectAndSwitch(
  evm: Evm,
  connector: WagmiConnector,
  options: { network: Network | undefined; isCurrent: () => boolean },
): Promise<WalletAccounts> {
  const { network, isCurrent } = options
  const checkAborted = async () => {
    if (isCurrent()) return
    if (!evm.attempts.has(connector.uid)) await revoke(evm, connector)
    throw new ConnectError({ details: 'The wallet responded after the attempt was aborted.' })
  }
  // Loaded while the visitor decides; most wallets need no switch.
  const loadingSwitch = network && import('../switchNetwork.ts')
  loadingSwitch?.catch(() => {}) // the switch fails below
  const { accounts, chainId } = await requestAccounts(evm, connector, network)
  await checkAborted()
  const answer = { connector, accounts, chainId }
  if (accounts.length === 0)
    throw new ConnectError({ details: `${connector.name} shared no account.` })
  if (!network || !loadingSwitch || Number(network.id) === chainId) return answer
  try {
    const { switchWallet } = await loadingSwitch
    await switchWallet(evm, connector, network)
    answer.chainId = Number(network.id)
  } catch (error) {
    if (error instanceof UserRejectedError) {
      await revoke(evm, connector)
      throw error
    }
    // The switch failed, so the wallet is connected on its current chain.
    answer.chainId = await connector.getChainId()
  }
  await checkAborted()
  return answer
}

/** Requests accounts; reuses the request of an earlier attempt if the wallet still shows it. */
function requestAccounts(
  evm: Evm,
  connector: WagmiConnector,
  network: Network | undefined,
): AccountsRequest {
  const { accountRequests } = evm
  const { uid } = connector
  const earlier = accountRequests.get(uid)
  // The adapter switches browser wallets itself and verifies the result.
  const chainId = network && connector.type !== 'injected' ? Number(network.id) : undefined
  const newRequest = connector.connect({ chainId }) as AccountsRequest
  const answer = earlier
    ? Promise.race([
        newRequest.catch((error: unknown) =>
          hasCode(error, alreadyPending) ? earlier : Promise.reject(error),
        ),
        earlier.catch(() => new Promise<never>(() => {})),
      ])
    : newRequest
  accountRequests.set(uid, answer)
  const settled = () => {
    if (accountRequests.get(uid) === answer) accountRequests.delete(uid)
  }
  answer.then(settled, () => {
    settled()
    if (!evm.attempts.has(uid)) acceptWalletEvents(evm, connector)
  })
  return answer
}

/** Revokes the permission that a wallet granted to an aborted or failed attempt. */
async function revoke(evm: Evm, connector: WagmiConnector): Promise<void> {
  // A newer attempt has connected and uses the permission.
  if (evm.config.state.connections.has(connector.uid)) return
  // If the wallet cannot revoke the permission, it remains, but the site does not use it.
  await connector.disconnect().catch(() => {})
  acceptWalletEvents(evm, connector)
}

/** Reattaches wagmi's handler, which accepts connections that the visitor starts in the wallet's own window. */
function acceptWalletEvents({ config }: Evm, { emitter, uid }: WagmiConnector): void {
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
          : new ConnectError({ cause: signal.reason, details: 'The attempt was aborted.' }),
      )
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
}
