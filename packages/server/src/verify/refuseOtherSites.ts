import type { GatewayRequest } from '../gateway/access.ts'
import { refuse } from '../gateway/answer.ts'

/**
 * Refuses what a browser says another site's page sends: only this service's own pages send here.
 *
 * @see W3C Fetch Metadata, `Sec-Fetch-Site`
 */
export function refuseOtherSites(c: GatewayRequest): Response | undefined {
  const site = c.req.header('sec-fetch-site')
  if (site === undefined || site === 'same-origin') return undefined
  return refuse(403, { field: 'origin', description: 'only the page of this service sends here' })
}
