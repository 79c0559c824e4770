import { hash } from 'node:crypto'
import { limits } from '@gatefold/protocol'
import type { FrameLanguage } from '@gatefold/protocol/frame'
import * as v from 'valibot'
import { addressOf, limit, readHeader, type HttpContext } from '../http/access.ts'
import { check, readJson } from '../http/input.ts'
import type { Handler } from '../http/Role.ts'
import type { StoredSession, StoredUser } from '../storage/frame/users.ts'
import { allowsOrigin, defaultProjectId, type Project } from '../storage/projects.ts'
import { json, refuse } from './answers.ts'
import { FrameError } from './FrameError.ts'
import { readLanguage } from './pageTexts/readPageLanguage.ts'
import { checkProof, createNonce } from './proof.ts'
import type { FrameService } from './service.ts'
import { findCurrentSet } from './user.ts'

/** Maximum size of a body, in bytes. */
const maxBodyBytes = 64 * 1024
/** Cost of a request in tokens of the rate limits: it checks a signature and writes to the database. */
const cost = 5

/** A request with a valid proof. */
export type Call<Body> = {
  c: HttpContext
  body: Body
  /** Thumbprint of the key that signed the proof. */
  deviceId: string
  /** The language of the frame. */
  language: FrameLanguage
}

/** A request of a session. */
export type SessionCall<Body> = Call<Body> & { session: StoredSession; user: StoredUser }

type Schema = v.GenericSchema

/**
 * The requests that a session may send before the login with a mailed code:
 * they release no shares, and the wallet's key signs the sets that they store.
 *
 * @see docs/threats.md#social-logins
 */
const pathsBeforeCode = [
  '/api/user',
  '/api/session/end',
  '/api/wallet/stage',
  '/api/wallet/staged',
  '/api/wallet/commit',
]

export const Empty = v.object({})

/** Handles requests without a session. `work` returns the body of the response. */
export function open<Body extends Schema>(
  service: FrameService,
  schema: Body,
  work: (call: Call<v.InferOutput<Body>>) => Promise<unknown>,
): Handler {
  return async (c) => {
    const body = await readBody(service, c, schema)
    if (body instanceof Response) return body
    const deviceId = await prove(service, c, { accessToken: undefined, needsNonce: false })
    return respond(service, await work({ c, body, deviceId, language: readLanguage(c) }))
  }
}

/** Handles requests of a session. */
export function signedIn<Body extends Schema>(
  service: FrameService,
  schema: Body,
  work: (call: SessionCall<v.InferOutput<Body>>) => Promise<unknown>,
): Handler {
  return handleSession(service, schema, 'session', work)
}

/** Handles requests of a session that need a nonce, because they release or store shares. */
export function withNonce<Body extends Schema>(
  service: FrameService,
  schema: Body,
  work: (call: SessionCall<v.InferOutput<Body>>) => Promise<unknown>,
): Handler {
  return handleSession(service, schema, 'nonce', work)
}

/** Handles requests that need a nonce and a login within `freshLoginSeconds`. */
export function withFreshLogin<Body extends Schema>(
  service: FrameService,
  schema: Body,
  work: (call: SessionCall<v.InferOutput<Body>>) => Promise<unknown>,
): Handler {
  return handleSession(service, schema, 'nonce', async (call) => {
    if (service.context.now() - call.session.logged_in_at > limits.freshLoginSeconds * 1000)
      throw new FrameError(403, {
        field: 'authorization',
        description: 'log in again to restore the wallet on this device',
        code: 'login_too_old',
      })
    return work(call)
  })
}

function handleSession<Body extends Schema>(
  service: FrameService,
  schema: Body,
  needs: 'session' | 'nonce',
  work: (call: SessionCall<v.InferOutput<Body>>) => Promise<unknown>,
): Handler {
  return async (c) => {
    const body = await readBody(service, c, schema)
    if (body instanceof Response) return body
    const accessToken = /^DPoP ([\w-]{43})$/i.exec(readHeader(c, 'authorization') ?? '')?.[1]
    if (accessToken === undefined) throw endedSession()
    const needsNonce = needs === 'nonce'
    const deviceId = await prove(service, c, { accessToken, needsNonce })
    const found = await service.store.findSession(hashToken(accessToken), service.context.now())
    if (found?.session.device_id !== deviceId) throw endedSession()
    if (!pathsBeforeCode.includes(new URL(c.req.url).pathname))
      await refuseUnconfirmed(service, found)
    return respond(service, await work({ c, body, deviceId, language: readLanguage(c), ...found }))
  }
}

