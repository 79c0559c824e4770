import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { limits } from '@gatefold/protocol'
import { QueryClient } from '@tanstack/react-query'
import { createElement } from 'react'
import type { ComponentType } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { base, mainnet } from 'viem/chains'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { walletConnect } from '../connectors/walletConnect/walletConnect.ts'
import { getBalance } from '../core/account/balance.ts'
import { getNetwork, isConnected } from '../core/connection/account.ts'
import { connect } from '../core/connection/connect.ts'
import { addWallet } from '../core/connection/linkedWallets.ts'
import type { ConnectorContext } from '../core/connection/Connector.ts'
import type { AdapterContext, AdapterFactory } from '../core/connection/Adapter.ts'
import { sendEvent } from '../core/analytics/report.ts'
import { setLocale } from '../core/appearance/appearance.ts'
import { loadRemoteConfig } from '../core/features/loadRemoteConfig.ts'
import type { GatewayClient } from '../core/features/GatewayClient.ts'
import { createKit } from '../core/kit/createKit.ts'
import type { KitInstance } from '../core/kit/Kit.ts'
import type { GatefoldOptions } from '../core/kit/options.ts'
import { memoryStorage } from '../core/storage/storage.ts'
import { memoryAdapter } from '../core/testing/memoryAdapter.ts'
import type { ViewData, ViewEntry, ViewName } from '../core/view/view.ts'
import { currentView } from '../core/view/view.ts'
import { fetchWallets } from '../core/wallets/fetchWallets.ts'
import { networkImage } from '../core/wallets/images.ts'
import { embedded } from './embedded.ts'
import { KitContext } from '../react/context.ts'
import { Buttons } from '../ui/buttons/Buttons.tsx'
import { addConnectorViews, addViews, loadView, viewModule } from '../ui/views.ts'
import { embeddedViews } from '../ui/views/embeddedWallet/views.ts'
import { walletConnectViews } from '../ui/views/walletConnect/views.ts'

// The tables in this file have a row for every option, feature and view: without one, the file does not compile.
// An option that has no effect fails its test.

/** An instance, and what its adapter, connectors and gateway received from it. */
type Site = {
  kit: KitInstance
  wallets: ReturnType<typeof memoryAdapter>
  adapter: AdapterContext | undefined
  connector: ConnectorContext | undefined
  /** Parameters of the gateway client. */
  gateway: unknown
  /** Events that the gateway received. */
  sent: string[]
}

const sites: Site[] = []

function start(options: Partial<GatefoldOptions>): Site {
  const wallets = memoryAdapter()
  const site: Partial<Site> = { wallets, sent: [] }
  const factory: AdapterFactory = {
    ...wallets.factory,
    create(context) {
      site.adapter = context
      return wallets.factory.create(context)
    },
  }
  site.kit = createKit(
    {
      metadata: siteNamed('Book'),
      networks: [mainnet, base],
      adapters: [factory],
      connectors: [],
      storage: memoryStorage(),
      ...options,
    },
    {
      loadGateway: async (parameters) => {
        site.gateway = parameters
        return {
          config: async () => null,
          analyticsEnabled: async () => true,
          send: async ({ event }: { event: string }) => void site.sent!.push(event),
        } as unknown as GatewayClient
      },
      connectors: [
        walletConnect,
        (context) => {
          site.connector = context
          return undefined
        },
      ],
    },
  )
  sites.push(site as Site)
  return site as Site
}

/** Renders a component for the current state. Effects do not run. */
function render(kit: KitInstance, component: ComponentType<never>, props: object = {}): string {
  const current = Object.create(kit, {
    getInitialState: { value: () => kit.getState() },
  }) as KitInstance
  const value = {
    kit: current,
    queryClient: new QueryClient(),
    loadModal: () => new Promise<never>(() => {}),
    isBroken: false,
    setBroken: () => {},
  }
  return renderToStaticMarkup(
    createElement(KitContext, { value }, createElement(component as ComponentType<object>, props)),
  )
}

async function renderView<name extends ViewName>(
  kit: KitInstance,
  name: name,
  data?: ViewData[name],
): Promise<string> {
  await loadView(name)
  // Views keep their state with the history entry that is on screen.
  kit.dispatch({ type: 'view.reset', entry: { name, data } as ViewEntry })
  return render(kit, viewModule(name)!.View as ComponentType<never>, { data })
}

