import type { AuthPayload, Cacao } from '../Session.ts'
import { chainsOfRecap, findRecap } from './recap.ts'

/** How far apart the clocks of both sides may be, in ms. */
const skewMs = 5 * 60_000

/**
 * Which field of a signed authorization is not what was asked; undefined when all are.
 *
 * @param nowMs - Unix time in ms
 * @see contract of the relay, 4.2, end
 */
export function findUnmetTerm(
  { p }: Cacao,
  asked: AuthPayload,
  nowMs: number,
): keyof Cacao['p'] | undefined {
  for (const field of ['domain', 'nonce', 'aud', 'version', 'exp', 'nbf', 'requestId'] as const)
    if ((p[field] || undefined) !== (asked[field] || undefined)) return field
  const chain = p.iss.split(':').slice(2, 4).join(':')
  const recap = findRecap(p.resources)
  if (![chain, ...(recap ? chainsOfRecap(recap) : [])].every((it) => asked.chains.includes(it)))
    return 'iss'
  const issuedAt = Date.parse(p.iat)
  if (Number.isNaN(issuedAt) || issuedAt > nowMs + skewMs) return 'iat'
  if (issuedAt < Date.parse(asked.iat) - skewMs) return 'iat'
  if (p.exp && !(Date.parse(p.exp) > nowMs)) return 'exp'
  if (p.nbf && !(Date.parse(p.nbf) <= nowMs + skewMs)) return 'nbf'
  return undefined
}
