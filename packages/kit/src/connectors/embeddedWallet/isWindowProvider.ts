import type { SocialProvider } from '@gatefold/protocol/frame'

/**
 * Whether a name is that of a provider whose login opens in a window. @see spec
 * §5.10.3
 */
export function isWindowProvider(name: string): name is SocialProvider {
  return Object.hasOwn(windowProviders, name)
}

const windowProviders: Record<SocialProvider, true> = {
  google: true,
  github: true,
  apple: true,
  facebook: true,
  x: true,
  discord: true,
}
