import * as v from 'valibot'

/**
 * URL of an endpoint. Secrets and codes are sent to it, so only hosts on this
 * machine may be requested without TLS.
 */
const Endpoint = v.pipe(
  v.string(),
  v.url(),
  v.regex(/^(?:https:\/\/|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:\/|$))/i),
)
const Text = v.pipe(v.string(), v.nonEmpty(), v.maxLength(4_000))
const Address = v.pipe(v.string(), v.regex(/^0x[0-9a-fA-F]{40}$/))

const Client = { clientId: Text, clientSecret: Text }

/** A provider with OAuth 2.0 and a proprietary API that returns the user. */
function oauth2(defaults: {
  issuer: string
  authorizeUrl: string
  tokenUrl: string
  userUrl: string
}) {
  return {
    ...Client,
    /** The name under which the users of the provider are stored. */
    issuer: v.optional(Endpoint, defaults.issuer),
    authorizeUrl: v.optional(Endpoint, defaults.authorizeUrl),
    tokenUrl: v.optional(Endpoint, defaults.tokenUrl),
    userUrl: v.optional(Endpoint, defaults.userUrl),
  }
}

/**
 * The social logins of the secure frame, with the endpoints that the providers document as defaults.
 *
 * @see docs/operators.md#social-logins
 */
export const SocialSettings = v.strictObject({
  google: v.optional(
    v.strictObject({ ...Client, issuer: v.optional(Endpoint, 'https://accounts.google.com') }),
  ),
  apple: v.optional(
    v.strictObject({
      /** The id of the service. */
      clientId: Text,
      teamId: Text,
      keyId: Text,
      /** PKCS#8 as PEM: the file that Apple offers for download. */
      privateKey: v.pipe(Text, v.regex(/^-----BEGIN PRIVATE KEY-----/)),
      issuer: v.optional(Endpoint, 'https://appleid.apple.com'),
    }),
  ),
  github: v.optional(
    v.strictObject({
      ...oauth2({
        issuer: 'https://github.com/login/oauth',
        authorizeUrl: 'https://github.com/login/oauth/authorize',
        tokenUrl: 'https://github.com/login/oauth/access_token',
        userUrl: 'https://api.github.com/user',
      }),
      emailsUrl: v.optional(Endpoint, 'https://api.github.com/user/emails'),
    }),
  ),
  facebook: v.optional(
    v.strictObject(
      oauth2({
        issuer: 'https://www.facebook.com',
        authorizeUrl: 'https://www.facebook.com/dialog/oauth',
        tokenUrl: 'https://graph.facebook.com/oauth/access_token',
        userUrl: 'https://graph.facebook.com/me?fields=id,name',
      }),
    ),
  ),
  x: v.optional(
    v.strictObject(
      oauth2({
        issuer: 'https://x.com',
        authorizeUrl: 'https://x.com/i/oauth2/authorize',
        tokenUrl: 'https://api.x.com/2/oauth2/token',
        userUrl: 'https://api.x.com/2/users/me',
      }),
    ),
  ),
  discord: v.optional(
    v.strictObject(
      oauth2({
        issuer: 'https://discord.com',
        authorizeUrl: 'https://discord.com/oauth2/authorize',
        tokenUrl: 'https://discord.com/api/oauth2/token',
        userUrl: 'https://discord.com/api/users/@me',
      }),
    ),
  ),
  farcaster: v.optional(
    v.strictObject({
      relayUrl: v.optional(Endpoint, 'https://relay.farcaster.xyz'),
      /** CAIP-2 id of the chain whose contracts are read; one of `GATEFOLD_RPC_URLS`. */
      chain: v.optional(v.pipe(v.string(), v.regex(/^eip155:\d{1,32}$/)), 'eip155:10'),
      idRegistry: v.optional(Address, '0x00000000Fc6c5F01Fc30151999387Bb99A9f489b'),
      keyRegistry: v.optional(Address, '0x00000000Fc1237824fb747aBDE0FF18990E59b7e'),
    }),
  ),
})

export type SocialSettings = v.InferOutput<typeof SocialSettings>
