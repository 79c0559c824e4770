import { defaultOrigins, isOriginAllowed, localOrigins } from '@gatefold/protocol/gateway'
import type { Project } from '../storage/projects.ts'

/** Origins a project is attested for: its own domains with their subdomains, and this machine. */
function verifiedOrigins({ domains }: Project): string[] {
  return [
    ...localOrigins,
    ...domains.flatMap((domain) => [`https://${domain}`, `https://*.${domain}`]),
  ]
}

/** Whether a page's origin is one the project has proven to own. */
export function isVerifiedOrigin(project: Project, origin: string): boolean {
  return isOriginAllowed(origin, verifiedOrigins(project))
}

/**
 * Who may frame the page of an attestation: the origins the project is attested for, and those it is
 * used on. The latter get an answer that says “not verified”; kept out, official clients would wait
 * 5 s for each message.
 */
export function attestationAncestors(project: Project): string {
  return toSources([
    ...verifiedOrigins(project),
    ...project.allowedOrigins,
    ...(project.defaultOrigins ? defaultOrigins : []),
  ])
}

/**
 * Who may frame the old enclave, which has no answer for others: the origins the project is attested
 * for.
 *
 * @see contract of the relay, 6
 */
export function enclaveAncestors(project: Project): string {
  return toSources(verifiedOrigins(project))
}

function toSources(origins: readonly string[]): string {
  return [...new Set(origins.flatMap((origin) => toSource(origin) ?? []))].join(' ')
}

/** An entry of an origin list as a source of a policy; what could end the directive is no source. */
function toSource(entry: string): string | undefined {
  if (entry === '*') return entry
  const [, scheme = 'https://', host] =
    /^([a-z][a-z0-9+.-]*:\/\/)?([a-z0-9*_.-]+(?::(?:\d+|\*))?)(?:\/|$)/i.exec(entry) ?? []
  return host && `${scheme}${host}`.toLowerCase()
}