/** Whether the connect view contains a text. */
const connectShows =
  (text: string) =>
  async ({ kit }: Site) => {
    await kit.ready()
    return (await renderView(kit, 'Connect')).includes(text)
  }

/** Whether the modal opens when the wallet is on a network that is not configured. */
const opensOnUnsupported = async ({ kit, wallets }: Site) => {
  const [connectorId] = wallets.ids
  await connect(kit, { connectorId })
  wallets.emit({ type: 'chainChanged', connectorId, caipNetworkId: 'eip155:999' })
  return kit.getState().view.open
}

const storedAs = (state: object) => {
  const storage = memoryStorage()
  storage.setItem('gatefold', JSON.stringify({ version: limits.persistedStateVersion, state }))
  return storage
}
const visited = {
  connections: { eip155: { 'dev.gatefold.halyard': 'active' } },
  networks: { eip155: 'eip155:8453' },
  namespace: 'eip155',
  recent: [],
  accounts: {},
}

type Effect<options, name extends keyof options> =
  | {
      /** Two values of the option; undefined omits it. */
      values: readonly [options[name] | undefined, options[name]]
      /** Other options that the effect needs. */
      options?: Partial<GatefoldOptions>
      observe: (site: Site) => unknown
      /** What `observe` returns for each value. */
      expected: readonly [unknown, unknown]
    }
  /** For an effect that needs a browser: the test that covers it. */
  | { file: string; title: string }

type Effects<options> = { [name in keyof options]-?: Effect<options, name> }

const events: string[] = []

const siteNamed = (name: string) => ({
  name,
  description: '',
  url: 'https://book.example',
  icons: [],
})

const otherSite = {
  name: 'Scroll',
  description: 'A long text',
  url: 'https://scroll.example',
  icons: ['https://scroll.example/icon.png'],
}

