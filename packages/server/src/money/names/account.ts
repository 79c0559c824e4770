import { ProfileQuery } from '@gatefold/protocol/gateway'
import { findName } from '../../storage/names.ts'
import { stored } from '../../storage/stored.ts'
import type { MoneyContext } from '../context.ts'
import { handleQuery, json, refuse } from '../requests.ts'
import { toResponse } from './toResponse.ts'
import { parseName, readZones } from './zones.ts'

/**
 * `GET /v1/profile/account/{name}`: a registered name. Official clients
 * interpret any success as "registered", so the response for a free name is a
 * 404.
 *
 * @see docs/contracts/gateway.md#names; spec §7.9
 */
export function getAccount(context: MoneyContext) {
  return handleQuery(context, ProfileQuery, async (_query, c, project) => {
    const { name } = parseName(c.req.param('name') ?? '', await readZones(context, project))
    const found = await stored(findName(context.storage.db, name))
    if (found) return json(toResponse(found))
    return refuse(404, { field: 'name', description: `${name} is not registered` })
  })
}
