import type { AlertCode } from './alerts.ts'

/** The alert for the message of an unauthorized response. @see spec §8.8.2 */
export function unauthorizedAlert(message: string): AlertCode | undefined {
  if (/JWT token is not yet valid|JWT.*not yet valid/i.test(message)) return 'JWT_TOKEN_NOT_VALID'
  if (/origin not allowed/i.test(message)) return 'ORIGIN_NOT_ALLOWED'
  if (/invalid (project )?key|project not found|unknown project/i.test(message))
    return 'INVALID_PROJECT_ID'
  return undefined
}
