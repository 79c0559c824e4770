import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair, importSPKI, jwtVerify } from 'jose'
import { Provider } from 'oidc-provider'
import { createMemoryAdapter } from './createMemoryAdapter.ts'
import { loginPage } from './loginPage.ts'

/** Maximum lifetime of a client secret for Apple: six months. */
const maxSecretSeconds = 15_777_000

export type OpenIdProvider = {
  issuer: string
  /**
   * Whether the provider reports that an address is verified; `true` by
   * default.
   */
  isVerified: (email: string) => boolean
  stop(): Promise<void>
}

/**
 * Starts a real OpenID provider on this machine, at which any address can log
 * in.
 *
 * @param options.appleKey - a public key as PEM; with it, the client secret
 *   must be a token that this key verifies, as Apple requires, instead of
 *   `clientSecret`.
 */
export async function startOpenIdProvider(options: {
  name: string
  clientId: string
  clientSecret: string
  appleKey?: string
  port?: number
}): Promise<OpenIdProvider> {
  const { name, clientId, clientSecret, appleKey } = options
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`
  const started: OpenIdProvider = {
    issuer,
    isVerified: () => true,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }

  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: ['http://localhost/social/any'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' }] },
    adapter: createMemoryAdapter(),
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    cookies: { keys: ['only for this machine'] },
    features: { devInteractions: { enabled: false } },
    // As Google and Apple do, the ID token has all claims.
    conformIdTokenClaims: false,
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    interactions: { url: (_context, interaction) => `/login/${interaction.uid}` },
    findAccount: (_context, email) => ({
      accountId: email,
      claims: () => ({
        sub: email,
        email,
        email_verified: started.isVerified(email),
        name: nameOf(email),
      }),
    }),
    async loadExistingGrant(context) {
      const { client, session } = context.oidc
      const grant = new context.oidc.provider.Grant({
        clientId: client!.clientId,
        accountId: session!.accountId!,
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  // The frame's port is not known yet.
  provider.Client.prototype.redirectUriAllowed = (uri: string) =>
    /^http:\/\/localhost:\d+\/social\/\w+$/.test(uri)

  if (appleKey !== undefined) {
    const key = await importSPKI(appleKey, 'ES256')
    provider.Client.prototype.compareClientSecret = (secret) =>
      jwtVerify(secret, key, {
        audience: issuer,
        subject: clientId,
        requiredClaims: ['iss', 'iat', 'exp'],
      }).then(
        ({ payload, protectedHeader }) =>
          protectedHeader.kid !== undefined && payload.exp! - payload.iat! <= maxSecretSeconds,
        () => false,
      )
  }

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const path = request.url ?? '/'
    if (path.startsWith('/login/')) {
      if (request.method !== 'POST')
        return void response
          .setHeader('content-type', 'text/html; charset=utf-8')
          .end(loginPage(name, path))
      const form = new URLSearchParams(await text(request))
      const email = (form.get('email') ?? '').toLowerCase()
      const answer =
        form.get('answer') === 'yes' && email
          ? { login: { accountId: email } }
          : { error: 'access_denied' }
      return provider.interactionFinished(request, response, answer)
    }
    await provider.callback()(request, response)
  }

  server.on('request', (request, response) => void handle(request, response))
  return started
}

function nameOf(email: string): string {
  const local = email.split('@')[0]!
  return local.charAt(0).toUpperCase() + local.slice(1)
}
