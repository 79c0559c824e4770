import type { AlertCode } from './alerts.ts'
import type { KitInstance } from '../kit/Kit.ts'

/**
 * The alert for an unauthorized response.
 *
 * @param message - the server's message
 * @param field - the request field that it refused, if the server names one
 * @see spec §8.8.2
 */
export function unauthorizedAlert(message: string, field?: string): AlertCode | undefined {
  if (/JWT.*not yet valid/i.test(message)) return 'JWT_TOKEN_NOT_VALID'
  if (field === 'origin' || /origin not allowed/i.test(message)) return 'ORIGIN_NOT_ALLOWED'
  if (
    field === 'projectId' ||
    /invalid (project )?key|project not found|unknown project/i.test(message)
  )
    return 'INVALID_PROJECT_ID'
  return undefined
}

/** Raises the alert for an unauthorized response. If the site has no project id, the hint is to set one. */
export function alertUnauthorized(
  kit: KitInstance,
  message: string,
  options: { field?: string | undefined; otherwise: AlertCode },
): void {
  const code = unauthorizedAlert(message, options.field) ?? options.otherwise
  const isProject = code === 'ORIGIN_NOT_ALLOWED' || code === 'INVALID_PROJECT_ID'
  if (isProject && !kit.options.projectId) return kit.alert('PROJECT_ID_NOT_CONFIGURED')
  return kit.alert(code, isProject ? undefined : { message })
}
