import { ProfileQuery, type ZoneResponse } from '@gatefold/protocol/gateway'
import type { MoneyContext } from '../context.ts'
import { handleQuery, json } from '../requests.ts'
import { readZones } from './zones.ts'

/** `GET /v1/profile/zone`: the zone in which accounts register names on sites of the project. */
export function getZone(context: MoneyContext) {
  return handleQuery(context, ProfileQuery, async (_query, _c, project) => {
    const { own: zone } = await readZones(context, project)
    const body: ZoneResponse = { zone }
    return json(body)
  })
}
