import type {
  AnalyticsConfigResponse,
  ConfigResponse,
  OriginsResponse,
  ProjectLimitsResponse,
} from '@gatefold/protocol/gateway'
import { toFeatures, type Project } from '../storage/projects.ts'
import { enter, type Access, type HttpContext } from '../http/access.ts'
import { json } from './answers.ts'
import type { GatewayContext } from './context.ts'

/** `GET /appkit/v1/config`. @see contract of the gateway, 3.3; spec §7.2 */
export function getConfig(context: GatewayContext) {
  return forProject(
    context,
    (project) => ({ features: toFeatures(project) }) satisfies ConfigResponse,
  )
}

/**
 * `GET /projects/v1/origins`. It is the question whether a page may use the project, so a page
 * that may not is answered too: its client compares, and tells the developer.
 *
 * @see contract of the gateway, 3.4; spec §7.3, §8.2.2
 */
export function getOrigins(context: GatewayContext) {
  return forProject(
    context,
    ({ allowedOrigins }) => ({ allowedOrigins }) satisfies OriginsResponse,
    {},
  )
}

/** `GET /getAnalyticsConfig`. @see contract of the gateway, 3.5; spec §7.6 */
export function getAnalyticsConfig(context: GatewayContext) {
  return forProject(
    context,
    ({ analytics }) =>
      ({
        isAnalyticsEnabled: analytics && context.config.analytics,
      }) satisfies AnalyticsConfigResponse,
  )
}

/**
 * `GET /appkit/v1/project-limits`. Nothing is metered: no limit is ever reached, and the tier is
 * not the one whose limits disable a client's views.
 *
 * @see contract of the gateway, 3.6
 */
export function getProjectLimits(context: GatewayContext) {
  return forProject(
    context,
    () =>
      ({
        planLimits: { tier: 'enterprise', isAboveRpcLimit: false, isAboveMauLimit: false },
      }) satisfies ProjectLimitsResponse,
  )
}

function forProject(
  context: GatewayContext,
  answer: (project: Project) => object,
  access?: Access,
) {
  return async (c: HttpContext) => {
    const project = await enter(context, c, access)
    return project instanceof Response ? project : json(answer(project))
  }
}