const effects: Effects<GatefoldOptions> = {
  networks: {
    values: [[mainnet], [mainnet, base]],
    observe: ({ kit }) => kit.getState().networks.map(({ name }) => name),
    expected: [['Ethereum'], ['Ethereum', 'Base']],
  },
  metadata: {
    values: [siteNamed('Book'), otherSite],
    observe: ({ connector }) => connector?.options.metadata,
    expected: [siteNamed('Book'), otherSite],
  },
  adapters: {
    values: [
      [],
      [
        memoryAdapter({ connectors: [{ id: 'a', name: 'A', type: 'ANNOUNCED', chain: 'eip155' }] })
          .factory,
      ],
    ],
    observe: async ({ kit }) => {
      await kit.ready()
      return kit.getState().connectors.map(({ id }) => id)
    },
    expected: [[], ['a']],
  },
  connectors: {
    values: [
      [],
      [
        () => ({
          id: 'own',
          name: 'Own',
          type: 'EXTERNAL',
          chain: 'eip155',
          chains: ['eip155'],
          connect: () => new Promise<never>(() => {}),
          restore: async () => undefined,
          preload: async () => {},
          disconnect: async () => {},
          destroy: () => {},
        }),
      ],
    ],
    observe: ({ kit }) => [...kit.connectors.keys()],
    expected: [[], ['own']],
  },
  endpoints: {
    values: [undefined, 'https://gate.example'],
    observe: async ({ kit }) => {
      await kit.gateway()
      return [...kit.connectors.keys(), sites.at(-1)?.gateway]
    },
    expected: [
      [undefined],
      ['walletConnect', { url: 'https://gate.example', projectId: undefined }],
    ],
  },
  projectId: {
    values: [undefined, 'my-site'],
    options: { endpoints: 'https://gate.example' },
    observe: async ({ kit }) => {
      await kit.gateway()
      return sites.at(-1)?.gateway
    },
    expected: [
      { url: 'https://gate.example', projectId: undefined },
      { url: 'https://gate.example', projectId: 'my-site' },
    ],
  },
  defaultNetwork: {
    values: [undefined, base],
    observe: ({ kit }) => getNetwork(kit.getState())?.name,
    expected: ['Ethereum', 'Base'],
  },
  features: {
    values: [undefined, { multiWallet: false }],
    observe: async ({ kit }) => {
      await loadRemoteConfig(kit)
      return kit.getState().features.multiWallet
    },
    expected: [true, false],
  },
  themeMode: {
    values: [undefined, 'dark'],
    observe: ({ kit }) => kit.getState().theme.mode,
    expected: ['system', 'dark'],
  },
  themeVariables: {
    values: [undefined, { '--gf-accent': 'teal' }],
    observe: ({ kit }) => render(kit, Buttons as ComponentType<never>).includes('--gf-accent:teal'),
    expected: [false, true],
  },
  termsConditionsUrl: {
    values: [undefined, 'https://book.example/terms'],
    observe: connectShows('href="https://book.example/terms"'),
    expected: [false, true],
  },
  privacyPolicyUrl: {
    values: [undefined, 'https://book.example/privacy'],
    observe: connectShows('href="https://book.example/privacy"'),
    expected: [false, true],
  },
  customWallets: {
    values: [undefined, [{ id: 'orrery', name: 'Orrery' }]],
    observe: connectShows('Orrery'),
    expected: [false, true],
  },
  includeWalletIds: {
    values: [undefined, ['no such wallet']],
    observe: async ({ kit }) => (await fetchWallets(kit)).count > 0,
    expected: [true, false],
  },
  excludeWalletIds: {
    values: [undefined, ['c57ca95b47569778a828d19178114f4db188b89b763c899ba0be274e97267d96']],
    observe: async ({ kit }) => {
      const { wallets } = await fetchWallets(kit, { search: 'MetaMask' })
      return wallets.some(({ name }) => name === 'MetaMask')
    },
    expected: [true, false],
  },
  featuredWalletIds: {
    values: [[], ['1ae92b26df02f0abca6304df07debccd18262fdf5fe82daa81593582dac9a369']],
    observe: async ({ kit }) => (await fetchWallets(kit)).wallets[0]?.name === 'Rainbow',
    expected: [false, true],
  },
  tokens: {
    values: [undefined, { 'eip155:1': { address: '0x0', image: '/usdc.svg' } }],
    observe: async ({ kit, wallets }) => {
      await connect(kit, { connectorId: wallets.ids[0] })
      return (await getBalance(kit)).image
    },
    expected: [undefined, '/usdc.svg'],
  },
  customRpcUrls: {
    values: [undefined, { 'eip155:1': [{ url: 'https://rpc.book.example' }] }],
    observe: ({ kit }) =>
      kit.getState().networks[0]?.rpcUrls.default.http[0] === 'https://rpc.book.example',
    expected: [false, true],
  },
  chainImages: {
    values: [undefined, { 8453: '/base.svg' }],
    observe: ({ kit }) => networkImage(kit, kit.getState().networks[1]!) === '/base.svg',
    expected: [false, true],
  },
  basic: {
    values: [undefined, true],
    observe: async ({ kit }) => {
      await loadRemoteConfig(kit)
      return Object.values(kit.getState().features).some(Boolean)
    },
    expected: [true, false],
  },
  allWallets: {
    values: [undefined, 'HIDE'],
    observe: connectShows('All Wallets'),
    expected: [true, false],
  },
  enableWalletConnect: {
    values: [undefined, false],
    options: { endpoints: { relay: 'https://relay.example' } },
    observe: ({ kit }) => [...kit.connectors.keys()],
    expected: [['walletConnect'], []],
  },
  enableWallets: {
    values: [undefined, false],
    observe: connectShows('Halyard'),
    expected: [true, false],
  },
  enableWalletGuide: {
    values: [undefined, true],
    observe: connectShows('gf-footer'),
    expected: [false, true],
  },
  enableEIP6963: {
    values: [undefined, false],
    observe: ({ adapter }) => adapter?.options.eip6963,
    expected: [true, false],
  },
  enableInjected: {
    values: [undefined, false],
    observe: ({ adapter }) => adapter?.options.injected,
    expected: [true, false],
  },
  enableNetworkSwitch: {
    values: [undefined, false],
    observe: opensOnUnsupported,
    expected: [true, false],
  },
  enableReconnect: {
    values: [undefined, false],
    options: { storage: storedAs(visited) },
    observe: async ({ kit }) => {
      await kit.ready()
      return isConnected(kit.getState())
    },
    expected: [true, false],
  },
  enableAuthLogger: {
    file: 'tests/frame/login.test.ts',
    title: 'the messages of the frame are logged by name, if the site wants it',
  },
  allowUnsupportedChain: {
    values: [undefined, true],
    observe: opensOnUnsupported,
    expected: [true, false],
  },
  debug: {
    values: [undefined, true],
    observe: ({ kit }) => {
      kit.alert('PROJECT_ID_NOT_CONFIGURED')
      return vi.waitUntil(() => (kit.options.debug ? kit.getState().alerts.length : 'logged only'))
    },
    expected: ['logged only', 1],
  },
  manualWCControl: {
    values: [undefined, true],
    observe: ({ kit }) => {
      void kit.open({ uri: 'wc:site' })
      return currentView(kit.getState().view).name
    },
    expected: ['Connect', 'ConnectingWalletConnectBasic'],
  },
  experimental_preferUniversalLinks: {
    file: 'tests/ui/walletConnectApps.test.ts',
    title: 'the universal link is used if the site prefers it, otherwise the URL scheme',
  },
  modalSize: {
    file: 'tests/ui/wide.test.ts',
    title:
      'are as wide as two compact cards: one lists the wallets, the other explains what a wallet is',
  },
  disableAppend: {
    file: 'tests/ui/hooks.test.ts',
    title: 'with disableAppend, the modal is rendered where the site places it',
  },
  enableEmbedded: {
    values: [undefined, true],
    observe: ({ kit }) => kit.getState().view.embedded,
    expected: [false, true],
  },
  ssr: {
    options: { storage: storedAs(visited) },
    values: [undefined, true],
    observe: ({ kit }) => getNetwork(kit.getState())?.name,
    expected: ['Base', 'Ethereum'],
  },
  prefetch: {
    values: [undefined, 'none'],
    observe: ({ kit }) => {
      let loads = 0
      kit.onPrefetch(() => (loads += 1))
      kit.prefetch()
      return loads
    },
    expected: [1, 0],
  },
  storage: {
    values: [memoryStorage(), storedAs({ ...visited, connections: {} })],
    observe: ({ kit }) => getNetwork(kit.getState())?.name,
    expected: ['Ethereum', 'Base'],
  },
  storageKey: {
    values: [undefined, 'second'],
    observe: ({ connector }) => connector?.options.storageKey,
    expected: ['gatefold', 'second'],
  },
  currency: {
    values: [undefined, 'EUR'],
    observe: ({ kit }) => kit.getState().preferences.currency,
    expected: ['USD', 'EUR'],
  },
  locale: {
    values: [undefined, 'de'],
    options: { locales: { de: () => import('../ui/strings/de.ts') } },
    observe: ({ kit }) => kit.getState().locale,
    expected: ['en', 'de'],
  },
  messages: {
    values: [undefined, { 'connect.allWallets': 'Every wallet' }],
    observe: connectShows('Every wallet'),
    expected: [false, true],
  },
  locales: {
    values: [{}, { ar: () => import('../ui/strings/ar.ts') }],
    observe: ({ kit }) => {
      try {
        setLocale(kit, 'ar')
      } catch {
        // A language without a catalog.
      }
      return kit.getState().locale
    },
    expected: ['en', 'ar'],
  },
  nonce: {
    file: 'tests/ui/style.test.ts',
    title: 'a strict content security policy with a nonce allows the modal’s styles',
  },
  analytics: {
    values: [undefined, ({ event }) => void events.push(event)],
    observe: ({ kit }) => {
      events.length = 0
      void kit.open()
      return events
    },
    expected: [[], ['MODAL_OPEN']],
  },
}

