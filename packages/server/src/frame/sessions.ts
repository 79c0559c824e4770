import { randomBytes } from 'node:crypto'
import { limits } from '@gatefold/protocol'
import {
  EndSessionBody,
  RefreshBody,
  type FrameLanguage,
  type LoginResponse,
  type SessionTokens,
} from '@gatefold/protocol/frame'
import { newDeviceMail, signedOutMail } from '../mail/templates.ts'
import type { StoredSession, StoredUser } from '../storage/frame/users.ts'
import { brandOf } from './codes.ts'
import { notify } from './recovery/notices.ts'
import { endedSession, hashToken, open, refuseUnconfirmed, signedIn } from './requests.ts'
import type { FrameService } from './service.ts'
import { toUser } from './user.ts'

/**
 * Creates a session after a login, and notifies the user of a new device by mail.
 *
 * @param login.isNew - whether the login has created the user.
 * @param login.confirmedAt - when the device was confirmed by a mailed link; `null` if it was not.
 * @param login.needsCode - whether a device without the wallet gets no shares
 *   until the user logs in with a mailed code.
 */
export async function logIn(
  service: FrameService,
  login: {
    user: StoredUser
    isNew: boolean
    deviceId: string
    deviceName: string
    confirmedAt: number | null
    needsCode: boolean
    projectId: string
    origin: string
    /** The language of the frame, for a user whose language is not stored. */
    language: FrameLanguage
  },
): Promise<LoginResponse> {
  const { context, store, url } = service
  const { user, isNew, deviceId, deviceName, confirmedAt, needsCode, projectId, origin } = login
  const language = user.language ?? login.language
  const now = context.now()
  const isNewDevice = await store.saveDevice({
    user_id: user.id,
    id: deviceId,
    name: deviceName,
    origin,
    confirmed_at: confirmedAt,
    now,
  })
  await store.addUserProject(user.id, projectId)
  const session = {
    device_id: deviceId,
    project_id: projectId,
    origin,
    needs_code: needsCode ? 1 : 0,
  }
  const tokens = await startSession(service, user, session)
  await store.addAudit({
    user_id: user.id,
    at: now,
    event: isNewDevice ? 'login_new_device' : 'login',
    device_name: deviceName,
    origin,
  })
  // With `needsCode`, somebody else may have started the login that created the
  // user.
  if (isNewDevice && (!isNew || needsCode) && user.email !== null) {
    const brand = brandOf(await context.projects.get(projectId))
    const token = randomBytes(32).toString('base64url')
    await store.addRemoval({
      hash: hashToken(token),
      user_id: user.id,
      device_id: deviceId,
      project_id: projectId,
      origin,
      expires_at: now + limits.deviceRemovalSeconds * 1000,
    })
    const link = `${url()}/device/remove?token=${token}`
    context.mailer.send(
      newDeviceMail({ to: user.email, brand, origin, language, device: deviceName, at: now, link }),
    )
  }
  return { session: tokens, user: await toUser(service, user, session) }
}

/** Creates a session that is bound to the device key. */
async function startSession(
  { context, store }: FrameService,
  user: StoredUser,
  device: Pick<StoredSession, 'device_id' | 'project_id' | 'origin' | 'needs_code'>,
): Promise<SessionTokens> {
  const now = context.now()
  const { tokens, access, refresh } = createTokens(now)
  await store.addSession(
    {
      ...device,
      id: randomBytes(16).toString('base64url'),
      user_id: user.id,
      epoch: user.epoch,
      access_hash: access.hash,
      access_expires_at: access.expires_at,
      logged_in_at: now,
      expires_at: refresh.expires_at,
    },
    refresh,
  )
  return tokens
}

function createTokens(now: number) {
  const tokens: SessionTokens = {
    accessToken: randomBytes(32).toString('base64url'),
    accessSeconds: limits.accessTokenSeconds,
    refreshToken: randomBytes(32).toString('base64url'),
    refreshSeconds: limits.refreshTokenSeconds,
  }
  return {
    tokens,
    access: {
      hash: hashToken(tokens.accessToken),
      expires_at: now + limits.accessTokenSeconds * 1000,
    },
    refresh: {
      hash: hashToken(tokens.refreshToken),
      expires_at: now + limits.refreshTokenSeconds * 1000,
    },
  }
}

/**
 * `POST /api/session/refresh`: replaces both tokens. Using a refresh token a
 * second time ends the session, because one of the two uses must come from a
 * stolen token.
 *
 * @see docs/threats.md#stolen-tokens
 */
export function postRefresh(service: FrameService) {
  const { context, store } = service
  return open(service, RefreshBody, async ({ body, deviceId }): Promise<SessionTokens> => {
    const now = context.now()
    const hash = hashToken(body.refreshToken)
    const found = await store.findRefreshToken(hash, now)
    // With another key, the request is refused without ending the session, so a
    // leaked token cannot be used to end it.
    if (found?.session.device_id !== deviceId) throw endedSession()
    const { session } = found
    const { tokens, access, refresh } = createTokens(now)
    const isRotated =
      !found.isUsed &&
      (await store.rotateTokens(hash, {
        sessionId: session.id,
        accessHash: access.hash,
        accessExpiresAt: access.expires_at,
        refresh,
      }))
    if (isRotated) {
      await store.touchDevice(session.user_id, deviceId, now)
      return tokens
    }
    await store.deleteSession(session.id)
    await store.addAudit({
      user_id: session.user_id,
      at: now,
      event: 'session_reused',
      device_name: null,
      origin: session.origin,
    })
    throw endedSession()
  })
}

/** `POST /api/session/end` */
export function postEndSession(service: FrameService) {
  const { context, store } = service
  return signedIn(service, EndSessionBody, async ({ body, session, user, language }) => {
    if (body.everywhere) await refuseUnconfirmed(service, { session, user })
    if (body.everywhere) await store.startEpoch(user.id)
    else await store.deleteSession(session.id)
    await store.addAudit({
      user_id: user.id,
      at: context.now(),
      event: body.everywhere ? 'logout_everywhere' : 'logout',
      device_name: null,
      origin: session.origin,
    })
    if (body.everywhere)
      await notify(service, { user, session, language }, (mailing) =>
        signedOutMail({ ...mailing, at: context.now() }),
      )
  })
}
