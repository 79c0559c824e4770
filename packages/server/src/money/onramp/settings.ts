import * as v from 'valibot'

const Secret = v.pipe(v.string(), v.minLength(1), v.maxLength(5_000))

const BaseUrl = v.pipe(
  v.string(),
  v.url(),
  v.regex(/^https?:\/\//, 'must be an http(s) URL'),
  v.transform((url) => url.replace(/\/$/, '')),
)

/** ISO 3166-1 alpha-2. */
const Country = v.pipe(v.string(), v.regex(/^[A-Z]{2}$/, 'must be two upper-case letters'))

export const SandboxSettings = v.strictObject({
  /** Private key of the account that pays out on the local chains. */
  faucetKey: v.pipe(
    v.string(),
    v.regex(/^0x[0-9a-f]{64}$/i, 'must be a private key: 0x and 64 hex digits'),
    v.transform((text) => text as `0x${string}`),
  ),
})

export const MeldSettings = v.strictObject({
  publicKey: Secret,
  apiKey: Secret,
  webhook: v.optional(
    v.strictObject({
      /** The URL exactly as in Meld's dashboard, because Meld signs it. */
      url: v.pipe(v.string(), v.url()),
      secret: Secret,
    }),
  ),
  country: v.optional(Country, 'US'),
  apiUrl: v.optional(BaseUrl, 'https://api.meld.io'),
  widgetUrl: v.optional(BaseUrl, 'https://meldcrypto.com'),
})

export const CoinbaseSettings = v.strictObject({
  keyId: Secret,
  /** An Ed25519 key in base64, or an ES256 key as PEM. */
  keySecret: Secret,
  webhookSecret: v.optional(Secret),
  country: v.optional(Country, 'US'),
  /** The state, which is required in the United States. */
  subdivision: v.optional(v.pipe(v.string(), v.regex(/^[A-Z0-9]{1,3}$/))),
  apiUrl: v.optional(BaseUrl, 'https://api.developer.coinbase.com'),
  payUrl: v.optional(BaseUrl, 'https://pay.coinbase.com'),
})

/** The value of `GATEFOLD_ONRAMP`: the providers of the on-ramp, each with its settings. */
export const OnrampSettings = v.strictObject({
  sandbox: v.optional(SandboxSettings),
  meld: v.optional(MeldSettings),
  coinbase: v.optional(CoinbaseSettings),
})

export type OnrampSettings = v.InferOutput<typeof OnrampSettings>
