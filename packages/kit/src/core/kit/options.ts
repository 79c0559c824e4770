import type { ChainNamespace } from '@gatefold/protocol'

import type { AdapterFactory } from '../connection/Adapter.ts'
import type { ConnectorFactory } from '../connection/Connector.ts'
import { OptionsError } from './kitErrors.ts'
import type { KitEvent } from '../analytics/events.ts'
import type { FeatureOptions } from '../features/features.ts'
import { toNetwork } from '../networks/Network.ts'
import type { Network, NetworkInput } from '../networks/Network.ts'
import type { KeyValueStorage } from '../storage/storage.ts'
import { themeVariables } from '../appearance/theme.ts'
import type { ThemeMode, ThemeState, ThemeVariables } from '../appearance/theme.ts'
import type { WalletListing } from '../wallets/WalletListing.ts'

/** The site's name, description, URL and icons, as wallets show them. @see spec §3.20 */
export type Metadata = {
  name: string
  description: string
  url: string
  icons: readonly string[]
}

/** Origins of the servers. A server that is not listed is never contacted. */
export type Endpoints = {
  gateway?: string | undefined
  relay?: string | undefined
  verify?: string | undefined
  frame?: string | undefined
}

/**
 * The options of `createGatefold`. Named as in AppKit, so that a site can migrate.
 *
 * @see spec §3.20; docs/views.md#public-api
 */
export type GatefoldOptions = {
  networks: readonly [NetworkInput, ...NetworkInput[]]
  metadata: Metadata
  adapters?: readonly AdapterFactory[]
  /** Connectors in addition to the built-in ones; their sessions may serve several chain families. */
  connectors?: readonly ConnectorFactory[]
  /**
   * One origin for the gateway, the relay and the verify service, or one for each server. Without it, the
   * kit contacts none of them.
   */
  endpoints?: string | Endpoints
  projectId?: string
  defaultNetwork?: NetworkInput
  features?: FeatureOptions
  themeMode?: ThemeMode
  themeVariables?: ThemeVariables
  termsConditionsUrl?: string
  privacyPolicyUrl?: string
  customWallets?: readonly WalletListing[]
  includeWalletIds?: readonly string[]
  excludeWalletIds?: readonly string[]
  featuredWalletIds?: readonly string[]
  /** Accepted as in AppKit, but has no effect yet. The keys are CAIP-2 ids. */
  tokens?: Record<string, { address: string; image?: string }>
  customRpcUrls?: Record<string, readonly { url: string }[]>
  chainImages?: Record<string | number, string>
  /** Accepted as in AppKit, but has no effect yet. Mutually exclusive with `siweConfig`. */
  siwx?: unknown
  /** Accepted as in AppKit, but has no effect yet. Mutually exclusive with `siwx`. */
  siweConfig?: unknown
  /** Basic mode: connects wallets only, with all other features off. @see spec §6.4.1 */
  basic?: boolean
  allWallets?: 'SHOW' | 'HIDE' | 'ONLY_MOBILE'
  enableWalletConnect?: boolean
  enableWallets?: boolean
  enableWalletGuide?: boolean
  enableEIP6963?: boolean
  enableInjected?: boolean
  enableNetworkSwitch?: boolean
  enableReconnect?: boolean
  /** Accepted as in AppKit, but has no effect yet. */
  enableAuthLogger?: boolean
  allowUnsupportedChain?: boolean
  debug?: boolean
  manualWCControl?: boolean
  /** Prefers universal links over custom schemes for opening wallet apps. */
  experimental_preferUniversalLinks?: boolean
  /** Whether the site renders the modal's root itself. @see spec §2.13.1 */
  disableAppend?: boolean
  /** Renders the modal inside the page instead of over it. @see spec §2.7.2 */
  enableEmbedded?: boolean
  /** Whether pages are rendered on a server. If so, `start()` runs after hydration. */
  ssr?: boolean
  /**
   * When to load the modal's code. `idle`: in idle time after the page's load event, while a button that
   * opens the modal is on screen and no wallet is connected; the first view is then rendered ahead.
   * `intent`: when the pointer or the focus reaches such a button. `none`: when the modal opens.
   *
   * @default 'idle', or 'intent' with Save-Data and on 2G and 3G connections
   */
  prefetch?: Prefetch
  storage?: KeyValueStorage
  /** Distinguishes instances that share storage. */
  storageKey?: string
  locale?: string
  /** Strings by key that override those in the catalog. */
  messages?: Record<string, string>
  /** Catalogs by locale, loaded when the locale is selected. */
  locales?: Record<string, () => Promise<{ default: Record<string, string> }>>
  /**
   * The nonce for the kit's style elements; required by a Content-Security-Policy without
   * 'unsafe-inline'.
   */
  nonce?: string
  /** Called for every event, whether or not analytics are enabled. */
  analytics?: (event: KitEvent) => void
}