/** Options with email and social logins. */
const withFrame = {
  connectors: [embedded()],
  endpoints: { frame: 'https://frame.example' },
}

const featureEffects: Effects<NonNullable<GatefoldOptions['features']>> = {
  multiWallet: {
    values: [undefined, false],
    observe: async ({ kit, wallets }) => {
      await loadRemoteConfig(kit)
      await connect(kit, { connectorId: wallets.ids[0] })
      return addWallet(kit, { namespace: 'eip155' })
    },
    expected: [true, false],
  },
  analytics: {
    values: [undefined, false],
    options: { endpoints: { gateway: 'https://gate.example' } },
    observe: async ({ kit, sent }) => {
      await sendEvent(kit, { event: 'MODAL_OPEN', properties: { connected: false } })
      return sent
    },
    expected: [['MODAL_OPEN'], []],
  },
  legalCheckbox: {
    values: [undefined, true],
    options: { termsConditionsUrl: 'https://book.example/terms' },
    observe: connectShows('type="checkbox"'),
    expected: [false, true],
  },
  connectorTypeOrder: {
    values: [undefined, ['custom', 'injected']],
    options: { customWallets: [{ id: 'orrery', name: 'Orrery' }] },
    observe: async ({ kit }) => {
      await kit.ready()
      const html = await renderView(kit, 'Connect')
      return html.indexOf('Orrery') < html.indexOf('Halyard')
    },
    expected: [false, true],
  },
  email: {
    values: [undefined, false],
    options: withFrame,
    observe: connectShows('type="email"'),
    expected: [true, false],
  },
  socials: {
    values: [undefined, ['github']],
    options: withFrame,
    observe: connectShows('Continue with GitHub'),
    expected: [false, true],
  },
  passkey: {
    values: [undefined, true],
    options: withFrame,
    observe: connectShows('Continue with a passkey'),
    expected: [false, true],
  },
  connectMethodsOrder: {
    values: [undefined, ['social']],
    options: withFrame,
    observe: connectShows('type="email"'),
    expected: [true, false],
  },
  collapseWallets: {
    values: [undefined, true],
    options: withFrame,
    observe: connectShows('Continue with a wallet'),
    expected: [false, true],
  },
  send: { values: [undefined, false], observe: accountActions, expected: [true, false] },
  receive: {
    file: 'tests/ui/tokens.test.ts',
    title: '§2.13.2 the site chooses which actions the account offers, and their order',
  },
  walletFeaturesOrder: {
    values: [undefined, ['onramp']],
    observe: accountActions,
    expected: [true, false],
  },
}

