import { defaultOrigins, isOriginAllowed, localOrigins } from '@gatefold/protocol/gateway'
import type { Project } from '../storage/projects.ts'

/** Origins that are attested for a project: its domains with their subdomains, and local pages. */
function verifiedOrigins({ domains }: Project): string[] {
  return [
    ...localOrigins,
    ...domains.flatMap((domain) => [`https://${domain}`, `https://*.${domain}`]),
  ]
}

/** Whether an origin is attested for the project. */
export function isVerifiedOrigin(project: Project, origin: string): boolean {
  return isOriginAllowed(origin, verifiedOrigins(project))
}

/**
 * Origins that may frame the attestation page: those attested for the project, and those it allows.
 * Pages of the latter get an unverified attestation; without one, official clients would wait 5 s for
 * each message.
 */
export function attestationAncestors(project: Project): string {
  return toSources([
    ...verifiedOrigins(project),
    ...project.allowedOrigins,
    ...(project.defaultOrigins ? defaultOrigins : []),
  ])
}

/**
 * Origins that may frame the enclave: those attested for the project. It answers no others.
 *
 * @see docs/contracts/verify.md#enclave
 */
export function enclaveAncestors(project: Project): string {
  return toSources(verifiedOrigins(project))
}

function toSources(origins: readonly string[]): string {
  return [...new Set(origins.flatMap((origin) => toSource(origin) ?? []))].join(' ')
}

/** An entry of an origin list as a CSP source; `undefined` if it could end the directive. */
function toSource(entry: string): string | undefined {
  if (entry === '*') return entry
  const [, scheme = 'https://', host] =
    /^([a-z][a-z0-9+.-]*:\/\/)?([a-z0-9*_.-]+(?::(?:\d+|\*))?)(?:\/|$)/i.exec(entry) ?? []
  return host && `${scheme}${host}`.toLowerCase()
}
