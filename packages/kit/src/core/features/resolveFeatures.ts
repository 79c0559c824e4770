import type { Feature, FeatureId } from '@gatefold/protocol/gateway'

import { siteFeatures } from './siteFeatures.ts'
import type { AllFeatureOptions, RemoteFeatures } from './features.ts'

/**
 * Decides which features are on.
 *
 * A remote entry has three states: `config: null` leaves the feature to the site's options, a list
 * (even if empty) replaces them, and a missing entry or one without `config` turns the feature off.
 * `isEnabled: false` turns it off, whatever its `config`. Without a response, the site's options apply.
 *
 * @returns the features, and the local options that the gateway overrode, for a warning
 * @see docs/contracts/gateway.md#remote-features; spec §3.21, §6.4.1–2, §5.5.1, §9.12.2
 */
export function resolveFeatures(parameters: {
  local?: AllFeatureOptions | undefined
  remote?: readonly Feature[] | undefined
  basic?: boolean | undefined
}): { features: RemoteFeatures; overridden: readonly (keyof RemoteFeatures)[] } {
  const { local = {}, remote, basic } = parameters
  const localFeatures = siteFeatures({ local, basic })
  if (basic || !remote) return { features: localFeatures, overridden: [] }

  type Id = FeatureId | 'passkey_login'
  const entry = (id: Id) => remote.find((candidate) => candidate.id === id)
  const isLocal = (id: Id) => entry(id)?.config === null && entry(id)?.isEnabled !== false
  const names = (id: FeatureId) => {
    const found = entry(id)
    if (!found?.config || found.isEnabled === false) return false
    const texts = found.config.filter((name) => typeof name === 'string')
    return texts.length > 0 ? texts : false
  }
  const on = (id: Id) => {
    const found = entry(id)
    return Array.isArray(found?.config) && found.isEnabled !== false
  }
  const login = names('social_login')
  const socials = login ? login.filter((name) => name !== 'email') : []
  const features: RemoteFeatures = {
    email: isLocal('social_login')
      ? localFeatures.email
      : login !== false && login.includes('email'),
    socials: isLocal('social_login') ? localFeatures.socials : socials.length > 0 && socials,
    passkey: isLocal('passkey_login') ? localFeatures.passkey : on('passkey_login'),
    swaps: isLocal('swap') ? localFeatures.swaps : names('swap'),
    onramp: isLocal('onramp') ? localFeatures.onramp : names('onramp'),
    activity: isLocal('activity') ? localFeatures.activity : on('activity'),
    reownBranding: isLocal('reown_branding') ? localFeatures.reownBranding : on('reown_branding'),
    multiWallet: isLocal('multi_wallet') ? localFeatures.multiWallet : on('multi_wallet'),
  }
  const settable = [
    'email',
    'socials',
    'passkey',
    'swaps',
    'onramp',
    'activity',
    'multiWallet',
  ] as const
  // The site's list is shown unless the gateway turns social logins off.
  const isShown = (id: string) =>
    id === 'socials' && Array.isArray(local.socials) && features.socials !== false
  const overridden = settable.filter(
    (id) =>
      local[id] !== undefined &&
      !isShown(id) &&
      JSON.stringify(localFeatures[id]) !== JSON.stringify(features[id]),
  )
  return { features, overridden }
}
