import { randomBytes, timingSafeEqual } from 'node:crypto'
import { limits } from '@gatefold/protocol'
import {
  PasskeyChallengeBody,
  PasskeyLoginBody,
  type LoginResponse,
  type PasskeyChallengeResponse,
} from '@gatefold/protocol/frame'
import {
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type * as v from 'valibot'
import { addressOf, readHeader, type HttpContext } from '../../http/access.ts'
import type { StoredUser } from '../../storage/frame/users.ts'
import type { Project } from '../../storage/projects.ts'
import { FrameError, tooMany } from '../FrameError.ts'
import { open, readProject } from '../requests.ts'
import type { FrameService } from '../service.ts'
import { logIn } from '../sessions.ts'
import { toDeviceName } from '../toDeviceName.ts'

const hourMs = 3_600_000

type LoginBody = v.InferOutput<typeof PasskeyLoginBody>

/** `POST /api/passkey/challenge` @see docs/contracts/frame-api.md#passkeys */
export function postPasskeyChallenge(service: FrameService) {
  const { context, keys } = service
  return open(
    service,
    PasskeyChallengeBody,
    async ({ body, deviceId }): Promise<PasskeyChallengeResponse> => {
      await readPasskeyProject(service, body)
      const userId = randomBytes(16).toString('base64url')
      const random = randomBytes(16).toString('base64url')
      const expiresAt = String(context.now() + limits.passkeyLoginSeconds * 1000)
      const mac = keys.mac('passkey challenge', deviceId, expiresAt, userId, random)
      const text = [expiresAt, userId, random, mac].join('.')
      return { challenge: Buffer.from(text).toString('base64url'), userId }
    },
  )
}

/** `POST /api/login/passkey`: logs in with a known passkey, or creates a user with a new one. */
export function postPasskeyLogin(service: FrameService) {
  return open(
    service,
    PasskeyLoginBody,
    async ({ c, body, deviceId, language }): Promise<LoginResponse> => {
      const project = await readPasskeyProject(service, body)
      const user = await verify(service, c, body, deviceId)
      if (!user) throw wrongPasskey()
      return logIn(service, {
        user,
        isNew: false,
        deviceId,
        deviceName: toDeviceName(readHeader(c, 'user-agent')),
        confirmedAt: null,
        needsCode: false,
        projectId: project.id,
        origin: body.origin,
        language,
      })
    },
  )
}

async function readPasskeyProject(
  service: FrameService,
  body: { projectId?: string | undefined; origin: string },
): Promise<Project> {
  const project = await readProject(service, body)
  if (!project.passkeyLogin)
    throw new FrameError(403, {
      field: 'passkey',
      description: 'the project does not offer logins with a passkey',
      code: 'not_offered',
    })
  return project
}

async function verify(
  service: FrameService,
  c: HttpContext,
  { passkey, origin }: LoginBody,
  deviceId: string,
): Promise<StoredUser | undefined> {
  const { store, url } = service
  const challenge = await spendChallenge(service, passkey.response.clientDataJSON, deviceId)
  if (!challenge) return undefined
  const expected = {
    expectedChallenge: challenge.text,
    expectedOrigin: url(),
    expectedRPID: new URL(url()).hostname,
    requireUserVerification: true,
  }
  if ('attestationObject' in passkey.response) {
    const response = passkey as RegistrationResponseJSON
    const verified = await attempt(verifyRegistrationResponse({ ...expected, response }))
    if (!verified?.verified) return undefined
    return createUser(service, c, challenge.userId, verified.registrationInfo.credential)
  }
  const known = await store.findPasskey(passkey.id)
  if (!known) return undefined
  const verified = await attempt(
    verifyAuthenticationResponse({
      ...expected,
      response: passkey as AuthenticationResponseJSON,
      // The browser signs the embedding page's origin; the library does not
      // check it for registrations.
      expectedTopOrigin: origin,
      credential: {
        id: known.id,
        publicKey: new Uint8Array(Buffer.from(known.public_key, 'base64url')),
        counter: known.counter,
      },
    }),
  )
  if (!verified?.verified) return undefined
  await store.countPasskey(known.id, verified.authenticationInfo.newCounter)
  return store.findUser(known.user_id)
}

/** Users without an address are limited by the client's address. */
async function createUser(
  { context, keys, store }: FrameService,
  c: HttpContext,
  userId: string,
  { id, publicKey, counter }: { id: string; publicKey: Uint8Array; counter: number },
): Promise<StoredUser | undefined> {
  const now = context.now()
  const { waitMs } = await store.takeUse({
    key: `passkeys ${keys.mac('limit client', addressOf(context, c))}`,
    max: limits.codesPerHourAndAddress,
    windowMs: hourMs,
    gapMs: 0,
    now,
  })
  if (waitMs > 0) throw tooMany('too_many_codes', waitMs)
  const isCreated = await store.createPasskeyUser({
    id,
    user_id: userId,
    public_key: Buffer.from(publicKey).toString('base64url'),
    counter,
    name: 'Passkey',
    created_at: now,
  })
  return isCreated ? store.findUser(userId) : undefined
}

/**
 * The challenge of a signed response, if this server created it for the device.
 * Each challenge is valid once.
 */
async function spendChallenge(
  { context, keys, store }: FrameService,
  clientDataJSON: string,
  deviceId: string,
): Promise<{ text: string; userId: string } | undefined> {
  const data = parse(Buffer.from(clientDataJSON, 'base64url').toString())
  const text = typeof data?.challenge === 'string' ? data.challenge : ''
  const parts = Buffer.from(text, 'base64url').toString().split('.')
  const [expiresAt = '', userId = '', random = '', mac = ''] = parts
  const isOurs = keys
    .macs('passkey challenge', deviceId, expiresAt, userId, random)
    .some((own) => isEqual(own, mac))
  const isFresh = Number(expiresAt) > context.now()
  if (!isOurs || !isFresh) return undefined
  const isUnused = await store.markUsed(`passkey:${random}`, Number(expiresAt))
  return isUnused ? { text, userId } : undefined
}

function parse(text: string): { challenge?: unknown } | undefined {
  try {
    return JSON.parse(text) as { challenge?: unknown }
  } catch {
    return undefined
  }
}

/** The library throws if a response is invalid. */
async function attempt<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work
  } catch {
    return undefined
  }
}

function isEqual(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

function wrongPasskey() {
  return new FrameError(403, {
    field: 'passkey',
    description: 'We don’t recognize this passkey. Use another one, or create a wallet.',
    code: 'passkey_wrong',
  })
}
