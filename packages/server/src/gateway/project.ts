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

/** `GET /appkit/v1/config`. @see docs/contracts/gateway.md#remote-features; spec §7.2 */
export function getConfig(context: GatewayContext) {
  return forProject(
    context,
    (project) => ({ features: toFeatures(project) }) satisfies ConfigResponse,
  )
}

/**
 * `GET /projects/v1/origins`. Accepts requests from every origin, because clients compare the list with their
 * page's origin and report a mismatch to the developer.
 *
 * @see docs/contracts/gateway.md#origins; spec §7.3, §8.2.2
 */
export function getOrigins(context: GatewayContext) {
  return forProject(
    context,
    ({ allowedOrigins }) => ({ allowedOrigins }) satisfies OriginsResponse,
    {},
  )
}

/** `GET /getAnalyticsConfig`. @see docs/contracts/gateway.md#analytics; spec §7.6 */
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
 * `GET /appkit/v1/project-limits`. The gateway has no plans, so no plan limit is exceeded.
 * Clients disable views only for the tier `starter`.
 *
 * @see docs/contracts/gateway.md#analytics
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
