import { limits } from '@gatefold/protocol'

import { alertUnauthorized } from '../notifications/unauthorizedAlert.ts'
import { isOffline } from '../platform/isOffline.ts'
import { GatewayError } from '../kit/requestErrors.ts'
import { resolveFeatures } from './resolveFeatures.ts'
import type { KitInstance } from '../kit/Kit.ts'

/**
 * Loads the feature configuration from the gateway, unless it is loaded or loading. If the request fails,
 * the site's options apply and the next call retries.
 *
 * @see spec §6.4, §5.6.1, §7.7.2, §8.2
 */
export async function loadRemoteConfig(kit: KitInstance): Promise<void> {
  const { endpoints, features: local, basic, projectId } = kit.options
  const { server } = kit.getState()
  if (server === 'loading' || server === 'ready') return
  const setResult = (
    status: 'unused' | 'ready' | 'failed',
    remote?: Parameters<typeof resolveFeatures>[0]['remote'],
  ) => {
    const { features, overridden } = resolveFeatures({ local, remote, basic })
    kit.dispatch({ type: 'features.resolved', features, server: status })
    if (overridden.length > 0)
      kit.alert('LOCAL_CONFIGURATION_IGNORED', { features: overridden.join(', ') })
  }
  if (!endpoints.gateway) return setResult('unused')

  kit.dispatch({ type: 'server.loading' })
  const gateway = await kit.gateway()
  if (!gateway) return setResult('unused')
  try {
    const remote = await gateway.config()
    setResult('ready', remote ?? undefined)
    if (!projectId) kit.alert('PROJECT_ID_NOT_NEEDED')
  } catch (error) {
    setResult('failed')
    alertOf(kit, error)
    return
  }
  kit.track({
    event: 'INITIALIZE',
    properties: {
      networks: kit.getState().networks.map(({ caipNetworkId }) => caipNetworkId),
      version: limits.sdkVersion,
    },
  })
}

/** Raises the alert that names the cause of a failed request. @see spec §8.2.2, §8.8 */
function alertOf(kit: KitInstance, error: unknown): void {
  if (!(error instanceof GatewayError)) return
  const { status, field, shortMessage: message } = error
  if (status === undefined) {
    // While the visitor is offline, the server is not the cause.
    if (!isOffline()) kit.alert('SERVER_UNREACHABLE')
  } else if (status === 429) kit.alert('RATE_LIMITED_APP_CONFIGURATION')
  else if (status >= 500) kit.alert('SERVER_ERROR_APP_CONFIGURATION', { message })
  else if (status === 401 || status === 403)
    alertUnauthorized(kit, message, { field, otherwise: 'ORIGIN_NOT_ALLOWED' })
  else kit.alert('NOT_A_SERVER', { message })
}
