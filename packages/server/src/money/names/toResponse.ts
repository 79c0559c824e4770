import type { NameResponse } from '@gatefold/protocol/gateway'
import type { Name } from '../../storage/names.ts'

/** A name as clients read it. The first address is that of the lowest coin type: official clients resolve to it. */
export function toResponse(name: Name): NameResponse {
  return {
    name: name.name,
    addresses: Object.fromEntries(
      Object.entries(name.addresses).map(([coinType, address]) => [coinType, { address }]),
    ),
    attributes: name.attributes,
    registered_at: new Date(name.registeredAt).toISOString(),
    updated_at: new Date(name.updatedAt).toISOString(),
  }
}
