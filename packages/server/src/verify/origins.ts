import { defaultOrigins, isOriginAllowed, localOrigins } from '@gatefold/protocol/gateway'
import { toSources } from '../http/toSources.ts'
import type { Project } from '../storage/projects.ts'

/** The origins that can be verified for a project: its domains with their subdomains, and local pages. */
function verifiedOrigins({ domains }: Project): string[] {
  return [
    ...localOrigins,
    ...domains.flatMap((domain) => [`https://${domain}`, `https://*.${domain}`]),
  ]
}

/** Whether an origin can be verified for the project. */
export function isVerifiedOrigin(project: Project, origin: string): boolean {
  return isOriginAllowed(origin, verifiedOrigins(project))
}

/**
 * Origins that may frame the attestation page: those that can be verified, and those that the project only
 * allows. Pages on the latter get an unverified attestation. Without one, official clients would wait 5 s
 * for each message.
 */
export function attestationAncestors(project: Project): string {
  return toSources([
    ...verifiedOrigins(project),
    ...project.allowedOrigins,
    ...(project.defaultOrigins ? defaultOrigins : []),
  ])
}

/**
 * Origins that may frame the enclave: only those that can be verified. It refuses all others.
 *
 * @see docs/contracts/verify.md#enclave
 */
export function enclaveAncestors(project: Project): string {
  return toSources(verifiedOrigins(project))
}
