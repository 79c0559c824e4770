import type { HttpContext } from '../http/access.ts'
import { refuse } from './answers.ts'

/**
 * Refuses requests that a browser marks as sent from another origin. Only the service's own pages may send them.
 *
 * @see W3C Fetch Metadata, `Sec-Fetch-Site`
 */
export function refuseOtherSites(c: HttpContext): Response | undefined {
  const site = c.req.header('sec-fetch-site')
  if (site === undefined || site === 'same-origin') return undefined
  return refuse(403, { field: 'origin', description: 'only pages of this service may send here' })
}
