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
 * Origins that may frame the attestation page: those that can be verified, and
 * all others that the project allows. Pages on the others get an unverified
 * attestation, because official clients would wait 5 s for each message without
 * one.
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
