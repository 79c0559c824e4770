import { defaultFeatures } from './features.ts'
import type { FeatureOptions, RemoteFeatureEntry, RemoteFeatures } from './features.ts'

const none: RemoteFeatures = {
  email: false,
  socials: false,
  swaps: false,
  onramp: false,
  activity: false,
  reownBranding: false,
  multiWallet: false,
}

/**
 * Decides which features are on.
 *
 * Each remote entry has three states: `config: null` leaves it to the site, a list (even an empty
 * one) decides, a missing entry or one without `config` switches off. Without an answer the site's
 * own options hold.
 *
 * @returns the features, and the ids of local options that the server overrode (to be warned about)
 * @see spec §3.21, §6.4.1–2, §5.5.1, §9.12.2
 */
export function resolveFeatures(parameters: {
  local?: FeatureOptions | undefined
  remote?: readonly RemoteFeatureEntry[] | undefined
  basic?: boolean | undefined
}): { features: RemoteFeatures; overridden: readonly (keyof RemoteFeatures)[] } {
  const { local = {}, remote, basic } = parameters
  if (basic) return { features: none, overridden: [] }

  const own: RemoteFeatures = {
    email: local.email ?? defaultFeatures.email,
    socials: list(local.socials, defaultFeatures.socials),
    swaps: list(local.swaps, defaultFeatures.swaps),
    onramp: list(local.onramp, defaultFeatures.onramp),
    activity: local.activity ?? defaultFeatures.activity,
    reownBranding: defaultFeatures.reownBranding,
    multiWallet: local.multiWallet ?? defaultFeatures.multiWallet,
  }
  if (!remote) return { features: own, overridden: [] }

  const entry = (id: string) => remote.find((candidate) => candidate.id === id)
  const asked = (id: string) => entry(id)?.config === null
  const names = (id: string) => {
    const found = entry(id)
    if (!found?.config || found.isEnabled === false) return false
    const texts = found.config.filter((name) => typeof name === 'string')
    return texts.length > 0 ? texts : false
  }
  const on = (id: string) => {
    const found = entry(id)
    return Array.isArray(found?.config) && found.isEnabled !== false
  }
  const login = names('social_login')
  const socials = login ? login.filter((name) => name !== 'email') : []
  const features: RemoteFeatures = {
    email: asked('social_login') ? own.email : login !== false && login.includes('email'),
    socials: asked('social_login') ? own.socials : socials.length > 0 && socials,
    swaps: asked('swap') ? own.swaps : names('swap'),
    onramp: asked('onramp') ? own.onramp : names('onramp'),
    activity: asked('activity') ? own.activity : on('activity'),
    reownBranding: asked('reown_branding') ? own.reownBranding : on('reown_branding'),
    multiWallet: asked('multi_wallet') ? own.multiWallet : on('multi_wallet'),
  }
  const settable = ['email', 'socials', 'swaps', 'onramp', 'activity', 'multiWallet'] as const
  const overridden = settable.filter(
    (id) => local[id] !== undefined && JSON.stringify(own[id]) !== JSON.stringify(features[id]),
  )
  return { features, overridden }
}

/** An empty list counts as off; what is no list of texts is emptied. @see spec §5.5.1, §9.12.2 */
function list(
  value: readonly string[] | boolean | undefined,
  fallback: readonly string[] | false,
): readonly string[] | false {
  if (value === undefined || value === true) return fallback
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) return false
  return value.length > 0 ? value : false
}
