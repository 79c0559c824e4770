import * as v from 'valibot'

/**
 * The features a project switches, with what a client may find in their `config`.
 * An empty list marks a plain switch.
 *
 * @see contract of the gateway, 3.3
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
 * One feature as `GET /appkit/v1/config` answers it. Three states:
 * `config: null` leaves the choice to the page, a list (even an empty one) decides it,
 * and a missing entry or a missing `config` means off.
 */
export const Feature = v.object({
  id: v.string(),
  isEnabled: v.boolean(),
  config: v.nullish(v.array(v.string())),
})

export type Feature = v.InferOutput<typeof Feature>

export const ConfigAnswer = v.object({ features: v.nullable(v.array(Feature)) })

export type ConfigAnswer = v.InferOutput<typeof ConfigAnswer>

/** What `GET /getAnalyticsConfig` answers. */
export const AnalyticsConfigAnswer = v.object({ isAnalyticsEnabled: v.boolean() })

/** What `GET /appkit/v1/project-limits` answers. Nothing is metered here, so no limit is reached. */
export const ProjectLimitsAnswer = v.object({
  planLimits: v.object({
    tier: v.string(),
    isAboveRpcLimit: v.boolean(),
    isAboveMauLimit: v.boolean(),
  }),
})
