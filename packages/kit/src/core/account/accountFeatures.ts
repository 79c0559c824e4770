import { limits } from '@gatefold/protocol'
import type { ChainNamespace } from '@gatefold/protocol'

import { featureNamespaces } from '../../data/featureNamespaces.ts'
import type { WalletFeature } from '../features/features.ts'
import type { State } from '../kit/state.ts'

export type AccountFeature = {
  name: WalletFeature | 'activity'
  /** The view that the action opens. The caller omits the action if this version does not have the view. */
  view: string
}

const viewOf: Record<AccountFeature['name'], string> = {
  onramp: 'OnRampProviders',
  swaps: 'Swap',
  send: 'WalletSend',
  receive: 'WalletReceive',
  activity: 'Transactions',
}

/**
 * The actions of the account view: enabled features that the chain family supports, in the configured
 * order, with activity last.
 *
 * @param parameters.hasGateway - without one, the features that need it are not shown
 * @param parameters.order - features that it omits are not shown, except activity
 * @param parameters.send - whether sending is enabled
 * @param parameters.receive - whether receiving is enabled; off in the view
 *   without tokens, because wallets provide it
 * @see spec §9.7.3, §2.13.2; docs/views.md#account
 */
export function accountFeatures(parameters: {
  features: State['features']
  namespace: ChainNamespace.ChainNamespace
  hasGateway: boolean
  order?: readonly WalletFeature[] | undefined
  send?: boolean | undefined
  receive?: boolean | undefined
}): readonly AccountFeature[] {
  const { features, namespace, hasGateway, send = true, receive = true } = parameters
  const { order = limits.defaultWalletFeatures } = parameters
  const on = {
    onramp: hasGateway && Boolean(features.onramp),
    swaps: hasGateway && Boolean(features.swaps),
    send,
    receive,
    activity: hasGateway && features.activity,
  }
  return [...order, 'activity' as const]
    .filter((name) => on[name] && featureNamespaces[name].includes(namespace))
    .map((name) => ({ name, view: viewOf[name] }))
}
