import { showToast } from '../../src/core/notifications/showToast.ts'
import { connectWallet } from '../../src/core/connection/connect.ts'
import type { WalletListing } from '../../src/core/wallets/WalletListing.ts'
import { broken, halyard, longName, nacre } from './connectors.ts'
import type { ConnectorInfo } from '../../src/core/connection/Connector.ts'
import type { FeatureOptions } from '../../src/core/features/features.ts'
import type { Control, Scene, Scenes } from './Scene.ts'
import type { KitInstance } from '../../src/core/kit/Kit.ts'
import type { Attempt } from '../../src/core/connection/attempt.ts'

const listing: WalletListing = {
  id: 'orrery',
  name: 'Orrery',
  image_id: 'orrery',
  homepage: 'https://orrery.example/',
  app_store: 'https://apps.apple.com/app/orrery',
  play_store: 'https://play.google.com/store/apps/details?id=orrery',
  chrome_store: 'https://chromewebstore.google.com/detail/orrery',
  mobile_link: 'orrery://',
  desktop_link: 'orrery-desktop://',
}
const legal = {
  termsConditionsUrl: 'https://book.example/terms',
  privacyPolicyUrl: 'https://book.example/privacy',
}
const open = (kit: KitInstance) => void kit.open({ view: 'Connect' })

async function requestConnect(kit: KitInstance, control: Control, fault?: keyof Control['faults']) {
  if (fault) control.faults[fault] = true
  void kit.open({ view: 'Connect' })
  const connector = kit.getState().connectors[0]
  if (connector) await connectWallet(kit, { connector })
}

/** Resolves with the attempt as soon as the state has one. */
function attemptOf(kit: KitInstance): Promise<Attempt> {
  return new Promise((resolve) => {
    const stop = kit.subscribe(() => {
      const { attempt } = kit.getState()
      if (!attempt) return
      stop()
      resolve(attempt)
    })
  })
}

/** One wallet from each group, and some that must not be listed. */
function groups(features?: FeatureOptions): Pick<Scene, 'connectors' | 'options'> {
  const of = (name: string, type: ConnectorInfo['type'], rdns?: string): ConnectorInfo => ({
    id: rdns ?? name,
    name,
    type,
    chain: 'eip155',
    info: { rdns },
  })
  return {
    connectors: [
      of('Injected once more', 'INJECTED', halyard.id),
      of('Browser Wallet', 'INJECTED'),
      of('External', 'EXTERNAL'),
      halyard,
      of('WalletConnect', 'WALLET_CONNECT'),
      of('Every Chain', 'MULTI_CHAIN', 'dev.gatefold.every'),
      // Excluded; its directory entry is spelled with a different case.
      of('SUNDIAL', 'ANNOUNCED', 'dev.gatefold.sundial'),
    ],
    options: {
      features,
      featuredWalletIds: ['wallet-5', 'wallet-3'],
      excludeWalletIds: ['wallet-6'],
      customWallets: [
        { id: 'custom', name: 'Custom' },
        // Installed, so it must not be listed twice.
        { id: 'other', name: 'Halyard on the phone', rdns: halyard.id },
      ],
    },
  }
}

function showGroups(kit: KitInstance): void {
  kit.dispatch({ type: 'recent.changed', recent: [listing] })
  open(kit)
}

