import { hash, randomBytes } from 'node:crypto'
import {
  methodsText,
  setText,
  wrapsText,
  type EmailLoginResponse,
  type FrameUser,
  type LoginResponse,
  type SessionTokens,
  type StageBody,
} from '@gatefold/protocol/frame'
import type { Reason } from '@gatefold/protocol/gateway'
import { keccak256, stringToBytes, type Hex } from 'viem'
import { sign } from 'viem/accounts'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose'

export type TestDevice = Awaited<ReturnType<typeof createTestDevice>>

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
 * Creates a device of the secure frame with its own key.
 *
 * @param options.url - origin of the frame.
 * @param options.send - sends a request to a path of the frame.
 * @param options.readCode - reads the code in the last mail to an address.
 * @example
 * const device = await createTestDevice({
 *   url: server.frameUrl,
 *   send: (path, init) => fetch(server.frameUrl + path, init),
 *   readCode: (email) => readLocalCode(server.url, email),
 * })
 * const { session, user } = await device.login('ada@example.com')
 */
export async function createTestDevice(options: {
  url: string
  send: (path: string, init: RequestInit & { address?: string }) => Promise<Response>
  readCode: (email: string) => string | Promise<string>
  now?: () => number
}) {
  const { url, send, readCode, now = Date.now } = options
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk = await exportJWK(publicKey)
  const privateJwk = await exportJWK(privateKey)

  async function prove(path: string, { accessToken, claims }: PostOptions = {}, header = {}) {
    return new SignJWT({
      htm: 'POST',
      htu: url + path,
      iat: Math.floor(now() / 1000),
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
    const sent = path === '/api/wallet/stage' ? await signSet(body as TestSet) : body
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
      body: JSON.stringify(sent),
    })
    const nonce = response.headers.get('dpop-nonce')
    if (response.status === 401 && nonce && (post.withNonce ?? true))
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
  ) => post<EmailLoginResponse>('/api/login/email', { email, origin: pageOrigin, ...more }, options)

  return {
    id: await calculateJwkThumbprint(jwk),
    jwk,
    privateJwk,
    prove,
    post,
    requestCode,
    /** Logs in by email with the code from the mail. */
    async login(email: string, more: Record<string, unknown> = {}, options: PostOptions = {}) {
      const { body } = await requestCode(email, more, options)
      const verified = await post<LoginResponse>('/api/login/verify', {
        loginId: body.loginId,
        code: await readCode(email),
      })
      if (verified.status !== 200) throw new Error(JSON.stringify(verified.body))
      return verified.body
    },
    /** Stages and commits a set of shares. */
    async createWallet(
      { accessToken }: Pick<SessionTokens, 'accessToken'>,
      set: TestSet,
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

/** Reads the code in the last mail to an address from the local mail sink of a server. */
export async function readLocalCode(serverUrl: string, email: string): Promise<string> {
  const response = await fetch(`${serverUrl}/dev/mail.json`)
  const { mails } = (await response.json()) as { mails: { to: string; text: string }[] }
  for (const { to, text } of mails) {
    const code = to === email ? /^\d{6}$/m.exec(text)?.[0] : undefined
    if (code !== undefined) return code
  }
  throw new Error(`no code for ${email}`)
}

/** The keys of the wallets in tests: accounts 1 and 2 of the local chains. */
const walletKeys: Record<string, Hex> = {
  '0x70997970C51812dc3A010C7d01b50e0d17dc79C8':
    '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
  '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC':
    '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a',
}

/** A set without a signature; the device signs it when it is staged. */
export type TestSet = Omit<StageBody, 'signature'> & Partial<Pick<StageBody, 'signature'>>

/** Signs a set with the wallet's key. */
export async function signSet(set: TestSet): Promise<TestSet> {
  const privateKey = walletKeys[set.eip155]
  if (set.signature !== undefined || !privateKey) return set
  const signText = async (text: string) =>
    sign({ hash: keccak256(stringToBytes(text)), privateKey, to: 'hex' })
  const { recoveryId = set.setId, version = 0, recoveryPublicKey: publicKey, wraps } = set
  const methods = {
    recoveryId,
    version: version + 1,
    publicKey,
    isAutomatic: set.recoveryKey !== undefined,
    wrapsHash: hash('sha256', wrapsText(wraps ?? []), 'base64url'),
  }
  return {
    ...set,
    signature: await signText(setText(set)),
    ...(wraps && { methodsSignature: await signText(methodsText(methods)) }),
  }
}

/**
 * Creates a later set of the same user, which keeps the recovery key and the
 * methods.
 */
export function nextSet(first: TestSet, change: Partial<TestSet> = {}): TestSet {
  const { setId: recoveryId, recoveryPublicKey } = first
  const kept = { recoveryId, recoveryPublicKey, wraps: undefined, recoveryKey: undefined }
  return testSet({ ...kept, ...change })
}

/** A set of shares with random ids and shares. */
export function testSet(change: Partial<TestSet> = {}): TestSet {
  const random = (bytes: number) => randomBytes(bytes).toString('base64url')
  return {
    setId: random(16),
    epoch: 1,
    eip155: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    solana: '4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM',
    smartAccount: { kind: 'safe-1.4.1', owner: '0x90F79bf6EB2c4f870365E785982E1f101E93b906' },
    authShare: random(33),
    recoveryShare: random(60),
    recoveryPublicKey: random(65),
    wraps: [],
    recoveryKey: random(32),
    ...change,
  }
}
