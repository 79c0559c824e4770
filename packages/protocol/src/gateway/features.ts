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
 * One feature in the response to `GET /appkit/v1/config`. With `config: null`, the site's options apply. A
 * list, even an empty one, overrides them; with `isEnabled: false`, it turns the feature off. A missing
 * entry or a missing `config` also turns the feature off.
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
export const ConfigResponse = v.object({
  features: v.nullable(v.pipe(v.array(Feature), v.readonly())),
})

export type ConfigResponse = v.InferOutput<typeof ConfigResponse>

/** The response to `GET /getAnalyticsConfig`. */
export const AnalyticsConfigResponse = v.object({ isAnalyticsEnabled: v.boolean() })

export type AnalyticsConfigResponse = v.InferOutput<typeof AnalyticsConfigResponse>

/** The response to `GET /appkit/v1/project-limits`. */
export const ProjectLimitsResponse = v.object({
  planLimits: v.object({
    tier: v.string(),
    isAboveRpcLimit: v.boolean(),
    isAboveMauLimit: v.boolean(),
  }),
})

export type ProjectLimitsResponse = v.InferOutput<typeof ProjectLimitsResponse>
