import { limits } from '@gatefold/protocol'
import {
  etherCoinType,
  maxMoneyBodyBytes,
  officialZone,
  RegistrationBody,
  RegistrationMessage,
  toChainId,
} from '@gatefold/protocol/gateway'
import { getAddress } from 'viem'
import { addressOf, limit } from '../../http/access.ts'
import { findName, registerName } from '../../storage/names.ts'
import { stored } from '../../storage/stored.ts'
import type { MoneyContext } from '../context.ts'
import { handleBody, json, RefusedError } from '../requests.ts'
import { checkSignature } from './checkSignature.ts'
import { readMessage } from './message.ts'
import { isReserved } from './reserved.ts'
import { toResponse } from './toResponse.ts'
import { parseName, readZones } from './zones.ts'

/**
 * `POST /v1/profile/account`: registers a name for the account that signed the message.
 *
 * @see docs/contracts/gateway.md#names; docs/threats.md#names-of-others; spec §4.10.1, §5.4.1, §7.9
 */
export function postAccount(context: MoneyContext) {
  const { db } = context.storage
  return handleBody(
    context,
    RegistrationBody,
    maxMoneyBodyBytes,
    async (body, c, project) => {
      const message = readMessage(context, RegistrationMessage, body.message)
      const zones = await readZones(context, project)
      const { label, zone, name } = parseName(message.name, zones)
      if (zone !== zones.own && zone !== zones.shared)
        throw new RefusedError(
          'name',
          `name must end with the zone .${zones.own}, or with .${officialZone}`,
        )
      if (isReserved(label, zone))
        throw new RefusedError('name', `${name} is reserved`, 'name_reserved')
      const taken = new RefusedError('name', `${name} is already registered`, 'name_taken')
      if (await stored(findName(db, name))) throw taken

      const { address, signature, coin_type: coinType } = body
      const chain = `eip155:${toChainId(coinType)!}`
      const signed = { c, project, address, message: body.message, signature, chain }
      const signer = await checkSignature(context, signed)
      if (signer instanceof Response) return signer
      const limited = limit(context, 'names', addressOf(context, c), 1)
      if (limited) return limited

      // The same contract address on another chain may belong to someone else; the address of a key cannot.
      const isEther = signer === '' || signer === 'eip155:1'
      const coinTypes = isEther ? [etherCoinType, coinType] : [coinType]
      const now = context.now()
      const row = {
        name,
        zone,
        owner: address.toLowerCase(),
        ownerChain: signer,
        addresses: Object.fromEntries(coinTypes.map((it) => [it, getAddress(address)])),
        attributes: message.attributes,
        signedAt: message.timestamp,
        registeredAt: now,
      }
      const outcome = await stored(registerName(db, row))
      if (outcome === 'taken') throw taken
      if (outcome === 'full')
        throw new RefusedError(
          'address',
          `${address} already has ${limits.namesPerAccount} names, the maximum`,
          'too_many_names',
        )
      return json(toResponse({ ...row, updatedAt: now }))
    },
    { anyOriginByDefault: true },
  )
}