/** Whether the account view, without a gateway, offers to send. */
async function accountActions({ kit, wallets }: Site): Promise<boolean> {
  await connect(kit, { connectorId: wallets.ids[0] })
  return (await renderView(kit, 'Account')).includes('Send')
}

/** Data for the views that need it. */
const data: { [name in ViewName]: (site: Site) => ViewData[name] } = {
  Account: () => undefined,
  AccountSettings: () => undefined,
  ApproveTransaction: () => undefined,
  ConnectSocials: () => undefined,
  ConnectingPasskey: () => undefined,
  ConnectingFarcaster: () => undefined,
  ConnectingSocial: () => ({ provider: 'google' }),
  EmailLogin: () => undefined,
  EmailVerifyDevice: () => ({ email: 'mira@north.example' }),
  EmailVerifyOtp: () => ({ email: 'mira@north.example' }),
  UpdateEmailPrimaryOtp: () => ({ email: 'mira@north.example' }),
  UpdateEmailSecondaryOtp: () => ({ email: 'mira@north.example' }),
  UpdateEmailWallet: () => undefined,
  AllWallets: () => undefined,
  ChooseAccountName: () => undefined,
  Connect: () => undefined,
  Currency: () => undefined,
  ConnectWallets: () => undefined,
  ConnectingExternal: ({ wallets }) => ({ connectorId: wallets.ids[0], namespace: 'eip155' }),
  ConnectingWalletConnect: () => ({ wallet: { id: 'orrery', name: 'Orrery' } }),
  ConnectingWalletConnectBasic: () => undefined,
  Downloads: () => ({
    wallet: { id: 'orrery', name: 'Orrery', homepage: 'https://orrery.example' },
  }),
  GetWallet: () => undefined,
  Networks: () => undefined,
  ProfileWallets: () => undefined,
  BuyInProgress: () => ({ orderId: 'AAAAAAAAAAAAAAAAAAAAAA' }),
  OnRampFiatSelect: () => undefined,
  OnRampProviders: () => undefined,
  OnRampTokenSelect: () => undefined,
  RegisterAccountName: () => undefined,
  RegisterAccountNameSuccess: () => ({ name: 'mira.harbor.alt' }),
  Swap: () => ({ toToken: 'USDC' }),
  SwapPreview: () => ({
    swap: { fromToken: 'ETH', toToken: 'USDC', amount: '1', slippage: 100, deadline: 20 },
  }),
  SwapSelectToken: () => ({ side: 'toToken', swap: {} }),
  SwitchActiveChain: ({ kit }) => ({ network: kit.getState().networks[1]! }),
  SwitchNetwork: ({ kit }) => ({ network: kit.getState().networks[1]! }),
  Nft: () => ({ id: 'eip155:1/erc721:0x0/1' }),
  Token: () => ({ id: 'eip155:1' }),
  Transaction: () => ({ id: '0x' }),
  Transactions: () => undefined,
  UnsupportedChain: () => undefined,
  WalletCompatibleNetworks: () => undefined,
  WalletReceive: () => undefined,
  WalletSend: () => undefined,
  WalletSendPreview: () => ({ token: 'eip155:1', amount: '1', to: '0x' }),
  WalletSendSelectToken: () => undefined,
  WhatIsABuy: () => undefined,
  WhatIsANetwork: () => undefined,
  WhatIsAWallet: () => undefined,
}

