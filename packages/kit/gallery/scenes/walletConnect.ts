import { connect } from '../../src/core/connection/connect.ts'
import { disconnect } from '../../src/core/connection/disconnect.ts'
import { selectNetwork } from '../../src/core/networks/switchNetwork.ts'
import type { KitInstance } from '../../src/core/kit/Kit.ts'
import { walletConnectOf } from '../../src/connectors/walletConnect/openWalletApp.ts'
import type { WalletApp } from '../../src/core/connection/Connector.ts'
import type { Attempt } from '../../src/core/connection/attempt.ts'
import type { WalletListing } from '../../src/core/wallets/WalletListing.ts'
import { halyard, longName } from './connectors.ts'
import type { Control, Scene, Scenes } from './Scene.ts'

const relay: Pick<Scene, 'relay' | 'connectors'> = {
  relay: true,
  connectors: [halyard],
}
const orrery: WalletListing = {
  id: 'orrery',
  name: 'Orrery',
  image_id: 'orrery',
  homepage: 'https://orrery.example/',
  app_store: 'https://apps.apple.com/app/orrery',
  play_store: 'https://play.google.com/store/apps/details?id=orrery',
  mobile_link: 'orrery://',
}
const everywhere: WalletListing = {
  ...orrery,
  rdns: 'dev.gatefold.orrery',
  chrome_store: 'https://chromewebstore.google.com/detail/orrery',
  webapp_link: 'https://orrery.example/app',
  desktop_link: 'orrery-desktop://',
}

const show =
  (wallet?: WalletListing, after?: (kit: KitInstance, control: Control) => void): Scene['show'] =>
  async (kit, control) => {
    void kit.open({ view: 'ConnectingWalletConnect', data: { wallet } })
    if (!after) return
    await uriShown(kit)
    after(kit, control)
  }

/** Resolves once a URI is shown. */
function uriShown(kit: KitInstance): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (!kit.getState().attempt?.progress?.uri) return
      stop()
      resolve()
    }
    const stop = kit.subscribe(check)
    check()
  })
}

/** Connects the phone wallet, named Orrery. */
async function pairedWithOrrery(
  kit: KitInstance,
  control: Control,
  app?: WalletApp,
): Promise<void> {
  const connecting = connect(kit, { connectorId: 'walletConnect' })
  await uriShown(kit)
  if (app) walletConnectOf(kit)?.setApp(app)
  control.relay.approve()
  await connecting
}

/** Requests another network from the wallet, which does not respond. */
function requestNetwork(kit: KitInstance, control: Control): void {
  control.faults.hang = true
  void kit.open({ view: 'Networks' })
  selectNetwork(kit, { network: kit.getState().networks[1]! })
}

const change = (values: Partial<Attempt>) => (kit: KitInstance) => {
  const { attempt } = kit.getState()
  if (attempt) kit.dispatch({ type: 'attempt.changed', attempt: { ...attempt, ...values } })
}
const goOffline = (kit: KitInstance, control: Control) => control.relay.relay('offline')

