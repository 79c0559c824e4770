import { checkOptions } from '#checks'
import type { ChainNamespace } from '@gatefold/protocol'

import type { AdapterFactory } from '../connection/Adapter.ts'
import type { ConnectorFactory } from '../connection/Connector.ts'
import { OptionsError } from './kitErrors.ts'
import type { KitEvent } from '../analytics/events.ts'
import type { AllFeatureOptions, FeatureOptions } from '../features/features.ts'
import { toNetwork } from '../networks/Network.ts'
import type { Network, NetworkInput } from '../networks/Network.ts'
import type { KeyValueStorage } from '../storage/storage.ts'
import type { Endpoints, Metadata } from './site.ts'
import { themeVariables } from '../appearance/theme.ts'
import type { ThemeMode, ThemeState, ThemeVariables } from '../appearance/theme.ts'
import type { WalletListing } from '../wallets/WalletListing.ts'

/**
 * The options of `createGatefold`. An option that AppKit also has keeps AppKit's name.
 *
 * @example
 * const options: GatefoldOptions = {
 *   metadata: { name: 'My site', description: 'What it does', url: 'https://my.site', icons: [] },
 *   networks: [mainnet, base],
 *   adapters: [evm()],
 * }
 */
export type GatefoldOptions = {
  /**
   * The networks that the site uses: viem chains, or networks with CAIP fields. The first is the default.
   *
   * @example networks: [mainnet, base] // from 'viem/chains'
   */
  networks: readonly [NetworkInput, ...NetworkInput[]]
  /** The site, as wallets show it. */
  metadata: Metadata
  /**
   * The chain families to support. Without adapters, wallets connect only through `connectors` and WalletConnect.
   *
   * @example adapters: [evm()] // from '@gatefold/kit/evm'
   */
  adapters?: readonly AdapterFactory[]
  /** Connectors in addition to the built-in ones; their sessions may serve several chain families. */
  connectors?: readonly ConnectorFactory[]
  /**
   * One origin for the gateway, the relay and the verify service, or one for each server. Without it, the
   * kit contacts none of them.
   *
   * @example endpoints: 'https://gate.my.site'
   * @example endpoints: { relay: 'https://relay.my.site' }
   */
  endpoints?: string | Endpoints
  /** The id of a project on your gateway or relay, from `gatefold project create`. Has no effect without a server. */
  projectId?: string
  /**
   * The network that is active until the visitor or the wallet selects another; one of `networks`.
   *
   * @default the first of `networks`
   */
  defaultNetwork?: NetworkInput
  /** Switches features on and off. An option here takes precedence over the gateway's configuration. */
  features?: FeatureOptions
  /**
   * Colors for light or dark pages; `system` follows the visitor's setting.
   *
   * @default 'system'
   */
  themeMode?: ThemeMode
  /**
   * CSS variables of the modal and the buttons.
   *
   * @example themeVariables: { '--gf-accent': '#CD9D6A', '--gf-border-radius-master': 2 }
   */
  themeVariables?: ThemeVariables
  /**
   * `'wide'`: while the visitor connects, the modal has two facing pages, with
   * the connect methods on the left and the current step on the right. The
   * layout is compact in small windows and when embedded.
   *
   * @default 'compact'
   */
  modalSize?: 'compact' | 'wide'
  /** URL of the site's terms, linked below the list of wallets. */
  termsConditionsUrl?: string
  /** URL of the site's privacy policy, linked below the list of wallets. */
  privacyPolicyUrl?: string
  /** Wallets to list in addition to those of the directory. */
  customWallets?: readonly WalletListing[]
  /** Ids of wallets in the directory; the other wallets of the directory are then not listed. */
  includeWalletIds?: readonly string[]
  /** Ids of wallets that are never listed, even if they are installed. */
  excludeWalletIds?: readonly string[]
  /** Ids of wallets that are listed first, in this order. Recommended wallets are then hidden. */
  featuredWalletIds?: readonly string[]
  /**
   * Tokens whose balance is shown in place of that of the native currency, by CAIP-2 id.
   *
   * @example tokens: { 'eip155:1': { address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48' } }
   */
  tokens?: Record<
    string,
    {
      /** The address of the token's contract. */
      address: string
      /** URL of the token's image, which the balance then has. */
      image?: string | undefined
    }
  >
  /**
   * RPC URLs that are tried before those of the gateway and of the chain definition, by CAIP-2 id.
   *
   * @example customRpcUrls: { 'eip155:1': [{ url: 'https://rpc.my.site/1' }] }
   */
  customRpcUrls?: Record<
    string,
    readonly {
      /** The RPC URL. */
      url: string
    }[]
  >
  /**
   * URLs of network images, by chain id.
   *
   * @example chainImages: { 8453: '/base.svg' }
   */
  chainImages?: Record<string | number, string>
  /**
   * Only connects wallets: every feature is off, whatever the gateway's configuration says.
   *
   * @default false
   */
  basic?: boolean
  /**
   * Whether the connect view links to the list of all wallets.
   *
   * @default 'SHOW'
   */
  allWallets?: 'SHOW' | 'HIDE' | 'ONLY_MOBILE'
  /**
   * Whether wallets on other devices can connect. Needs a relay in `endpoints`.
   *
   * @default true
   */
  enableWalletConnect?: boolean
  /**
   * Whether the connect view lists wallets.
   *
   * @default true
   */
  enableWallets?: boolean
  /**
   * Whether the connect view has a link for visitors without a wallet.
   *
   * @default false
   */
  enableWalletGuide?: boolean
  /**
   * Whether to list the wallets that announce themselves to the page (EIP-6963).
   *
   * @default true
   */
  enableEIP6963?: boolean
  /**
   * Whether to list the wallet at `window.ethereum` as "Browser Wallet".
   *
   * @default true
   */
  enableInjected?: boolean
  /**
   * Whether the kit asks wallets to switch networks: when they connect, when the visitor selects a network in the
   * modal, and when the wallet is on an unsupported network.
   *
   * @default true
   */
  enableNetworkSwitch?: boolean
  /**
   * Whether to reconnect wallets that were connected on the last visit.
   *
   * @default true
   */
  enableReconnect?: boolean
  /**
   * Whether to log the names of the messages to and from the secure frame, without their contents.
   *
   * @default false
   */
  enableAuthLogger?: boolean
  /**
   * Whether the visitor may stay on a network that is not in `networks`. By default, the modal then asks to switch.
   *
   * @default false
   */
  allowUnsupportedChain?: boolean
  /**
   * Whether the modal shows the messages for developers that are otherwise only logged.
   *
   * @default false
   */
  debug?: boolean
  /**
   * Whether the site creates WalletConnect's URI itself and passes it to `open({ uri })`.
   *
   * @default false
   */
  manualWCControl?: boolean
  /**
   * Whether wallet apps are opened with their `https` links rather than with their own URL schemes.
   *
   * @default false
   */
  experimental_preferUniversalLinks?: boolean
  /**
   * Whether the site renders `<GatefoldModal>` itself.
   *
   * @default false
   */
  disableAppend?: boolean
  /**
   * Whether `<ConnectPanel>` renders the modal inside the page, instead of over it.
   *
   * @default false
   */
  enableEmbedded?: boolean
  /**
   * Whether pages are rendered on a server. If so, storage and wallets are read after hydration.
   *
   * @default false
   */
  ssr?: boolean
  /**
   * When to load the modal's code. `idle`: after the page's load event, while a button that opens the modal
   * is on screen and no wallet is connected; the first view is then rendered ahead, in idle time.
   * `intent`: when the pointer or the focus reaches such a button. `none`: when the modal opens.
   *
   * @default 'idle', or 'intent' with Save-Data and on 2G and 3G connections
   */
  prefetch?: Prefetch
  /**
   * Where the kit stores connections, recent wallets, and the active networks and accounts.
   *
   * @default `localStorage` in browsers, memory on a server
   */
  storage?: KeyValueStorage
  /**
   * Prefix of the stored keys. Set it if a page has several instances.
   *
   * @default 'gatefold'
   */
  storageKey?: string
  /**
   * The currency of values and prices, as an ISO 4217 code, until the visitor chooses another. Amounts are in US dollars
   * if the gateway has no prices in the currency.
   *
   * @default 'USD'
   * @example currency: 'EUR'
   */
  currency?: string
  /**
   * The language as a BCP 47 tag: `en`, or one of `locales`.
   *
   * @default 'en'
   * @example locale: 'de'
   */
  locale?: string
  /**
   * Texts that replace those of the language, by key.
   *
   * @example messages: { 'connect.or': 'or with' }
   */
  messages?: Record<string, string>
  /**
   * Functions that load catalogs of texts, by locale.
   *
   * @example locales: { de: () => import('@gatefold/kit/locales/de') }
   */
  locales?: Record<
    string,
    () => Promise<{
      /** The texts by key. */
      default: Record<string, string>
    }>
  >
  /**
   * The nonce for the kit's style elements; required by a Content-Security-Policy without
   * 'unsafe-inline'.
   */
  nonce?: string
  /**
   * Called for every event, whether or not `features.analytics` is on.
   *
   * @example analytics: ({ event, properties }) => console.log(event, properties)
   */
  analytics?: (event: KitEvent) => void
}

/** When the modal's code is loaded. */
export type Prefetch = 'idle' | 'intent' | 'none'

export type ResolvedOptions = Omit<
  GatefoldOptions,
  'networks' | 'endpoints' | 'themeMode' | 'themeVariables' | 'defaultNetwork' | 'features'
> & {
  networks: readonly Network[]
  defaultNetwork: Network
  endpoints: Endpoints
  features?: AllFeatureOptions
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
  // Checked in production too, because a site that migrates would lose its sign-in.
  const { siwx, siweConfig } = options as { siwx?: unknown; siweConfig?: unknown }
  if (siwx && siweConfig)
    throw new OptionsError('Cannot set both `siweConfig` and `siwx` options', {
      code: 'options.siwx_twice',
    })
  if (siwx || siweConfig)
    throw new OptionsError(
      'This version of Gatefold has no sign-in: remove `siwx` or `siweConfig`',
      {
        code: 'options.siwx',
      },
    )
  checkOptions(options)
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