beforeEach(() => {
  vi.stubGlobal('window', { location: { origin: 'https://book.example' } })
  vi.stubGlobal('console', { ...console, warn() {}, error() {}, info() {} })
  addViews(walletConnectViews)
  addConnectorViews(embeddedViews)
})
afterEach(() => {
  for (const { kit } of sites.splice(0)) kit.destroy()
  vi.unstubAllGlobals()
})

type Case = {
  name: string
  row: string
  effect: Effect<Record<string, unknown>, string>
  toOptions: (value: unknown) => object
}

/** The facts of the specification about the options that are tested here. */
const rows: { [name in keyof GatefoldOptions]?: string } = {
  projectId: '§3.20/1 ',
  metadata: '§3.20/2 ',
  networks: '§3.20/3 ',
  defaultNetwork: '§3.20/4 ',
  adapters: '§3.20/5 ',
  features: '§3.20/6 ',
  themeMode: '§3.20/7 ',
  themeVariables: '§3.20/8 ',
  termsConditionsUrl: '§3.20/9 ',
  privacyPolicyUrl: '§3.20/10 ',
  customWallets: '§3.20/11 ',
  includeWalletIds: '§3.20/12 ',
  excludeWalletIds: '§3.20/13 ',
  featuredWalletIds: '§3.20/14 ',
  tokens: '§3.20/15 ',
  customRpcUrls: '§3.20/16 ',
  chainImages: '§3.20/17 ',
  basic: '§3.20/19 ',
  enableWalletConnect: '§3.20/20 ',
  enableWallets: '§3.20/21 ',
  enableWalletGuide: '§3.20/22 ',
  enableNetworkSwitch: '§3.20/24 ',
  enableReconnect: '§3.20/25 ',
  allowUnsupportedChain: '§3.20/27 ',
  debug: '§3.20/28 ',
  manualWCControl: '§3.20/29 ',
  enableEmbedded: '§3.20/31 ',
}

const all: readonly Case[] = [
  ...Object.entries(effects).map(([name, effect]) => ({
    name,
    row: rows[name as keyof GatefoldOptions] ?? '',
    effect: effect as Case['effect'],
    toOptions: (value: unknown) => ({ [name]: value }),
  })),
  ...Object.entries(featureEffects).map(([name, effect]) => ({
    name: `features.${name}`,
    row: '',
    effect: effect as Case['effect'],
    toOptions: (value: unknown) => ({ features: { [name]: value } }),
  })),
]

const testedHere = all.flatMap(({ effect, ...rest }) =>
  'file' in effect ? [] : [{ effect, ...rest }],
)
const testedInBrowser = all.flatMap(({ effect, name }) =>
  'file' in effect ? [{ ...effect, name }] : [],
)

test.each(testedHere)('$row the option $name has an effect', async ({ effect, toOptions }) => {
  const results: unknown[] = []
  for (const value of effect.values) {
    const site = start({ ...effect.options, ...(value === undefined ? {} : toOptions(value)) })
    const result = await effect.observe(site)
    results.push(Array.isArray(result) ? [...result] : result)
  }
  expect(results).toEqual(effect.expected)
  expect(results[0]).not.toEqual(results[1])
})

test.each(testedInBrowser)('the option $name has a test in $file', ({ file, title }) => {
  const path = fileURLToPath(new URL(`../../../../${file}`, import.meta.url))
  expect(readFileSync(path, 'utf8')).toContain(title)
})

test('every view of the types renders different content', async () => {
  const site = start({ endpoints: { relay: 'https://relay.example' } })
  await site.kit.ready()
  await connect(site.kit, { connectorId: site.wallets.ids[0] })
  const pages = new Map<string, string>()
  for (const name of Object.keys(data) as ViewName[]) {
    const html = await renderView(site.kit, name, data[name](site) as never)
    expect(html.length, name).toBeGreaterThan(50)
    expect(pages.get(html), `${name} looks like another view`).toBeUndefined()
    pages.set(html, name)
  }
})
