import { checkView } from '#checks'

import { getAccount, isConnected } from '../connection/account.ts'
import { ModalClosedError } from '../kit/kitErrors.ts'
import type { ConnectedAccount, KitInstance, OpenParameters } from '../kit/Kit.ts'
import { entryToOpen } from './view.ts'
import type { ViewEntry } from './view.ts'
import { isMobile } from '../platform/isMobile.ts'

/**
 * Opens the modal. See `Kit.open`. In development, rejects with an `OptionsError` if there is no view with this name.
 *
 * @see spec §2.6, §4.3.1
 */
export function open(kit: KitInstance, parameters: OpenParameters = {}): Promise<ConnectedAccount> {
  try {
    checkView(parameters.view)
  } catch (error) {
    return Promise.reject(error)
  }
  const state = kit.getState()
  const { namespace } = parameters
  const connected = isConnected(state)
  kit.track({ event: 'MODAL_OPEN', properties: { connected } })

  const requested = parameters.view
    ? ({ name: parameters.view, data: parameters.data } as ViewEntry)
    : undefined
  const target =
    namespace === state.namespace
      ? undefined
      : state.networks.find(({ chainNamespace }) => chainNamespace === namespace)
  const entry = entryToOpen({
    requested,
    connected: Boolean(getAccount(state, namespace)),
    hasAdapters: kit.adapters.size > 0,
    manualWalletConnect: Boolean(kit.options.manualWCControl),
    mobile: isMobile(),
  })

  const promise = new Promise<ConnectedAccount>((resolve, reject) => {
    kit.waiters.add({ connected, resolve, reject })
  })
  // Most callers do not await the result; closing the modal must not cause an unhandled rejection.
  promise.catch(() => {})
  kit.dispatch({ type: 'view.opened', entry, namespace })
  if (parameters.uri)
    kit.dispatch({
      type: 'attempt.changed',
      attempt: {
        id: 0,
        connectorId: undefined,
        namespace,
        status: 'waiting',
        progress: { type: 'uri', uri: parameters.uri, expiresAt: Infinity },
      },
    })
  // SwitchNetwork requests the switch. The view to open is below it in the history.
  if (target)
    kit.dispatch({
      type: 'view.pushed',
      entry: { name: 'SwitchNetwork', data: { network: target } },
    })
  return promise
}

/** Settles pending `open` calls whose outcome is in the state. Called after every transition. */
export function settleOpen(kit: KitInstance): void {
  const state = kit.getState()
  const account = getAccount(state)
  const connected = account && state.chains[account.namespace]?.status === 'connected'
  const closed = !state.view.open
  for (const waiter of kit.waiters) {
    if (account && connected && (closed || !waiter.connected)) waiter.resolve(account)
    else if (closed) waiter.reject(new ModalClosedError())
    else continue
    kit.waiters.delete(waiter)
  }
}
