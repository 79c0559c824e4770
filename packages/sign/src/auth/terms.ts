import { splitDidPkh } from '@gatefold/protocol'
import type { AuthPayload, Cacao } from '../Session.ts'
import { unique } from '../namespaces.ts'
import { findInvalidField, parseTime } from './fields.ts'
import { chainsOfRecap, findRecap, formatRecapStatement } from './recap.ts'

/** Tolerated difference between the clocks of app and wallet, in ms. */
const skewMs = 5 * 60_000

/**
 * Compares a signed authorization with the request.
 *
 * @param nowMs - Unix time in ms
 * @returns the first field that differs from the request or is out of date; undefined if there is none
 * @see docs/contracts/relay.md#client-methods
 */
export function findUnmetTerm(
  { p }: Cacao,
  requested: AuthPayload,
  nowMs: number,
): keyof Cacao['p'] | undefined {
  const invalid = findInvalidField(p)
  if (invalid) return invalid
  for (const field of ['domain', 'nonce', 'aud', 'version', 'exp', 'nbf', 'requestId'] as const)
    if ((p[field] || undefined) !== (requested[field] || undefined)) return field
  const chains = grantedChains(p)
  if (!chains?.every((chain) => requested.chains.includes(chain))) return 'iss'
  if (!areRequestedResources(p.resources, requested.resources)) return 'resources'
  const recap = findRecap(p.resources)
  const statements = [
    requested.statement,
    recap && formatRecapStatement(requested.statement, recap),
  ]
  if (!statements.some((statement = '') => statement === (p.statement ?? ''))) return 'statement'
  const issuedAt = parseTime(p.iat)
  if (issuedAt > nowMs + skewMs) return 'iat'
  if (issuedAt < parseTime(requested.iat) - skewMs) return 'iat'
  if (p.exp && parseTime(p.exp) <= nowMs) return 'exp'
  if (p.nbf && parseTime(p.nbf) > nowMs + skewMs) return 'nbf'
  return undefined
}

/** The chains that an authorization grants: the account's and the ReCap's. @returns undefined for an invalid issuer */
export function grantedChains({ iss, resources }: Cacao['p']): string[] | undefined {
  const account = splitDidPkh(iss)
  if (!account) return undefined
  const recap = findRecap(resources)
  return unique([
    `${account.namespace}:${account.reference}`,
    ...(recap ? chainsOfRecap(recap) : []),
  ])
}

/** The last resource may be a ReCap with fewer abilities than requested. All other resources must be equal. */
function areRequestedResources(
  signed: readonly string[] = [],
  requested: readonly string[] = [],
): boolean {
  if (signed.length !== requested.length) return false
  if (signed.every((resource, index) => resource === requested[index])) return true
  if (signed.slice(0, -1).some((resource, index) => resource !== requested[index])) return false
  const [granted, wanted] = [findRecap(signed), findRecap(requested)]
  if (!granted || !wanted) return false
  return Object.entries(granted.att).every(([resource, abilities]) =>
    Object.keys(abilities).every((ability) => Object.hasOwn(wanted.att[resource] ?? {}, ability)),
  )
}
