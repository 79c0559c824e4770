import { RevokeBody } from '@gatefold/protocol/gateway'
import * as v from 'valibot'
import type { MoneyContext } from './context.ts'
import { handleBody, handleQuery, json, RefusedError } from './requests.ts'

/** Maximum size of a request to revoke a permission, in bytes. */
const maxBodyBytes = 8 * 1024

/**
 * `GET /v1/sessions/{address}`: the permissions that an account has granted to
 * sites. This server does not support permissions, so the list is empty.
 *
 * @see docs/contracts/gateway.md#account-and-money; spec §7.8.19
 */
export function getSessions(context: MoneyContext) {
  return handleQuery(context, v.object({}), async () => json({ pcis: [] }))
}

/** `POST /v1/sessions/{address}/revoke`: refuses every id, because no permission exists. @see spec §7.8.20 */
export function postRevoke(context: MoneyContext) {
  return handleBody(context, RevokeBody, maxBodyBytes, async () => {
    throw new RefusedError('pci', 'there is no permission with this id')
  })
}
