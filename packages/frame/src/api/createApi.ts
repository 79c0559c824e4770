import type {
  AuditEntry,
  DeviceLoginResponse,
  EmailChangeResponse,
  EmailLoginResponse,
  EscrowResponse,
  FarcasterLoginResponse,
  FinishFarcasterResponse,
  ExportCodeResponse,
  FrameDevice,
  FrameLanguage,
  FrameUser,
  HandoverOpenResponse,
  HandoverResponse,
  HandoverTakeResponse,
  LoginResponse,
  MethodsResponse,
  PaymasterBody,
  PaymasterResponse,
  PasskeyChallengeResponse,
  PasskeyLoginBody,
  RecoveryResponse,
  SessionTokens,
  ShareResponse,
  SocialLoginResponse,
  SocialProvider,
  StageBody,
  StagedResponse,
} from '@gatefold/protocol/frame'
import { limits } from '@gatefold/protocol'
import type { Store } from '../store/createStore.ts'
import { exclusively } from '../store/exclusively.ts'
import { ApiError } from './ApiError.ts'
import { createDeviceKey, createProof, type DeviceKey } from './createProof.ts'

/** Requests and responses by path. @see docs/contracts/frame-api.md */
type Paths = {
  'login/email': [{ projectId: string; origin: string; email: string }, EmailLoginResponse]
  'login/device': [{ loginId: string }, DeviceLoginResponse]
  'login/verify': [{ loginId: string; code: string }, LoginResponse]
  'login/social': [
    { projectId: string; origin: string; provider: SocialProvider; challenge: string },
    SocialLoginResponse,
  ]
  'login/social/finish': [
    { projectId: string; origin: string; uri: string; verifier: string },
    LoginResponse,
  ]
  'login/farcaster': [{ projectId: string; origin: string }, FarcasterLoginResponse]
  'login/farcaster/finish': [
    { projectId: string; origin: string; loginId: string },
    FinishFarcasterResponse,
  ]
  'passkey/challenge': [{ projectId: string; origin: string }, PasskeyChallengeResponse]
  'login/passkey': [PasskeyLoginBody, LoginResponse]
  'session/refresh': [{ refreshToken: string }, SessionTokens]
  'session/end': [{ everywhere?: boolean }, unknown]
  user: [Record<string, never>, FrameUser]
  'wallet/stage': [StageBody, unknown]
  'wallet/staged': [{ setId: string }, StagedResponse]
  'wallet/commit': [{ setId: string }, unknown]
  'wallet/share': [Record<string, never>, ShareResponse]
  'wallet/recovery': [{ skip: string[] }, RecoveryResponse]
  'wallet/escrow': [Record<string, never>, EscrowResponse]
  'wallet/methods': [Record<string, never>, MethodsResponse]
  'handover/start': [{ publicKey: string }, HandoverResponse]
  'handover/open': [{ token: string }, HandoverOpenResponse]
  'handover/put': [{ token: string; sealed: string }, unknown]
  'handover/take': [{ handoverId: string }, HandoverTakeResponse]
  devices: [Record<string, never>, { devices: FrameDevice[] }]
  'devices/revoke': [{ deviceId: string }, unknown]
  audit: [Record<string, never>, { entries: AuditEntry[] }]
  'export/code': [Record<string, never>, ExportCodeResponse]
  'audit/export': [{ form: 'phrase' | 'backup'; confirmId?: string; code?: string }, unknown]
  paymaster: [PaymasterBody, PaymasterResponse]
  'email/change': [{ projectId: string; origin: string; email: string }, EmailChangeResponse]
  'email/verify-primary': [{ changeId: string; code: string }, unknown]
  'email/verify-secondary': [{ changeId: string; code: string }, { email: string }]
}

export type Path = keyof Paths

export type Api = {
  /** Sends a request without a session. */
  open<Name extends Path>(path: Name, body: Paths[Name][0]): Promise<Paths[Name][1]>
  /**
   * Sends a request with the session. Refreshes an access token that has expired.
   *
   * @throws {ApiError} with the status 401 if there is no session, or it has ended.
   */
  send<Name extends Path>(path: Name, body: Paths[Name][0]): Promise<Paths[Name][1]>
  hasSession(): Promise<boolean>
  /** Whether the server still releases shares after the last login. */
  isFreshLogin(): Promise<boolean>
  setSession(tokens: SessionTokens): Promise<void>
  clearSession(): Promise<void>
}

type StoredSession = SessionTokens & { accessUntil: number; loggedInAt: number }

