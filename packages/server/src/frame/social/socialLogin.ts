import { hash, randomBytes } from 'node:crypto'
import { limits } from '@gatefold/protocol'
import {
  FinishSocialBody,
  SocialLoginBody,
  SocialProvider,
  type FrameLanguage,
  type LoginResponse,
  type SocialLoginResponse,
} from '@gatefold/protocol/frame'
import * as v from 'valibot'
import { readHeader } from '../../http/access.ts'
import { linkedMail } from '../../mail/templates.ts'
import type { SocialIdentity } from '../../storage/frame/socials.ts'
import type { StoredUser } from '../../storage/frame/users.ts'
import { brandOf } from '../codes.ts'
import { FrameError } from '../FrameError.ts'
import { hashToken, open, readProject } from '../requests.ts'
import type { FrameService } from '../service.ts'
import { logIn } from '../sessions.ts'
import { toDeviceName } from '../toDeviceName.ts'

/** The names of the providers in texts. */
export const providerNames = {
  google: 'Google',
  apple: 'Apple',
  github: 'GitHub',
  facebook: 'Facebook',
  x: 'X',
  discord: 'Discord',
  farcaster: 'Farcaster',
} as const

export type ProviderName = keyof typeof providerNames

/** `POST /api/login/social` @see docs/contracts/frame-api.md#social-login; RFC 7636 */
export function postSocialLogin(service: FrameService) {
  const { context, store } = service
  return open(
    service,
    SocialLoginBody,
    async ({ c, body, deviceId }): Promise<SocialLoginResponse> => {
      const { provider, challenge, origin } = body
      const project = await readProject(service, body)
      const providers = await service.providers()
      if (!providers.has(provider)) throw unavailable(provider)
      // Only digits, because logins without a window append `--` and the page's
      // URL.
      const state = randomBytes(32).toString('hex')
      const nonce = randomBytes(32).toString('hex')
      const redirectUri = redirectUriOf(service, provider)
      const uri = await providers
        .start(provider, { redirectUri, state, nonce, challenge })
        .catch((error: unknown) => fail(service, provider, error))
      await store.addSocialLogin({
        id: hashToken(state),
        device_id: deviceId,
        device_name: toDeviceName(readHeader(c, 'user-agent')),
        project_id: project.id,
        origin,
        provider,
        challenge,
        nonce,
        channel_key_id: null,
        channel: null,
        is_redirected: 0,
        expires_at: context.now() + limits.socialLoginSeconds * 1000,
      })
      return { uri: uri.href, state }
    },
  )
}

/** `POST /api/login/social/finish` */
export function postFinishSocial(service: FrameService) {
  const { context, store } = service
  return open(
    service,
    FinishSocialBody,
    async ({ body, deviceId, language }): Promise<LoginResponse> => {
      const project = await readProject(service, body)
      const { provider, result } = readResult(service, body.uri)
      const state = result.searchParams.get('state') ?? ''
      const login = await store.takeSocialLogin({
        id: hashToken(state),
        provider,
        deviceId,
        projectId: project.id,
        origin: body.origin,
        now: context.now(),
      })
      // Providers that do not know PKCE ignore the verifier.
      if (!login || hash('sha256', body.verifier, 'base64url') !== login.challenge)
        throw expiredLogin()
      if (isRefusal(result)) throw declined(provider)
      const providers = await service.providers()
      const identity = await providers
        .finish(provider, {
          redirectUri: redirectUriOf(service, provider),
          result,
          state,
          nonce: login.nonce,
          verifier: body.verifier,
        })
        .catch((error: unknown) => fail(service, provider, error))
      return finishLogin(service, identity, {
        deviceId,
        deviceName: login.device_name,
        projectId: login.project_id,
        origin: login.origin,
        language,
        // A page can pass on the result in its URL, even to a server that started the login for itself.
        needsCode: () => login.is_redirected === 1,
      })
    },
  )
}

/**
 * Creates a session for the user who logged in at a provider.
 *
 * @param device.needsCode - whether the login does not prove that the visitor is at this device.
 * @see docs/threats.md#social-logins
 */
export async function finishLogin(
  service: FrameService,
  identity: SocialIdentity,
  device: {
    deviceId: string
    deviceName: string
    projectId: string
    origin: string
    /** The language of the frame, for a user whose language is not stored. */
    language: FrameLanguage
    needsCode: (user: StoredUser) => boolean
  },
): Promise<LoginResponse> {
  const { context, store } = service
  const { email, provider } = identity
  const now = context.now()
  // The previous owner of the address can still undo its change.
  const formerOwner =
    email === null ? undefined : await store.findFormerOwner({ email, userId: undefined, now })
  const { user, isNew, isLinked } = await store.ensureSocialUser(identity, {
    now,
    canUseEmail: formerOwner === undefined,
  })
  if (isLinked) {
    await store.addAudit({
      user_id: user.id,
      at: now,
      event: `linked_${provider}`,
      device_name: device.deviceName,
      origin: device.origin,
    })
    const brand = brandOf(await context.projects.get(device.projectId))
    const name = providerNames[provider as ProviderName]
    context.mailer.send(
      linkedMail({
        to: user.email!,
        brand,
        origin: device.origin,
        language: user.language ?? device.language,
        provider: name,
        at: now,
      }),
    )
  }
  return logIn(service, {
    ...device,
    user,
    isNew,
    confirmedAt: null,
    needsCode: device.needsCode(user),
  })
}

/**
 * Each provider has its own redirect URI, so that a result cannot come from
 * another provider (RFC 9700, 4.4.2).
 */
function redirectUriOf({ url }: FrameService, provider: SocialProvider): string {
  return `${url()}/social/${provider}`
}

/** Reads the URI that the callback page has sent. */
function readResult(service: FrameService, uri: string) {
  const result = URL.canParse(uri) ? new URL(uri) : undefined
  const name = /^\/social\/(\w+)$/.exec(result?.pathname ?? '')?.[1]
  const provider = v.safeParse(SocialProvider, name)
  if (!provider.success || result?.origin !== service.url())
    throw new FrameError(400, { field: 'uri', description: 'this is not the result of a login' })
  return { provider: provider.output, result }
}

/**
 * Apple and Facebook use their own error names for a login that the visitor has
 * canceled.
 */
function isRefusal({ searchParams }: URL): boolean {
  return ['access_denied', 'user_cancelled_authorize', 'user_denied'].includes(
    searchParams.get('error') ?? '',
  )
}

/**
 * Only the kind of failure is logged, because a provider's response can contain
 * codes and tokens.
 */
export function fail({ context }: FrameService, provider: ProviderName, error: unknown): never {
  const { code, details } = error as { code?: unknown; details?: unknown }
  context.log.warn({ provider, code, details }, 'a social login failed')
  throw new FrameError(502, {
    field: 'provider',
    description: `${providerNames[provider]} did not confirm the login. Try again.`,
    code: 'social_failed',
  })
}

export function unavailable(provider: ProviderName): FrameError {
  return new FrameError(400, {
    field: 'provider',
    description: `Login with ${providerNames[provider]} is not set up here.`,
    code: 'social_unavailable',
  })
}

/** Also for a login that another device, page or project has started, so that a client cannot distinguish them. */
export function expiredLogin(): FrameError {
  return new FrameError(400, {
    field: 'uri',
    description: 'This login has expired. Start again.',
    code: 'social_expired',
  })
}

function declined(provider: ProviderName): FrameError {
  return new FrameError(403, {
    field: 'provider',
    description: `You declined the login with ${providerNames[provider]}.`,
    code: 'social_declined',
  })
}
