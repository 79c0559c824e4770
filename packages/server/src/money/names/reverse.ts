import { EvmAddress, ProfileQuery } from '@gatefold/protocol/gateway'
import * as v from 'valibot'
import { listNames, type Name } from '../../storage/names.ts'
import type { Project } from '../../storage/projects.ts'
import { stored } from '../../storage/stored.ts'
import type { MoneyContext } from '../context.ts'
import { handleQuery, json, refuse, RefusedError } from '../requests.ts'
import { toResponse } from './toResponse.ts'
import { readZones } from './zones.ts'

/**
 * `GET /v1/profile/reverse/{address}`: the names of an account, the primary one first. Without `apiVersion=2`, an
 * account without a name is a 404.
 *
 * @see docs/contracts/gateway.md#names; spec §7.9
 */
export function getReverse(context: MoneyContext) {
  return handleQuery(context, ProfileQuery, async ({ apiVersion }, c, project) => {
    const address = c.req.param('address') ?? ''
    if (!v.is(EvmAddress, address)) throw new RefusedError('address', 'address is not an account')
    const names = await findNames(context, project, address)
    if (names.length === 0 && apiVersion !== '2')
      return refuse(404, { field: 'address', description: 'the account has no name' })
    return json(names.map(toResponse))
  })
}

/**
 * The names that an account has registered and that resolve to it: those in the project's zone first, then those in the
 * shared zone.
 */
export async function findNames(
  context: MoneyContext,
  project: Project,
  address: string,
): Promise<Name[]> {
  const owner = address.toLowerCase()
  const { own, shared } = await readZones(context, project)
  const names = await stored(listNames(context.storage.db, owner, [own, shared]))
  const resolving = names.filter(({ addresses }) =>
    Object.values(addresses).some((it) => it.toLowerCase() === owner),
  )
  return resolving.toSorted((a, b) => Number(b.zone === own) - Number(a.zone === own))
}
