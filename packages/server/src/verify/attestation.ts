import * as v from 'valibot'
import { limits } from '@gatefold/protocol'
import { isFrameRequest, isOwnPageRequest } from './browserSignals.ts'
import { enter, type HttpContext } from '../http/access.ts'
import { ownJson, refuse } from './answers.ts'
import { check, readJson, readQuery } from '../http/input.ts'
import { stored } from '../storage/stored.ts'
import { saveAttestation, useTicket } from '../storage/verify.ts'
import type { VerifyService } from './service.ts'
import { attestationAncestors, isVerifiedOrigin } from './origins.ts'
import { createAttestationPage } from './pages.ts'
import { refuseOtherSites } from './refuseOtherSites.ts'
import { Hash, readTicket, signAttestation, signTicket, type Ticket } from './tokens.ts'

const Query = v.object({
  id: Hash,
  decryptedId: v.optional(Hash),
  origin: v.pipe(v.string(), v.maxLength(300)),
})

/**
 * `GET /v3/attestation`: returns the page that a client loads into a frame. The page contains the parameters
 * of the request as a signed ticket. It determines the framing origin, and posts that origin with the ticket.
 *
 * @see docs/contracts/verify.md#attestation; docs/verify.md
 */
export function getAttestationPage({ context, keyring }: VerifyService) {
  const page = createAttestationPage()
  return async (c: HttpContext) => {
    const project = await enter(context, c, { refusedOrigin: undefined })
    if (project instanceof Response) return project
    const { value, reasons } = check(Query, readQuery(c), 'query')
    if (reasons) return refuse(400, reasons)
    const referrer = c.req.header('referer')
    const ticket = {
      ...value,
      projectId: project.id,
      jti: crypto.randomUUID(),
      isFramed: isFrameRequest(c),
      ...(referrer !== undefined && { referrer: URL.parse(referrer)?.origin ?? '' }),
    }
    return page({
      ticket: await signTicket(keyring, ticket, context.now()),
      ancestors: attestationAncestors(project, value.origin),
    })
  }
}

const maxBytes = 8 * 1024

const Body = v.object({
  ticket: v.string(),
  /** Origin of the framing page, as the browser reports it; absent if the browser hides it. */
  origin: v.optional(v.pipe(v.string(), v.maxLength(300))),
})

/** `POST /v3/attestation`, from the attestation page: returns an attestation, verified or not. */
export function postAttestation(service: VerifyService) {
  const { context, keyring, metrics } = service
  const { db } = context.storage
  return async (c: HttpContext) => {
    const project = await enter(context, c, { refusedOrigin: undefined })
    if (project instanceof Response) return project
    const refusal = refuseOtherSites(c)
    if (refusal) return refusal
    const body = await readJson(c, maxBytes, { refuse })
    if ('refusal' in body) return body.refusal
    const { value, reasons } = check(Body, body.value)
    if (reasons) return refuse(422, reasons)
    const now = context.now()
    const ticket = await readTicket(keyring, value.ticket, now)
    const isOwn = ticket?.projectId === project.id
    const expiresAt = now + limits.verifyAttestationSeconds * 1000
    if (!isOwn || !(await stored(useTicket(db, ticket.jti, expiresAt))))
      return refuse(401, { field: 'ticket', description: 'the ticket is invalid, used or expired' })

    const { origin = '' } = value
    const isVerified =
      ticket.isFramed &&
      isOwnPageRequest(c) &&
      agrees(ticket, origin) &&
      isVerifiedOrigin(project, origin)
    const isScam = await service.isScam(origin)
    const attestation = await signAttestation(
      keyring,
      { id: ticket.id, origin, isScam, isVerified },
      now,
    )
    if (isVerified && ticket.decryptedId !== undefined) {
      const row = { id: ticket.decryptedId, origin, isScam, expiresAt }
      await stored(saveAttestation(db, row))
    }
    metrics.attested.inc({ outcome: isScam ? 'scam' : isVerified ? 'verified' : 'unverified' })
    return ownJson({ attestation })
  }
}

/**
 * Whether all sources of the origin agree: the client's claim, the framing origin, and the referrer of the
 * request for the page, if the browser sent one.
 *
 * @see docs/threats.md#forged-attestation
 */
function agrees(ticket: Ticket, origin: string): boolean {
  return origin === ticket.origin && origin === (ticket.referrer ?? origin)
}
