import type { LoginResponse, SocialProvider } from '@gatefold/protocol/frame'
import { BaseError, limits } from '@gatefold/protocol'
import { base64urlnopad } from '@scure/base'
import type { Api } from '../api/createApi.ts'
import type { Store } from '../store/createStore.ts'

/** A login that waits for its result. */
type Waiting = { state: string; verifier: string; startedAt: number }

/** How many logins wait at most: a visitor may start one in several tabs. */
const maxWaiting = 5

/**
 * Starts and finishes logins at social providers. The verifiers (PKCE) exist only here, so that a result is worth
 * nothing without this frame. They are stored, because a page without windows leaves for the provider and comes back.
 *
 * @see docs/contracts/frame.md#social-login; RFC 7636
 */
export function createSocialLogins(options: { api: Api; store: Store; projectId: string }) {
  const { api, store, projectId } = options

  async function waiting(): Promise<Waiting[]> {
    const all = (await store.get<Waiting[]>('socials')) ?? []
    const since = Date.now() - limits.socialLoginSeconds * 1000
    return all.filter(({ startedAt }) => startedAt > since)
  }

  return {
    /** @returns the page of the provider. */
    async start(provider: SocialProvider, origin: string): Promise<string> {
      const verifier = base64urlnopad.encode(crypto.getRandomValues(new Uint8Array(32)))
      const challenge = await hash(verifier)
      const { uri, state } = await api.open('login/social', {
        projectId,
        origin,
        provider,
        challenge,
      })
      const others = await waiting()
      const login = { state, verifier, startedAt: Date.now() }
      await store.set('socials', [login, ...others].slice(0, maxWaiting))
      return uri
    },

    /** Redeems the URI of the callback page. Works once. */
    async finish(uri: string, origin: string): Promise<LoginResponse> {
      const state = URL.canParse(uri) ? new URL(uri).searchParams.get('state') : undefined
      const all = await waiting()
      const login = all.find((one) => one.state === state)
      if (!login)
        throw new SocialLoginError('This login has expired. Start again.', 'social_expired')
      await store.set(
        'socials',
        all.filter((one) => one !== login),
      )
      const { verifier } = login
      return api.open('login/social/finish', { projectId, origin, uri, verifier })
    },
  }
}

async function hash(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return base64urlnopad.encode(new Uint8Array(digest))
}

/** The result is not that of a login that was started here. */
export class SocialLoginError extends BaseError {
  override name = 'SocialLoginError'
  constructor(message: string, code: string) {
    super(message, { code, docsPath: 'docs/contracts/frame.md' })
  }
}
