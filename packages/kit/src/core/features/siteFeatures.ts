import { defaultFeatures } from './features.ts'
import type { AllFeatureOptions, RemoteFeatures } from './features.ts'

const none: RemoteFeatures = {
  email: false,
  socials: false,
  passkey: false,
  swaps: false,
  onramp: false,
  activity: false,
  reownBranding: false,
  multiWallet: false,
}

/** The features by the site's options, which apply until the gateway has answered. @see spec §3.21, §6.4.1 */
export function siteFeatures(parameters: {
  local?: AllFeatureOptions | undefined
  basic?: boolean | undefined
}): RemoteFeatures {
  const { local = {}, basic } = parameters
  if (basic) return none
  return {
    email: local.email ?? defaultFeatures.email,
    socials: list(local.socials, defaultFeatures.socials),
    passkey: local.passkey ?? defaultFeatures.passkey,
    swaps: list(local.swaps, defaultFeatures.swaps),
    onramp: list(local.onramp, defaultFeatures.onramp),
    activity: local.activity ?? defaultFeatures.activity,
    reownBranding: defaultFeatures.reownBranding,
    multiWallet: local.multiWallet ?? defaultFeatures.multiWallet,
  }
}

/** An empty list, or one with values other than strings, turns the feature off. @see spec §5.5.1, §9.12.2 */
function list(
  value: readonly string[] | boolean | undefined,
  fallback: readonly string[] | false,
): readonly string[] | false {
  if (value === undefined || value === true) return fallback
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) return false
  return value.length > 0 ? value : false
}