/**
 * How long before its expiry a token or a login is treated as expired, so that
 * it does not expire in transit.
 */
const refreshAheadMs = 30_000
/** Browsers have different time limits, and the page waits without one. */
const timeoutMs = 30_000

/** Creates a client of the frame's API. It sends requests to its own origin only. */
export function createApi(options: {
  origin: string
  store: Store
  now: () => number
  /** The language of the frame, which the server uses for mails. */
  language: () => FrameLanguage
  fetch: typeof fetch
}): Api {
  const { origin, store, now } = options
  let nonce: string | undefined
  let key: Promise<DeviceKey> | undefined

  function deviceKey(): Promise<DeviceKey> {
    key ??= exclusively('device', async () => {
      const stored = await store.get<DeviceKey>('device')
      if (stored) return stored
      const created = await createDeviceKey()
      await store.set('device', created)
      return created
    })
    return key
  }

  async function post<Response>(
    path: string,
    body: unknown,
    accessToken?: string,
  ): Promise<Response> {
    const url = `${origin}/api/${path}`
    const attempt = async () => {
      const response = await request(url, body, {
        dpop: await createProof(await deviceKey(), { url, nowMs: now(), nonce, accessToken }),
        ...(accessToken !== undefined && { authorization: `DPoP ${accessToken}` }),
      })
      // Each nonce can be used for one request.
      nonce = response.headers.get('dpop-nonce') ?? undefined
      return response
    }
    let response = await attempt()
    let refusal = response.ok ? undefined : await readRefusal(response)
    // RFC 9449, section 8: the nonce was too old, and the response has another one.
    if (refusal?.reason === 'use_dpop_nonce') {
      response = await attempt()
      refusal = response.ok ? undefined : await readRefusal(response)
    }
    if (refusal) throw refusal
    return (await response.json()) as Response
  }

  async function request(url: string, body: unknown, headers: Record<string, string>) {
    try {
      return await options.fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'accept-language': options.language(),
          ...headers,
        },
        body: JSON.stringify(body),
        cache: 'no-store',
        credentials: 'omit',
        redirect: 'error',
        referrerPolicy: 'no-referrer',
        signal: AbortSignal.timeout(timeoutMs),
      })
    } catch (cause) {
      throw new ApiError({
        status: 0,
        description: 'The wallet server did not respond. Check your connection and try again.',
        cause,
      })
    }
  }

  async function session(): Promise<StoredSession> {
    const stored = await current()
    if (stored.isFresh) return stored
    // A refresh token can be used once, so one refresh serves all pending
    // requests and all tabs.
    return exclusively('session', async () => {
      const latest = await current()
      return latest.isFresh ? latest : refresh(latest)
    })
  }

  async function current(): Promise<StoredSession & { isFresh: boolean }> {
    const stored = await store.get<StoredSession>('session')
    if (!stored) throw new ApiError({ status: 401, description: 'Not signed in.' })
    return { ...stored, isFresh: stored.accessUntil - refreshAheadMs > now() }
  }

  async function refresh({ refreshToken, loggedInAt }: StoredSession): Promise<StoredSession> {
    try {
      return await save(await post('session/refresh', { refreshToken }), loggedInAt)
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) await store.remove('session')
      throw error
    }
  }

  async function save(tokens: SessionTokens, loggedInAt: number): Promise<StoredSession> {
    const stored = { ...tokens, accessUntil: now() + tokens.accessSeconds * 1000, loggedInAt }
    await store.set('session', stored)
    return stored
  }

  return {
    open: (path, body) => post(path, body),
    send: async (path, body) => post(path, body, (await session()).accessToken),
    hasSession: async () => (await store.get('session')) !== undefined,
    async isFreshLogin() {
      const { loggedInAt = 0 } = (await store.get<Partial<StoredSession>>('session')) ?? {}
      return loggedInAt + limits.freshLoginSeconds * 1000 - refreshAheadMs > now()
    },
    setSession: async (tokens) => void (await save(tokens, now())),
    clearSession: () => store.remove('session'),
  }
}

async function readRefusal(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => undefined)
  const reasons = (body as { reasons?: unknown } | undefined)?.reasons
  const first = (Array.isArray(reasons) ? reasons[0] : undefined) as
    | { description?: unknown; code?: unknown }
    | undefined
  return new ApiError({
    status: response.status,
    reason: typeof first?.code === 'string' ? first.code : undefined,
    waitSeconds: Number(response.headers.get('retry-after')) || undefined,
    description:
      typeof first?.description === 'string'
        ? first.description
        : 'The wallet server refused the request.',
  })
}
