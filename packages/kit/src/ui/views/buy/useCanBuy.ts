import { getNetwork } from '../../../core/connection/account.ts'
import { GatewayError } from '../../../core/kit/requestErrors.ts'
import { featureNamespaces } from '../../../data/featureNamespaces.ts'
import { useInstance, useKitState } from '../../../react/context.ts'
import { useKitOnramp } from '../../../react/onrampOptions.ts'

/**
 * Whether the gateway's providers sell tokens on the active network. While they load, the answer is yes, unless it is about
 * one token: a button that appeared later would move the others. A failed request counts as yes too, because the view then
 * shows the error and can request again.
 *
 * @param tokenId - only this token (see `Token`)
 */
export function useCanBuy(tokenId?: string): boolean {
  const kit = useInstance()
  const network = useKitState((state) => getNetwork(state))
  const isOn = useKitState(
    ({ features, namespace }) =>
      Boolean(features.onramp) && featureNamespaces.onramp.includes(namespace),
  )
  const enabled = isOn && Boolean(kit.options.endpoints.gateway)
  const { data, error, isError } = useKitOnramp({ enabled })
  if (!enabled || !network) return false
  if (!data && !isError) return tokenId === undefined
  // A gateway without the role `money` has no such endpoint.
  if (!data) return isError && !(error instanceof GatewayError && error.status === 404)
  return data.tokens.some(
    (token) =>
      token.network.caipNetworkId === network.caipNetworkId &&
      (tokenId === undefined || token.id.toLowerCase() === tokenId.toLowerCase()),
  )
}
