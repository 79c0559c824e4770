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
 * Origins that may frame the attestation page of a client that claims an origin.
 *
 * If the claim can be verified, only that origin: the browser then checks that it is the origin of the framing
 * page. The referrer is only the origin of the page that has navigated the frame, which can be another one.
 *
 * For any other claim, all origins that the project allows. Their pages get an unverified attestation, because
 * official clients would wait 5 s for each message without one.
 *
 * @see docs/threats.md#forged-attestation
 */
export function attestationAncestors(project: Project, claimed: string): string {
  if (isVerifiedOrigin(project, claimed)) return toSources([claimed])
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
