import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { loginPage } from './loginPage.ts'

const names = ['github', 'facebook', 'x', 'discord'] as const

export type OauthName = (typeof names)[number]

type OauthSettings = {
  clientId: string
  clientSecret: string
  issuer: string
  authorizeUrl: string
  tokenUrl: string
  userUrl: string
  emailsUrl?: string
}

type Login = { email: string; challenge: string; redirectUri: string }

export type OauthProviders = {
  url: string
  /** The settings of the server for these providers. */
  settings: Record<OauthName, OauthSettings>
  /**
   * Whether the providers report that an address is verified; `true` by
   * default.
   */
  isVerified: (email: string) => boolean
  /** Whether the providers stop responding. */
  isDown: boolean
  /** Parameters that are added to every result. */
  result: Record<string, string>
  /** The issued access tokens. */
  issuedTokens: string[]
  stop(): Promise<void>
}

/** The documented response of each provider's user endpoint. */
const users: Record<OauthName, (email: string, isVerified: boolean) => unknown> = {
  github: (email) => ({ id: idOf(email), login: localPart(email) }),
  facebook: (email) => ({ id: String(idOf(email)), name: localPart(email) }),
  x: (email) => ({
    data: { id: String(idOf(email)), name: localPart(email), username: localPart(email) },
  }),
  discord: (email, verified) => ({
    id: String(idOf(email)),
    username: localPart(email),
    global_name: null,
    email,
    verified,
  }),
}

/** The providers that authenticate the client with HTTP Basic. */
const basic: readonly string[] = ['x', 'discord'] satisfies OauthName[]

/**
 * Starts local servers with the documented interfaces of GitHub, Facebook, X
 * and Discord: a login page, the exchange of the code, and the user endpoint.
 * Any address can log in. All of them check the PKCE verifier.
 */
export async function startOauthProviders(): Promise<OauthProviders> {
  const codes = new Map<string, Login & { provider: string }>()
  const tokens = new Map<string, { email: string; provider: string }>()
  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://localhost:${(server.address() as AddressInfo).port}`
  const secretOf = (name: string) => `${name} secret`

  const settingsOf = (name: OauthName): OauthSettings => ({
    clientId: `${name}-client`,
    clientSecret: secretOf(name),
    issuer: `${url}/${name}`,
    authorizeUrl: `${url}/${name}/authorize`,
    tokenUrl: `${url}/${name}/token`,
    userUrl: `${url}/${name}/user`,
  })

  const providers: OauthProviders = {
    url,
    settings: {
      github: { ...settingsOf('github'), emailsUrl: `${url}/github/emails` },
      facebook: settingsOf('facebook'),
      x: settingsOf('x'),
      discord: settingsOf('discord'),
    },
    isVerified: () => true,
    isDown: false,
    result: {},
    issuedTokens: [],
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const { pathname, searchParams } = new URL(request.url ?? '/', url)
    const [, name = '', action] = pathname.split('/')
    if (providers.isDown) return void request.socket.destroy()
    if (!(names as readonly string[]).includes(name)) return void response.writeHead(404).end()
    if (action === 'authorize') return authorize(name, searchParams, request, response)
    if (action === 'token') return exchange(name, request, response)
    const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
    const known = tokens.get(token ?? '')
    if (known?.provider !== name) return json(response, { message: 'Bad credentials' }, 401)
    const { email } = known
    const isVerified = providers.isVerified(email)
    if (action === 'user') return json(response, users[name as OauthName](email, isVerified))
    json(response, [
      { email: `other.${email}`, primary: false, verified: true, visibility: null },
      { email, primary: true, verified: isVerified, visibility: 'private' },
    ])
  }

  async function authorize(
    name: string,
    query: URLSearchParams,
    request: IncomingMessage,
    response: ServerResponse,
  ) {
    const redirectUri = query.get('redirect_uri') ?? ''
    const challenge = query.get('code_challenge') ?? ''
    const isAllowed =
      query.get('client_id') === `${name}-client` &&
      query.get('response_type') === 'code' &&
      query.get('code_challenge_method') === 'S256' &&
      new RegExp(String.raw`^http://localhost:\d+/social/${name}$`).test(redirectUri)
    if (!isAllowed) return void response.writeHead(400).end('The request is not valid.')
    if (request.method !== 'POST')
      return void response
        .setHeader('content-type', 'text/html; charset=utf-8')
        .end(loginPage(name, request.url!))
    const form = new URLSearchParams(await text(request))
    const target = new URL(redirectUri)
    if (form.get('answer') === 'yes') {
      const code = randomBytes(16).toString('hex')
      // Only ASCII letters: to this provider, the Kelvin sign and k are different letters.
      const email = (form.get('email') ?? '').replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
      codes.set(code, { email, challenge, redirectUri, provider: name })
      target.searchParams.set('code', code)
    } else target.searchParams.set('error', 'access_denied')
    target.searchParams.set('state', query.get('state') ?? '')
    for (const [key, value] of Object.entries(providers.result)) target.searchParams.set(key, value)
    response.writeHead(302, { location: target.href }).end()
  }

  async function exchange(name: string, request: IncomingMessage, response: ServerResponse) {
    const form = new URLSearchParams(await text(request))
    const code = form.get('code') ?? ''
    const login = codes.get(code)
    codes.delete(code)
    const verifier = createHash('sha256').update(form.get('code_verifier') ?? '')
    const isRight =
      isClient(name, form, request.headers.authorization) &&
      login?.provider === name &&
      login.redirectUri === form.get('redirect_uri') &&
      login.challenge === verifier.digest('base64url')
    if (!isRight) {
      // GitHub sends errors with the status 200.
      const error = name === 'github' ? 'bad_verification_code' : 'invalid_grant'
      return json(response, { error }, name === 'github' ? 200 : 400)
    }
    const token = randomBytes(16).toString('hex')
    providers.issuedTokens.push(token)
    tokens.set(token, { email: login.email, provider: name })
    json(response, { access_token: token, token_type: 'bearer', scope: 'any' })
  }

  function isClient(name: string, form: URLSearchParams, authorization = ''): boolean {
    if (!basic.includes(name))
      return (
        form.get('client_id') === `${name}-client` && form.get('client_secret') === secretOf(name)
      )
    const [id = '', secret = ''] = Buffer.from(authorization.replace(/^Basic /, ''), 'base64')
      .toString()
      .split(':')
      .map((part) => decodeURIComponent(part.replaceAll('+', ' ')))
    return id === `${name}-client` && secret === secretOf(name)
  }

  return providers
}

function json(response: ServerResponse, body: unknown, status = 200) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const localPart = (email: string) => email.split('@')[0]!

/** A number for an address that does not reveal the address. */
function idOf(email: string): number {
  return createHash('sha256').update(email).digest().readUInt32BE(0)
}
