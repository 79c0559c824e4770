import { splitDidPkh } from '@gatefold/protocol'
import type { AuthPayload, Cacao } from '../Session.ts'
import { chainsOfRecap, findRecap } from './recap.ts'

/** Accepted difference between the clocks of both sides, in ms. */
const skewMs = 5 * 60_000

/**
 * Compares a signed authorization with the request.
 *
 * @param nowMs - Unix time in ms
 * @returns the first field that differs or is out of date; undefined if all match
 * @see docs/contracts/relay.md#client-methods
 */
export function findUnmetTerm(
  { p }: Cacao,
  requested: AuthPayload,
  nowMs: number,
): keyof Cacao['p'] | undefined {
  for (const field of ['domain', 'nonce', 'aud', 'version', 'exp', 'nbf', 'requestId'] as const)
    if ((p[field] || undefined) !== (requested[field] || undefined)) return field
  const account = splitDidPkh(p.iss)
  if (!account) return 'iss'
  const chain = `${account.namespace}:${account.reference}`
  const recap = findRecap(p.resources)
  if (![chain, ...(recap ? chainsOfRecap(recap) : [])].every((it) => requested.chains.includes(it)))
    return 'iss'
  const issuedAt = Date.parse(p.iat)
  if (Number.isNaN(issuedAt) || issuedAt > nowMs + skewMs) return 'iat'
  if (issuedAt < Date.parse(requested.iat) - skewMs) return 'iat'
  if (p.exp && !(Date.parse(p.exp) > nowMs)) return 'exp'
  if (p.nbf && !(Date.parse(p.nbf) <= nowMs + skewMs)) return 'nbf'
  return undefined
}