/** Scenes of the connect views. */
export const connectScenes: Scenes = {
  Connect: { show: open },
  'Connect.one': { connectors: [halyard], show: open },
  'Connect.none': { connectors: [], show: open },
  'Connect.noneOffline': { connectors: [], gateway: 'none', show: open },
  'Connect.offline': { connectors: [halyard, nacre], gateway: 'none', show: open },
  'Connect.plates': {
    connectors: [
      'Halyard',
      'The Nacre Wallet',
      'Kestrel Pay (formerly Kite)',
      '1fold',
      'محفظة النور',
      'Перо',
      '***',
    ].map((name) => ({
      ...halyard,
      id: name,
      name,
      info: { rdns: name },
      imageUrl: undefined,
    })),
    gateway: 'none',
    show: open,
  },
  'Connect.hidden': {
    connectors: [],
    gateway: 'none',
    options: { allWallets: 'HIDE' },
    show: open,
  },
  'Connect.slow': { connectors: [halyard], gateway: 'slow', show: open },
  'Connect.never': { connectors: [], gateway: 'never', show: open },
  'Connect.dead': { gateway: 'dead', show: open },
  'Connect.legal': { options: legal, show: open },
  'Connect.consent': { options: { ...legal, features: { legalCheckbox: true } }, show: open },
  'Connect.guide': { options: { enableWalletGuide: true }, show: open },
  'Connect.long': { connectors: [longName, broken, halyard], show: open },
  'Connect.many': {
    connectors: Array.from({ length: 9 }, (_, index) => ({
      ...(index % 2 ? halyard : nacre),
      id: `dev.gatefold.many${index}`,
      name: `Wallet number ${index + 1}`,
      info: { rdns: `dev.gatefold.many${index}` },
    })),
    show: open,
  },
  'Connect.featured': {
    options: { featuredWalletIds: ['wallet-3', 'wallet-5'] },
    show: open,
  },
  'Connect.groups': { ...groups(), show: showGroups },
  'Connect.ordered': {
    ...groups({ connectorTypeOrder: ['featured', 'injected'] }),
    show: showGroups,
  },
  'Connect.linked': {
    show: async (kit, control) => {
      await requestConnect(kit, control)
      open(kit)
    },
  },
  'Connect.toast': {
    show: (kit) => {
      open(kit)
      showToast(kit, 'loading', 'Signing you in…')
    },
  },
  'Connect.toastError': {
    show: (kit) => {
      open(kit)
      kit.dispatch({
        type: 'toast.shown',
        toast: { id: 1, variant: 'error', message: 'Couldn’t switch. You’re still on Ethereum.' },
      })
    },
  },
  'Connect.alerts': {
    options: { debug: true },
    show: (kit) => {
      open(kit)
      kit.alert('ORIGIN_NOT_ALLOWED')
      kit.alert('LOCAL_CONFIGURATION_IGNORED', { features: 'swaps' })
      kit.alert('MULTI_WALLET_NOT_ENABLED')
    },
  },
  ConnectWallets: { show: (kit) => void kit.open({ view: 'ConnectWallets' }) },
  AllWallets: { show: (kit) => void kit.open({ view: 'AllWallets' }) },
  'AllWallets.slow': { gateway: 'never', show: (kit) => void kit.open({ view: 'AllWallets' }) },
  'AllWallets.dead': { gateway: 'dead', show: (kit) => void kit.open({ view: 'AllWallets' }) },
  'AllWallets.offline': { gateway: 'none', show: (kit) => void kit.open({ view: 'AllWallets' }) },
  'AllWallets.sorted': {
    connectors: [
      { ...halyard, id: 'dev.gatefold.sundial', name: 'Sundial', explorerId: 'wallet-6' },
    ],
    options: { featuredWalletIds: ['wallet-5', 'wallet-3'] },
    show: (kit) => void kit.open({ view: 'AllWallets' }),
  },
  'AllWallets.few': { gateway: 'few', show: (kit) => void kit.open({ view: 'AllWallets' }) },
  ConnectingExternal: { show: (kit, control) => void requestConnect(kit, control, 'hang') },
  'ConnectingExternal.declined': { show: (kit, control) => requestConnect(kit, control, 'reject') },
  'ConnectingExternal.failed': { show: (kit, control) => requestConnect(kit, control, 'fail') },
  'ConnectingExternal.long': {
    connectors: [longName],
    show: (kit, control) => requestConnect(kit, control, 'reject'),
  },
  'ConnectingExternal.silent': {
    show: async (kit, control) => {
      void requestConnect(kit, control, 'hang')
      const attempt = await attemptOf(kit)
      kit.dispatch({ type: 'attempt.changed', attempt: { ...attempt, status: 'silent' } })
    },
  },
  'ConnectingExternal.linked': {
    show: async (kit, control) => {
      await requestConnect(kit, control)
      open(kit)
      await connectWallet(kit, { connector: kit.getState().connectors[0]! })
    },
  },
  'ConnectingExternal.gone': {
    show: (kit) =>
      void kit.open({
        view: 'ConnectingExternal',
        data: { connectorId: 'gone', namespace: 'eip155', wallet: listing },
      }),
  },
  Downloads: { show: (kit) => void kit.open({ view: 'Downloads', data: { wallet: listing } }) },
  'Downloads.nothing': {
    show: (kit) =>
      void kit.open({ view: 'Downloads', data: { wallet: { id: 'x', name: 'Ostrea' } } }),
  },
  GetWallet: { show: (kit) => void kit.open({ view: 'GetWallet' }) },
  'GetWallet.offline': { gateway: 'none', show: (kit) => void kit.open({ view: 'GetWallet' }) },
  WhatIsAWallet: {
    show: (kit) => {
      open(kit)
      kit.dispatch({ type: 'view.pushed', entry: { name: 'WhatIsAWallet' } })
    },
  },
}
