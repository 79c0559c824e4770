import * as v from 'valibot'
import { limits } from '@gatefold/protocol'
import { enter, type HttpContext } from '../http/access.ts'
import { ownJson, refuse } from './answers.ts'
import { check, readJson, readQuery } from '../http/input.ts'
import { saveAttestation } from '../storage/verify.ts'
import { stored, type VerifyService } from './service.ts'
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
 * `GET /v3/attestation`: the page that a client frames. What it was asked for travels in a signed
 * ticket; the page finds out who frames it and sends both back.
 *
 * @see contract of the relay, 6; docs/verify.md
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
      ...(referrer !== undefined && { referrer: URL.parse(referrer)?.origin ?? '' }),
    }
    return page({
      ticket: await signTicket(keyring, ticket, context.now()),
      ancestors: attestationAncestors(project),
    })
  }
}

const maxBytes = 8 * 1024

const Body = v.object({
  ticket: v.string(),
  /** Who frames the page, as the browser told it; absent where it does not. */
  origin: v.optional(v.pipe(v.string(), v.maxLength(300))),
})

/** `POST /v3/attestation`, by the page itself: the attestation, verified or not. */
export function postAttestation(service: VerifyService) {
  const { context, keyring, metrics } = service
  const { db } = context.storage
  return async (c: HttpContext) => {
    const project = await enter(context, c, { refusedOrigin: undefined })
    if (project instanceof Response) return project
    const refusal = refuseOtherSites(c)
    if (refusal) return refusal
    const body = await readJson(c.req.raw, maxBytes, { refuse })
    if ('refusal' in body) return body.refusal
    const { value, reasons } = check(Body, body.value)
    if (reasons) return refuse(422, reasons)
    const now = context.now()
    const ticket = await readTicket(keyring, value.ticket, now)
    if (ticket?.projectId !== project.id)
      return refuse(401, { field: 'ticket', description: 'the ticket is not valid, or too old' })

    const { origin = '' } = value
    const isVerified = agrees(ticket, origin) && isVerifiedOrigin(project, origin)
    const isScam = await service.isScam(origin)
    const attestation = await signAttestation(
      keyring,
      { id: ticket.id, origin, isScam, isVerified },
      now,
    )
    if (isVerified && ticket.decryptedId !== undefined) {
      const expiresAt = now + limits.verifyAttestationSeconds * 1000
      const row = { id: ticket.decryptedId, origin, isScam, expiresAt }
      await stored(saveAttestation(db, row))
    }
    metrics.attested.inc({ outcome: isScam ? 'scam' : isVerified ? 'verified' : 'unverified' })
    return ownJson({ attestation })
  }
}

/**
 * Whether everything that tells the origin tells the same: what the client claimed, who frames the
 * page, and who asked for it where the browser says so.
 *
 * @see threat model, “forged attestation”
 */
function agrees(ticket: Ticket, origin: string): boolean {
  return origin === ticket.origin && origin === (ticket.referrer ?? origin)
}
