import type { LoginResponse, SocialProvider } from '@gatefold/protocol/frame'
import { BaseError, limits } from '@gatefold/protocol'
import { base64urlnopad } from '@scure/base'
import type { Api } from '../api/createApi.ts'
import { exclusively } from '../store/exclusively.ts'
import type { Store } from '../store/createStore.ts'

/** A login that waits for its result, or for the page to redeem it. */
type Waiting = { state: string; verifier: string; startedAt: number; result?: string }

/**
 * The maximum number of pending logins: a visitor may start several, in
 * different tabs.
 */
const maxWaiting = 5

export type SocialLogins = ReturnType<typeof createSocialLogins>

/**
 * Starts and finishes logins at social providers. The PKCE verifiers exist only
 * here, so that a result is useless without this frame. They are stored,
 * because a page that cannot open windows redirects to the provider and back.
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

  /** Changes the pending logins, which all tabs of a site share. */
  async function change(next: (all: Waiting[]) => Waiting[]): Promise<void> {
    await exclusively('socials', async () => store.set('socials', next(await waiting())))
  }

  return {
    /** @returns the URL of the provider's page. */
    async start(provider: SocialProvider, origin: string): Promise<string> {
      const verifier = base64urlnopad.encode(crypto.getRandomValues(new Uint8Array(32)))
      const challenge = await hash(verifier)
      const { uri, state } = await api.open('login/social', {
        projectId,
        origin,
        provider,
        challenge,
      })
      await change((all) =>
        [{ state, verifier, startedAt: Date.now() }, ...all].slice(0, maxWaiting),
      )
      return uri
    },

    /**
     * Keeps a result that the window of a login has sent, until the page redeems it.
     *
     * @returns whether the login was started here.
     */
    async keep(result: string): Promise<boolean> {
      const state = stateOf(result)
      if (!(await waiting()).some((one) => one.state === state)) return false
      await change((all) => all.map((one) => (one.state === state ? { ...one, result } : one)))
      return true
    },

    /**
     * Redeems a login. Works once.
     *
     * @param uri - names the login; after a login without a window, it is the result itself.
     */
    async finish(uri: string, origin: string): Promise<LoginResponse> {
      const state = stateOf(uri)
      const login = (await waiting()).find((one) => one.state === state)
      if (!login)
        throw new SocialLoginError('This login has expired. Start again.', 'social_expired')
      await change((all) => all.filter((one) => one.state !== state))
      const { verifier, result = uri } = login
      if (!isResult(result))
        throw new SocialLoginError(
          'The window of the login could not reach the wallet in this page. Start again.',
          'social_incomplete',
        )
      return api.open('login/social/finish', { projectId, origin, uri: result, verifier })
    },
  }
}

function stateOf(uri: string): string | null {
  return URL.canParse(uri) ? new URL(uri).searchParams.get('state') : null
}

/** Whether a URI contains the provider's response. */
function isResult(uri: string): boolean {
  const { searchParams } = new URL(uri)
  return searchParams.has('code') || searchParams.has('error')
}

async function hash(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return base64urlnopad.encode(new Uint8Array(digest))
}

/** The result belongs to a login that was started elsewhere, or it did not arrive. */
export class SocialLoginError extends BaseError {
  override name = 'SocialLoginError'
  constructor(message: string, code: string) {
    super(message, { code, docsPath: 'docs/contracts/frame.md' })
  }
}
