import type { HttpContext } from '../http/access.ts'
import { refuse } from './answers.ts'

/**
 * Refuses what a browser says another site's page sends: only this service's own pages send here.
 *
 * @see W3C Fetch Metadata, `Sec-Fetch-Site`
 */
export function refuseOtherSites(c: HttpContext): Response | undefined {
  const site = c.req.header('sec-fetch-site')
  if (site === undefined || site === 'same-origin') return undefined
  return refuse(403, { field: 'origin', description: 'only the page of this service sends here' })
}
