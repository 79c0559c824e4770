import { BaseError } from '@gatefold/protocol'
import type { SocialProvider } from '@gatefold/protocol/frame'
import { importPKCS8, SignJWT } from 'jose'
import * as oauth from 'openid-client'
import { readUpTo } from '../../http/readUpTo.ts'
import type { SocialIdentity } from '../../storage/frame/socials.ts'
import { readClaims, userReaders, type Fetch } from './identities.ts'
import type { SocialSettings } from './settings.ts'

/** Timeout of requests to a provider, in s. */
const timeoutSeconds = 10
/** Maximum size of a provider's response, in bytes. */
const maxResponseBytes = 256 * 1024
/**
 * How long a provider's published endpoints, and a signed client secret, are
 * cached, in ms.
 */
const configurationMs = 3_600_000

/** A login that the visitor's browser takes to the provider and back. */
export type Authorization = {
  /** The page to which the provider redirects. */
  redirectUri: string
  state: string
  nonce: string
}

/** The configured providers with OAuth 2.0. */
export type Providers = {
  has(provider: SocialProvider): boolean
  /** The provider's page. @param challenge - of the verifier, `S256` */
  start(
    provider: SocialProvider,
    authorization: Authorization & { challenge: string },
  ): Promise<URL>
  /**
   * Redeems the code.
   *
   * @param result - the URL to which the provider redirected.
   * @throws {ProviderError} if the provider refuses, or its response is not for this login.
   */
  finish(
    provider: SocialProvider,
    authorization: Authorization & { result: URL; verifier: string },
  ): Promise<SocialIdentity>
}

const scopes: Record<SocialProvider, string> = {
  google: 'openid email profile',
  apple: 'openid email',
  github: 'read:user user:email',
  facebook: 'public_profile',
  x: 'users.read tweet.read',
  discord: 'identify email',
}

/**
 * Creates the clients of the configured providers. Google and Apple follow
 * OpenID Connect and publish their endpoints; the others have OAuth 2.0 and an
 * API that returns the user.
 *
 * @see RFC 6749; RFC 7636; RFC 9207; RFC 9700; OpenID Connect Core 1.0
 */
export function createProviders(settings: SocialSettings, now: () => number): Providers {
  const created = new Map<SocialProvider, { at: number; made: Promise<oauth.Configuration> }>()

  function configurationOf(provider: SocialProvider): Promise<oauth.Configuration> {
    const known = created.get(provider)
    if (known && now() - known.at < configurationMs) return known.made
    const made = configure(provider)
    created.set(provider, { at: now(), made })
    // The next login tries again.
    made.catch(() => created.delete(provider))
    return made
  }

  async function configure(provider: SocialProvider): Promise<oauth.Configuration> {
    if (provider === 'google' || provider === 'apple') {
      const { clientId, issuer } = settings[provider]!
      const found = await oauth.discovery(
        new URL(issuer),
        clientId,
        undefined,
        oauth.ClientSecretPost(await secretOf(provider)),
        {
          timeout: timeoutSeconds,
          [oauth.customFetch]: boundedFetch,
          execute: [oauth.enableNonRepudiationChecks, ...insecure(issuer)],
        },
      )
      return found
    }
    const { clientId, clientSecret, issuer, authorizeUrl, tokenUrl } = settings[provider]!
    // X and Discord document HTTP Basic authentication of the client.
    const authenticate =
      provider === 'x' || provider === 'discord'
        ? oauth.ClientSecretBasic(clientSecret)
        : oauth.ClientSecretPost(clientSecret)
    const made = new oauth.Configuration(
      { issuer, authorization_endpoint: authorizeUrl, token_endpoint: tokenUrl },
      clientId,
      undefined,
      authenticate,
    )
    made.timeout = timeoutSeconds
    made[oauth.customFetch] = boundedFetch
    for (const allow of insecure(tokenUrl)) allow(made)
    return made
  }

  /** The secret of Apple is a token that the client signs. */
  async function secretOf(provider: 'google' | 'apple'): Promise<string> {
    if (provider === 'google') return settings.google!.clientSecret
    const { clientId, teamId, keyId, privateKey, issuer } = settings.apple!
    const at = Math.floor(now() / 1000)
    return new SignJWT()
      .setProtectedHeader({ alg: 'ES256', kid: keyId })
      .setIssuer(teamId)
      .setSubject(clientId)
      .setAudience(issuer)
      .setIssuedAt(at)
      .setExpirationTime(at + (2 * configurationMs) / 1000)
      .sign(await importPKCS8(privateKey, 'ES256'))
  }

  return {
    has: (provider) => settings[provider] !== undefined,
    async start(provider, { redirectUri, state, nonce, challenge }) {
      const configuration = await ask(provider, () => configurationOf(provider))
      return oauth.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: scopes[provider],
        state,
        code_challenge: challenge,
        code_challenge_method: 'S256',
        ...(isOpenId(provider) && { nonce }),
        // Apple sends the address only in a form.
        ...(provider === 'apple' && { response_mode: 'form_post' }),
      })
    },
    async finish(provider, { result, verifier, state, nonce }) {
      return ask(provider, async () => {
        const configuration = await configurationOf(provider)
        const tokens = await oauth.authorizationCodeGrant(configuration, result, {
          pkceCodeVerifier: verifier,
          expectedState: state,
          ...(isOpenId(provider) && { expectedNonce: nonce, idTokenExpected: true }),
        })
        const { issuer } = configuration.serverMetadata()
        if (isOpenId(provider)) return { provider, issuer, ...readClaims(tokens.claims()!) }
        const get: Fetch = async (url) => {
          const response = await oauth.fetchProtectedResource(
            configuration,
            tokens.access_token,
            new URL(url),
            'GET',
            undefined,
            new Headers({ accept: 'application/json', 'user-agent': 'Gatefold' }),
          )
          return response.json()
        }
        return { provider, issuer, ...(await userReaders[provider](get, settings)) }
      })
    },
  }
}

function isOpenId(provider: SocialProvider): provider is 'google' | 'apple' {
  return provider === 'google' || provider === 'apple'
}

/** The settings allow plain HTTP only to this machine. */
function insecure(url: string) {
  return url.startsWith('http:') ? [oauth.allowInsecureRequests] : []
}

/** Follows no redirects, and reads a bounded part of the response. */
const boundedFetch: oauth.CustomFetch = async (url, options) => {
  const response = await fetch(url, { ...options, redirect: 'error' } as RequestInit)
  const bytes = await readUpTo(response.body, maxResponseBytes)
  if (!bytes) throw new BaseError('The response is too large.', { code: 'frame.social_response' })
  const { headers, status } = response
  return new Response(status === 204 ? null : bytes, { status, headers })
}

async function ask<Result>(provider: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw new ProviderError(provider, error)
  }
}

/** A provider did not respond, refused, or sent a response that is not for this login. */
export class ProviderError extends BaseError {
  override name = 'ProviderError'
  constructor(provider: string, error: unknown) {
    // The cause may contain a code or a token.
    const { code } = error as { code?: unknown }
    super(`${provider} did not confirm the login.`, {
      code: 'frame.social_failed',
      details: typeof code === 'string' ? code : undefined,
    })
  }
}