/**
 * Refuses a session that does not prove that the visitor is at its device, unless the device has the wallet.
 *
 * @throws {FrameError} 403 with the code `code_needed`.
 */
export async function refuseUnconfirmed(
  { store }: FrameService,
  { session, user }: Pick<SessionCall<unknown>, 'session' | 'user'>,
) {
  if (session.needs_code === 0) return
  if (findCurrentSet(await store.listSets(user.id), user, session.device_id)) return
  throw new FrameError(403, {
    field: 'authorization',
    description: 'Log in with a code from a mail first: this device does not have the wallet yet.',
    code: 'code_needed',
  })
}

/** Every response has a nonce for the next request, which then needs no second attempt. @see RFC 9449, section 8.2 */
function respond({ context, keys }: FrameService, body: unknown): Response {
  return json(body ?? {}, 200, { 'dpop-nonce': createNonce({ keys, now: context.now }) })
}

export function endedSession() {
  return new FrameError(
    401,
    { field: 'authorization', description: 'the session has ended', code: 'session_ended' },
    { 'www-authenticate': 'DPoP error="invalid_token", algs="ES256"' },
  )
}

/**
 * The form in which the database stores a token. Tokens have 256 random bits,
 * so an unkeyed hash is sufficient.
 */
export function hashToken(token: string): string {
  return hash('sha256', token, 'base64url')
}

async function readBody<Body extends Schema>(
  service: FrameService,
  c: HttpContext,
  schema: Body,
): Promise<v.InferOutput<Body> | Response> {
  const { context } = service
  const limited = limit(context, 'address', addressOf(context, c), cost)
  if (limited) return limited
  refuseOtherOrigins(service, c)
  const read = await readJson(c, maxBodyBytes, context)
  if ('refusal' in read) return read.refusal
  const checked = check(schema, read.value)
  return checked.reasons ? refuse(400, checked.reasons) : checked.value
}

/**
 * Refuses requests that a browser sends from a page of another origin.
 *
 * @see W3C Fetch Metadata, `Sec-Fetch-Site`
 */
export function refuseOtherOrigins({ url }: Pick<FrameService, 'url'>, c: HttpContext) {
  const origin = readHeader(c, 'origin')
  const site = readHeader(c, 'sec-fetch-site')
  if ((origin !== undefined && origin !== url()) || (site !== undefined && site !== 'same-origin'))
    throw new FrameError(403, {
      field: 'origin',
      description: 'only pages of the secure frame may send here',
    })
}

async function prove(
  { context, keys, store, url }: FrameService,
  c: HttpContext,
  expected: { accessToken: string | undefined; needsNonce: boolean },
): Promise<string> {
  const { now } = context
  const path = new URL(c.req.url).pathname
  return checkProof({ keys, now, markUsed: store.markUsed }, readHeader(c, 'dpop'), {
    ...expected,
    url: `${url()}${path}`,
  })
}

/** The active project of a request. @throws {FrameError} if there is none, or if it does not allow the origin. */
export async function readProject(
  { context, url }: FrameService,
  { projectId = defaultProjectId, origin }: { projectId?: string | undefined; origin: string },
): Promise<Project> {
  const project = await context.projects.get(projectId || defaultProjectId)
  if (!project?.active)
    throw new FrameError(401, {
      field: 'projectId',
      description: 'there is no active project with this id',
    })
  // Pages of the frame's own origin also log in.
  if (origin !== url() && !allowsOrigin(project, origin))
    throw new FrameError(403, {
      field: 'origin',
      description: 'the project does not allow this origin',
    })
  return project
}
