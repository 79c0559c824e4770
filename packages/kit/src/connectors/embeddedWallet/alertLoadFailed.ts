import { defaultOrigins, isOriginAllowed } from '@gatefold/protocol/gateway'

import type { ConnectorContext } from '../../core/connection/Connector.ts'
import { GatewayError } from '../../core/kit/requestErrors.ts'

/**
 * Alerts the developer that the frame did not load. A browser does not report that it blocked a frame whose project does
 * not allow the page, so the page compares its origin with those that the gateway lists.
 *
 * @see docs/contracts/gateway.md#origins; spec §8.8.1
 */
export async function alertLoadFailed(context: ConnectorContext): Promise<void> {
  const allowed = await readOrigins(context)
  const isBlocked = allowed && !isOriginAllowed(location.origin, [...allowed, ...defaultOrigins])
  context.emit({
    type: 'alert',
    code: !isBlocked
      ? 'IFRAME_LOAD_FAILED'
      : context.options.projectId
        ? 'UNVERIFIED_DOMAIN'
        : 'PROJECT_ID_NOT_CONFIGURED',
  })
}

/** @returns an empty list if the gateway refuses the request; undefined if there is no gateway, or if it failed */
async function readOrigins(context: ConnectorContext): Promise<readonly string[] | undefined> {
  try {
    return await (await context.gateway())?.origins()
  } catch (error) {
    const { status = 0 } = error instanceof GatewayError ? error : {}
    return status >= 400 && status < 500 && status !== 429 ? [] : undefined
  }
}