/** Scenes for wallets outside this browser. */
export const walletConnectScenes: Scenes = {
  'Connect.wide': {
    ...relay,
    options: { modalSize: 'wide' },
    show: (kit) => void kit.open({ view: 'Connect' }),
  },
  ConnectingWalletConnect: { ...relay, show: show() },
  'ConnectingWalletConnect.making': {
    ...relay,
    show: (kit, control) => {
      control.relay.hang = true
      void kit.open({ view: 'ConnectingWalletConnect', data: {} })
    },
  },
  'ConnectingWalletConnect.code': { ...relay, show: show(orrery) },
  'ConnectingWalletConnect.everywhere': { ...relay, show: show(everywhere) },
  'ConnectingWalletConnect.expired': {
    ...relay,
    show: show(orrery, change({ status: 'expired' })),
  },
  'ConnectingWalletConnect.offline': { ...relay, show: show(orrery, goOffline) },
  'ConnectingWalletConnect.declined': {
    ...relay,
    show: show(orrery, change({ status: 'rejected' })),
  },
  'ConnectingWalletConnect.failed': {
    ...relay,
    show: show(undefined, change({ status: 'failed' })),
  },
  'ConnectingWalletConnect.refused': {
    ...relay,
    show: async (kit, control) => {
      await show(orrery, () => {})(kit, control)
      control.relay.relay('refused')
    },
  },
  'ConnectingWalletConnect.broken': {
    ...relay,
    show: async (kit, control) => {
      await show(orrery, () => {})(kit, control)
      control.relay.break()
    },
  },
  'ConnectingWalletConnect.nowhere': {
    ...relay,
    show: show({ id: 'app', name: 'Orrery', image_id: 'orrery', mobile_link: 'orrery://' }),
  },
  'ConnectingWalletConnect.long': {
    ...relay,
    show: show({ ...everywhere, name: longName.name, image_id: undefined }),
  },
  'ConnectingWalletConnect.web': {
    ...relay,
    show: show({
      id: 'web',
      name: 'Orrery',
      image_id: 'orrery',
      webapp_link: 'https://orrery.example/app',
    }),
  },
  'ConnectingWalletConnect.desktop': {
    ...relay,
    show: show({
      id: 'desk',
      name: 'Orrery',
      image_id: 'orrery',
      desktop_link: 'orrery-desktop://',
    }),
  },
  'ConnectingWalletConnect.late': {
    ...relay,
    show: show(
      { id: 'desk', name: 'Orrery', image_id: 'orrery', desktop_link: 'orrery-desktop://' },
      change({ status: 'expired' }),
    ),
  },
  'ConnectingWalletConnect.missing': {
    ...relay,
    show: show({
      id: 'extension',
      name: 'Orrery',
      image_id: 'orrery',
      chrome_store: 'https://chromewebstore.google.com/detail/orrery',
    }),
  },
  'ConnectingWalletConnect.universal': {
    ...relay,
    options: { experimental_preferUniversalLinks: true },
    show: show({ ...orrery, link_mode: 'https://orrery.example/open' }),
  },
  'ConnectingWalletConnect.browser': {
    ...relay,
    prepare: (control) => void (control.faults.hang = true),
    show: (kit) =>
      void kit.open({
        view: 'ConnectingWalletConnect',
        data: { wallet: { ...orrery, name: 'Halyard', rdns: halyard.id } },
      }),
  },
  'ConnectingWalletConnect.linked': {
    ...relay,
    show: async (kit, control) => {
      await pairedWithOrrery(kit, control)
      await show(orrery)(kit, control)
    },
  },
  'ConnectingWalletConnect.taken': {
    ...relay,
    show: async (kit, control) => {
      await pairedWithOrrery(kit, control)
      await show({ ...orrery, id: 'thistle', name: 'Thistle', image_id: 'thistle' })(kit, control)
    },
  },
  ConnectingWalletConnectBasic: { ...relay, withoutAdapters: true, show: (kit) => void kit.open() },
  'AllWallets.bare': { ...relay, withoutAdapters: true, show: (kit) => void kit.open() },
  'Connect.relay': {
    ...relay,
    show: (kit) => {
      kit.dispatch({ type: 'recent.changed', recent: [orrery] })
      void kit.open({ view: 'Connect' })
    },
  },
  'Connect.paired': {
    ...relay,
    show: async (kit, control) => {
      await pairedWithOrrery(kit, control)
      kit.dispatch({
        type: 'recent.changed',
        recent: [{ ...orrery, id: 'thistle', name: 'Thistle', image_id: 'thistle' }],
      })
      void kit.open({ view: 'Connect' })
    },
  },
  'AllWallets.paired': {
    ...relay,
    // Saltbox, from the directory, is installed.
    connectors: [{ ...halyard, name: 'Saltbox', explorerId: 'wallet-1' }],
    show: async (kit, control) => {
      await pairedWithOrrery(kit, control)
      void kit.open({ view: 'AllWallets' })
    },
  },
  'SwitchNetwork.code': {
    ...relay,
    show: async (kit, control) => {
      await pairedWithOrrery(kit, control)
      requestNetwork(kit, control)
    },
  },
  'SwitchNetwork.app': {
    ...relay,
    show: async (kit, control) => {
      kit.dispatch({ type: 'recent.changed', recent: [orrery] })
      await pairedWithOrrery(kit, control, { id: 'orrery', name: 'Orrery', href: 'orrery://' })
      requestNetwork(kit, control)
      control.relay.sent('wallet_switchEthereumChain')
    },
  },
  'ProfileWallets.relay': {
    ...relay,
    show: async (kit, control) => {
      await pairedWithOrrery(kit, control)
      await disconnect(kit)
      void kit.open({ view: 'ProfileWallets' })
    },
  },
  'AllWallets.relay': { ...relay, show: (kit) => void kit.open({ view: 'AllWallets' }) },
}
