import { maxMoneyBodyBytes, RecordsBody, RecordsMessage } from '@gatefold/protocol/gateway'
import { getAddress, type Address } from 'viem'
import { findName, updateName } from '../../storage/names.ts'
import { stored } from '../../storage/stored.ts'
import type { MoneyContext } from '../context.ts'
import { handleBody, json, refuse, RefusedError } from '../requests.ts'
import { checkSignature } from './checkSignature.ts'
import { readMessage } from './message.ts'
import { toResponse } from './toResponse.ts'
import { parseName, readZones } from './zones.ts'

/**
 * `POST /v1/profile/records`: replaces the addresses or the attributes of a name, signed by its owner.
 *
 * @see docs/contracts/gateway.md#names; docs/threats.md#replayed-registrations
 */
export function postRecords(context: MoneyContext) {
  const { db } = context.storage
  return handleBody(context, RecordsBody, maxMoneyBodyBytes, async (body, c, project) => {
    const message = readMessage(context, RecordsMessage, body.message)
    const { name } = parseName(message.name, await readZones(context, project))
    const found = await stored(findName(db, name))
    if (!found) return refuse(404, { field: 'name', description: `${name} is not registered` })
    const signer = await checkSignature(context, {
      c,
      project,
      address: found.owner as Address,
      message: body.message,
      signature: body.signature,
      chain: found.ownerChain,
    })
    if (signer instanceof Response) return signer

    const { attributes, timestamp: signedAt } = message
    const addresses =
      message.addresses &&
      Object.fromEntries(
        Object.entries(message.addresses).map(([coinType, address]) => [
          coinType,
          getAddress(address),
        ]),
      )
    const changes = { name, addresses, attributes, signedAt, updatedAt: context.now() }
    if (!(await stored(updateName(db, changes))))
      throw new RefusedError(
        'message',
        'message: timestamp must be later than that of the last change; sign again',
      )
    return json(toResponse((await stored(findName(db, name))) ?? found))
  })
}
