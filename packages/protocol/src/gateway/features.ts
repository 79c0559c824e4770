import * as v from 'valibot'

/**
 * The features that a project can configure, with the allowed values for their `config`. A feature
 * without values can only be turned on or off.
 *
 * @see docs/contracts/gateway.md#remote-features
 */
export const featureOptions = {
  social_login: ['email', 'google', 'x', 'discord', 'farcaster', 'github', 'apple', 'facebook'],
  swap: ['1inch'],
  onramp: ['meld'],
  activity: [],
  reown_branding: [],
  multi_wallet: [],
  email_capture: ['required'],
  fund_from_exchange: [],
  payments: [],
  reown_authentication: [],
  headless: [],
} as const satisfies Record<string, readonly string[]>

export type FeatureId = keyof typeof featureOptions

export const featureIds = Object.keys(featureOptions) as FeatureId[]

/**
 * One feature in the response to `GET /appkit/v1/config`. If `config` is null, the site's option applies. If it
 * is a list, even an empty one, the list applies. If `isEnabled` is false, or `config` or the whole entry is missing,
 * the feature is off.
 *
 * @see docs/contracts/gateway.md#remote-features; spec §3.21
 */
export const Feature = v.object({
  id: v.string(),
  isEnabled: v.nullish(v.boolean()),
  config: v.nullish(v.pipe(v.array(v.string()), v.readonly())),
})

export type Feature = v.InferOutput<typeof Feature>

/** The response to `GET /appkit/v1/config`. If `features` is null, the site's options apply. */
export type ConfigResponse = { features: readonly Feature[] | null }

/** The response to `GET /getAnalyticsConfig`. */
export type AnalyticsConfigResponse = { isAnalyticsEnabled: boolean }

/** The response to `GET /appkit/v1/project-limits`. */
export type ProjectLimitsResponse = {
  planLimits: { tier: string; isAboveRpcLimit: boolean; isAboveMauLimit: boolean }
}