const prefetchValues = ['idle', 'intent', 'none'] as const
export type Prefetch = (typeof prefetchValues)[number]

export type ResolvedOptions = Omit<
  GatefoldOptions,
  'networks' | 'endpoints' | 'themeMode' | 'themeVariables' | 'defaultNetwork'
> & {
  networks: readonly Network[]
  defaultNetwork: Network
  endpoints: Endpoints
  theme: ThemeState
  storageKey: string
  namespaces: readonly ChainNamespace.ChainNamespace[]
}

/**
 * Validates the site's options and adds the defaults.
 *
 * @throws {OptionsError} with a message that names the option and the expected value
 * @see spec §3.20, §5.6.2
 */
export function resolveOptions(options: GatefoldOptions): ResolvedOptions {
  if (options.siweConfig && options.siwx)
    throw new OptionsError('Cannot set both `siweConfig` and `siwx` options', {
      code: 'options.siwx_twice',
    })
  if (!Array.isArray(options.networks) || options.networks.length === 0)
    throw new OptionsError('`networks` needs at least one network', {
      code: 'options.networks',
      metaMessages: ["For example: import { mainnet } from 'viem/chains' and networks: [mainnet]."],
    })
  if (!options.metadata?.name)
    throw new OptionsError('`metadata` needs the name of the site', {
      code: 'options.metadata',
      metaMessages: ['Wallets show it in the connection request.'],
    })
  if (options.prefetch !== undefined && !prefetchValues.includes(options.prefetch))
    throw new OptionsError("`prefetch` must be 'idle', 'intent' or 'none'", {
      code: 'options.prefetch',
    })
  const endpoints: Endpoints =
    typeof options.endpoints === 'string'
      ? { gateway: options.endpoints, relay: options.endpoints, verify: options.endpoints }
      : (options.endpoints ?? {})
  for (const [name, value] of Object.entries(endpoints)) {
    if (value === undefined) continue
    const url = URL.canParse(value) ? new URL(value) : undefined
    if (!url || url.pathname !== '/' || url.search || url.hash)
      throw new OptionsError(`\`endpoints.${name}\` must be a bare origin`, {
        code: 'options.endpoints',
        metaMessages: [`Got “${value}”; expected something like https://gate.example.org.`],
      })
  }
  const context = {
    gateway: endpoints.gateway,
    projectId: options.projectId,
    customRpcUrls: options.customRpcUrls,
    chainImages: options.chainImages,
  }
  const networks = options.networks.map((network) => toNetwork(network, context))
  const requested = options.defaultNetwork && toNetwork(options.defaultNetwork, context)
  const defaultNetwork = requested
    ? networks.find(({ caipNetworkId }) => caipNetworkId === requested.caipNetworkId)
    : networks[0]
  if (!defaultNetwork)
    throw new OptionsError('`defaultNetwork` must be one of `networks`', {
      code: 'options.default_network',
    })
  const namespaces = [...new Set(options.adapters?.map(({ namespace }) => namespace))]
  return {
    ...options,
    networks,
    defaultNetwork,
    endpoints,
    namespaces,
    storageKey: options.storageKey ?? 'gatefold',
    theme: {
      mode: options.themeMode ?? 'system',
      variables: themeVariables(options.themeVariables),
    },
  }
}
