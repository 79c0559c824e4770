import { limits } from '@gatefold/protocol'
import * as v from 'valibot'
import { isOwnPageRequest } from './browserSignals.ts'
import { addressOf, enter, limit, type HttpContext } from '../http/access.ts'
import { json, ownJson, refuse } from './answers.ts'
import { check, readJson } from '../http/input.ts'
import { stored } from '../storage/stored.ts'
import { saveAttestation, takeAttestation } from '../storage/verify.ts'
import type { VerifyService } from './service.ts'
import { enclaveAncestors, isVerifiedOrigin } from './origins.ts'
import { createEnclaveScript, enclavePage } from './pages.ts'
import { Hash, readCsrf, signCsrf } from './tokens.ts'

/** `GET /{projectId}`: returns the enclave for older official clients; `undefined` for an unknown or inactive project. */
export function getEnclave({ context, keyring }: VerifyService) {
  return async (c: HttpContext, projectId: string): Promise<Response | undefined> => {
    const project = await enter(context, c, { refusedOrigin: undefined, projectId })
    if (project instanceof Response) return project.status === 401 ? undefined : project
    return enclavePage({
      token: await signCsrf(keyring, project.id, context.now()),
      ancestors: enclaveAncestors(project),
      // Hono's `path` has no trailing slash.
      path: new URL(c.req.url).pathname,
    })
  }
}

/** `GET /index.js?token=`: returns the enclave's script. */
export function getEnclaveScript({ context }: VerifyService) {
  const script = createEnclaveScript()
  return (c: HttpContext) => limit(context, 'address', addressOf(context, c), 1) ?? script()
}

const maxBytes = 4 * 1024

const Body = v.object({
  attestationId: Hash,
  /** `event.origin` of the page's message. */
  origin: v.pipe(v.string(), v.maxLength(300)),
})

/** `POST /attestation`, from the enclave: stores the origin of the page that is about to send a message. */
export function postEnclaveAttestation(service: VerifyService) {
  const { context, keyring, metrics } = service
  return async (c: HttpContext) => {
    const now = context.now()
    const csrf = await readCsrf(keyring, c.req.header('x-csrf-token') ?? '', now)
    const projectId = csrf?.projectId
    const project = await enter(context, c, { refusedOrigin: undefined, projectId })
    if (project instanceof Response) return project
    if (!csrf)
      return refuse(401, {
        field: 'x-csrf-token',
        description: 'the token is missing, invalid or expired; reload the page',
      })
    const body = await readJson(c, maxBytes, { refuse })
    if ('refusal' in body) return body.refusal
    const { value, reasons } = check(Body, body.value)
    if (reasons) return refuse(422, reasons)
    const { attestationId: id, origin } = value
    if (!isOwnPageRequest(c) || !isVerifiedOrigin(project, origin)) {
      metrics.attested.inc({ outcome: 'unverified' })
      return refuse(403, {
        field: 'origin',
        description:
          'the origin is not on a domain of the project, or the request was not sent by a browser',
      })
    }
    const isScam = await service.isScam(origin)
    const expiresAt = now + limits.verifyAttestationSeconds * 1000
    await stored(saveAttestation(context.storage.db, { id, origin, isScam, expiresAt }))
    metrics.attested.inc({ outcome: isScam ? 'scam' : 'verified' })
    return ownJson({})
  }
}

/**
 * `GET /attestation/{hash}`: returns the attestation of a message that a wallet received without one. Each
 * attestation can be read once, within five minutes.
 */
export function getAttestation({ context, metrics }: VerifyService) {
  return async (c: HttpContext) => {
    const refusal = limit(context, 'address', addressOf(context, c), 1)
    if (refusal) return refusal
    const id = c.req.param('hash') ?? ''
    const found = v.is(Hash, id)
      ? await stored(takeAttestation(context.storage.db, id, context.now()))
      : undefined
    metrics.lookedUp.inc({ outcome: found ? 'found' : 'missing' })
    if (!found)
      return refuse(404, { field: 'hash', description: 'there is no attestation for this hash' })
    return json({ origin: found.origin, isScam: found.isScam, attestationId: id })
  }
}
