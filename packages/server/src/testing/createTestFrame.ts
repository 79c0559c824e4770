import { hash, randomBytes } from 'node:crypto'
import type {
  EmailLoginResponse,
  FrameUser,
  LoginResponse,
  SessionTokens,
  StageBody,
} from '@gatefold/protocol/frame'
import type { Reason } from '@gatefold/protocol/gateway'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { readConfig, type Config } from '../config.ts'
import { createContext, type ContextOptions } from '../context.ts'
import { createApp } from '../http/createApp.ts'
import { closeRoles, selectListener, startRoles } from '../roles.ts'

export type TestFrame = Awaited<ReturnType<typeof createTestFrame>>
export type TestDevice = Awaited<ReturnType<TestFrame['device']>>

/** Origin of the frame in these tests. */
export const frameUrl = 'http://localhost:3002'

/** Origin of a page that the default project allows. */
export const pageOrigin = 'http://localhost:3000'

export const chromeOnMac =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36'

type Answer<Body> = {
  status: number
  headers: Headers
  body: Body
  /** The first reason of an error. */
  reason: Reason | undefined
}

type PostOptions = {
  accessToken?: string | undefined
  /** Client address. */
  address?: string
  headers?: Record<string, string>
  /** Changes the claims of the proof; `undefined` removes one. */
  claims?: Record<string, unknown>
  /** Sends this proof. */
  proof?: string
  /** Whether the request is repeated with the nonce that the server demands; true by default. */
  withNonce?: boolean
}

/**
 * Creates the real server of the frame without a port.
 *
 * @example
 * const frame = await createTestFrame()
 * const device = await frame.device()
 * const { session, user } = await device.login('ada@example.com')
 * await device.post('/api/wallet/share', {}, session)
 */
export async function createTestFrame(config: Partial<Config> = {}, options: ContextOptions = {}) {
  const context = await createContext(
    { ...readConfig(), logLevel: 'silent', dataDir: ':memory:', rpcUrls: {}, ...config },
    options,
  )
  const running = await startRoles(['frame'], context)
  const app = createApp(context, selectListener(running, 'frame'))

  const send = async (path: string, init: RequestInit & { address?: string } = {}) => {
    const { address = '192.0.2.1', ...rest } = init
    return app.request(frameUrl + path, rest, { incoming: { socket: { remoteAddress: address } } })
  }
  const mails = () => context.mailer.sink!.list()

  /** The last mail to an address. */
  function lastMail(email: string) {
    const mail = mails().find(({ to }) => to === email)
    if (!mail) throw new Error(`there is no mail to ${email}`)
    return mail
  }

  /** The code in the last mail to an address that has one. */
  function lastCode(email: string): string {
    for (const { to, text } of mails()) {
      const code = to === email ? /^\d{6}$/m.exec(text)?.[0] : undefined
      if (code !== undefined) return code
    }
    throw new Error(`no code for ${email}`)
  }

  /** Creates a device with a key of its own. */
  async function device() {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
    const jwk = await exportJWK(publicKey)
    const privateJwk = await exportJWK(privateKey)

    async function prove(path: string, { accessToken, claims }: PostOptions = {}, header = {}) {
      const now = context.now()
      return new SignJWT({
        htm: 'POST',
        htu: frameUrl + path,
        iat: Math.floor(now / 1000),
        jti: randomBytes(16).toString('base64url'),
        ...(accessToken !== undefined && { ath: hash('sha256', accessToken, 'base64url') }),
        ...claims,
      })
        .setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk, ...header })
        .sign(privateKey)
    }

    async function post<Body = Record<string, never>>(
      path: string,
      body: unknown = {},
      post: PostOptions = {},
    ): Promise<Answer<Body>> {
      const { accessToken, address, headers } = post
      const response = await send(path, {
        method: 'POST',
        ...(address !== undefined && { address }),
        headers: {
          'content-type': 'application/json',
          'user-agent': chromeOnMac,
          dpop: post.proof ?? (await prove(path, post)),
          ...(accessToken !== undefined && { authorization: `DPoP ${accessToken}` }),
          ...headers,
        },
        body: JSON.stringify(body),
      })
      const nonce = response.headers.get('dpop-nonce')
      if (nonce && (post.withNonce ?? true))
        return submit(path, body, { ...post, withNonce: false, claims: { ...post.claims, nonce } })
      const json = (await response.json()) as Body & { reasons?: Reason[] }
      const { status } = response
      return { status, headers: response.headers, body: json, reason: json.reasons?.[0] }
    }
    const submit: typeof post = post

    const requestCode = async (
      email: string,
      more: Record<string, unknown> = {},
      options: PostOptions = {},
    ) =>
      post<EmailLoginResponse>('/api/login/email', { email, origin: pageOrigin, ...more }, options)

    return {
      id: await calculateJwkThumbprint(jwk),
      jwk,
      privateJwk,
      prove,
      post,
      requestCode,
      /** Logs in by e-mail with the code from the mail. */
      async login(email: string, more: Record<string, unknown> = {}, options: PostOptions = {}) {
        const { body } = await requestCode(email, more, options)
        const verified = await post<LoginResponse>('/api/login/verify', {
          loginId: body.loginId,
          code: lastCode(email),
        })
        if (verified.status !== 200) throw new Error(JSON.stringify(verified.body))
        return verified.body
      },
      /** Stages and commits a set of shares. */
      async createWallet(
        { accessToken }: Pick<SessionTokens, 'accessToken'>,
        set: StageBody,
      ): Promise<FrameUser> {
        const session = { accessToken }
        for (const [path, body] of [
          ['/api/wallet/stage', set],
          ['/api/wallet/commit', { setId: set.setId }],
        ] as const) {
          const answer = await post(path, body, session)
          if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
        }
        return (await post<FrameUser>('/api/user', {}, session)).body
      },
    }
  }

  return {
    context,
    send,
    mails,
    lastMail,
    lastCode,
    device,
    /** Starts the periodic jobs, each of which runs once at the start. */
    startJobs: () => running.get('frame')!.onListening?.(frameUrl),
    async stop() {
      await closeRoles(running, 0)
      await context.mailer.close(0)
      await context.storage.close()
    },
  }
}

/** A set of shares with random ids and shares. */
export function testSet(change: Partial<StageBody> = {}): StageBody {
  const random = (bytes: number) => randomBytes(bytes).toString('base64url')
  return {
    setId: random(16),
    epoch: 1,
    eip155: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    solana: '4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM',
    authShare: random(33),
    recoveryShare: random(60),
    wraps: [],
    recoveryKey: random(32),
    ...change,
  }
}

/** Time that tests move. */
export function createClock(start = Date.now()) {
  let time = start
  return {
    now: () => time,
    advance(seconds: number) {
      time += seconds * 1000
    },
  }
}
