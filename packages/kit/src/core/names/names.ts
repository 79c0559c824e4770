import type { NameResponse, ZoneResponse } from '@gatefold/protocol/gateway'

import { featureNamespaces } from '../../data/featureNamespaces.ts'
import { current } from '../account/balance.ts'
import type { FamilyParameters } from '../connection/account.ts'
import { instanceOf } from '../kit/Kit.ts'
import type { Kit } from '../kit/Kit.ts'
import { GatewayError } from '../kit/requestErrors.ts'
import { requireGateway } from '../money/fromGateway.ts'

/** The names of an account. */
export type AccountNames = {
  /** The zone in which the account can register names, such as `my-site.eth`; undefined if it cannot register any. */
  zone: string | undefined
  /** The account's registered names, the primary one first. */
  names: readonly string[]
}

/** The fields of a response, which are not validated yet. */
export type Loose<body> = { [key in keyof body]?: unknown }

/** Labels and zones without characters that could be mistaken for others. */
const plainName = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9-]+)+$/

/**
 * The names that the active account has registered, and the zone in which it can register more. Without a gateway that
 * has names, and for chain families other than EVM, there are neither names nor a zone.
 *
 * @throws {NotConnectedError} no wallet is connected
 * @throws {GatewayError} the gateway failed
 * @example const { zone, names } = await getNames(kit)
 */
export async function getNames(
  kit: Kit,
  parameters: getNames.Parameters = {},
): Promise<AccountNames> {
  const { account } = current(kit, parameters.namespace)
  const { signal } = parameters
  if (!featureNamespaces.names.includes(account.namespace)) return { zone: undefined, names: [] }
  const [zone, names] = await Promise.all([
    getZone(kit, signal),
    getNamesOf(kit, account.address, signal),
  ])
  return zone ? { zone, names } : { zone: undefined, names: [] }
}

export declare namespace getNames {
  /** Whose names. */
  type Parameters = FamilyParameters & {
    /** Aborts the requests. */
    signal?: AbortSignal | undefined
  }
}

/** The zone of the site's project; undefined if the gateway has no names. @throws {GatewayError} it failed */
export async function getZone(kit: Kit, signal?: AbortSignal): Promise<string | undefined> {
  if (!instanceOf(kit).options.endpoints.gateway) return undefined
  try {
    const { zone }: Loose<ZoneResponse> = await requestNames(
      kit,
      'zone',
      { signal },
      'Error resolving name',
    )
    if (typeof zone !== 'string' || !isName(`label.${zone}`))
      throw new GatewayError('The gateway sent no zone.')
    return zone
  } catch (error) {
    // Other gateways with this contract may lack this path.
    if (error instanceof GatewayError && error.status === 404) return undefined
    throw error
  }
}

/** The names that an account has registered, the primary one first. @throws {GatewayError} the gateway failed */
export async function getNamesOf(
  kit: Kit,
  address: string,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  if (!instanceOf(kit).options.endpoints.gateway) return []
  try {
    const body: unknown = await requestNames(
      kit,
      `reverse/${encodeURIComponent(address)}`,
      { query: { apiVersion: '2' }, signal },
      'Error fetching names for address',
    )
    if (!Array.isArray(body)) throw new GatewayError('The gateway sent a malformed list of names.')
    return body.flatMap((item: Loose<NameResponse> | null) =>
      isName(item?.name) ? [item.name] : [],
    )
  } catch (error) {
    if (error instanceof GatewayError && error.status === 404) return []
    throw error
  }
}

/** Whether a value is a name with its zone, in lower case. */
export function isName(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 253 && plainName.test(value)
}

/**
 * Sends a request of `/v1/profile`.
 *
 * @param fallback - the error's message if the gateway gives no reason
 * @throws {GatewayError} there is no gateway, or it failed
 * @see spec §8.5.1
 */
export async function requestNames(
  kit: Kit,
  path: string,
  options: {
    query?: Record<string, string>
    body?: Record<string, unknown>
    signal?: AbortSignal | undefined
  },
  fallback: string,
): Promise<Record<string, unknown>> {
  const gateway = await requireGateway(kit)
  try {
    return await gateway.request(`/v1/profile/${path}`, options)
  } catch (error) {
    if (!(error instanceof GatewayError) || error.field !== undefined) throw error
    const { status } = error
    throw new GatewayError(fallback, { ...(status && { status }), cause: error })
  }
}
