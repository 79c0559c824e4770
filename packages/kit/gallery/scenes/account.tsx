import { connect } from '../../src/core/connection/connect.ts'
import { followPending } from '../../src/core/money/pending/followPending.ts'
import type { Submitted } from '../../src/core/money/pending/followPending.ts'
import { addRecipient } from '../../src/core/money/recipients.ts'
import { push } from '../../src/core/view/navigate.ts'
import { selectNetwork } from '../../src/core/networks/switchNetwork.ts'
import type { AdapterFactory, TransactionState } from '../../src/core/connection/Adapter.ts'
import type { KitInstance } from '../../src/core/kit/Kit.ts'
import { memoryStorage } from '../../src/core/storage/storage.ts'
import { memoryAdapter } from '../../src/core/testing/memoryAdapter.ts'
import type { NetworkInput } from '../../src/core/networks/Network.ts'
import type { ViewEntry } from '../../src/core/view/view.ts'
import { network, networks } from '../networks.ts'
import { nftId } from '../nftGateway.ts'
import { halyard, longName, nacre } from './connectors.ts'
import type { Control, Scene, Scenes } from './Scene.ts'

const wallets = [
  halyard,
  nacre,
  longName,
  ...['Orrery', 'Thistle', 'Quillon', 'Saltbox'].map((name) => ({
    ...halyard,
    id: `example.${name}`,
    name,
    imageUrl: `/art/${name}.svg`,
    info: undefined,
  })),
]
const addresses = [
  '0x9f3C2a7B61e04D5580cA9E17fF3b62d0A84cb41E',
  '0xa7E250C9d13B4f0A6627eB81c5f9D04aE3b711b0',
  '0x41D0b6a93C12f07E8d5C4a1eB9f3608D2c777aC3',
  '0x5c81E0a4F7b2D93816a05cE24f8B7dA10e3390Ef',
  '0x03bA7cF15e8D2046B1c93aF07D6e5824C9aB6d12',
  '0xD417c0E92a5B68f3047bCe81A9d26F05371e4A90',
  '0x8eB5103dC7a4F629E0b1D8f35A6c92047Ee1c05F',
]
const base = { connectors: wallets, addresses }
const name = { name: 'mira.eth', avatar: undefined }
const testNetwork: NetworkInput = { ...network(11155111, 'Sepolia'), testnet: true }
const solana: NetworkInput = {
  ...network(0, 'Solana', 'SOL'),
  id: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  chainNamespace: 'solana',
}

const withoutImage = (input: NetworkInput): NetworkInput => ({ ...input, assets: undefined })

/** A chain family without connectors. */
function family(namespace: AdapterFactory['namespace']): AdapterFactory {
  const { factory } = memoryAdapter({ connectors: [] })
  return { namespace, create: (context) => ({ ...factory.create(context), namespace }) }
}
const families = {
  networks: [...networks, solana] as [NetworkInput, ...NetworkInput[]],
  adapters: [family('solana'), family('bip122')],
}

const never = () => new Promise<never>(() => {})
const amount = (balance: string) => ({ balance, symbol: 'ETH', value: 1n, decimals: 18 })
const linked =
  (...indexes: number[]) =>
  async (kit: KitInstance) => {
    for (const index of indexes) await connect(kit, { connectorId: wallets[index]!.id })
  }
const link = linked(0)
const move = (control: Control, chainId: number) =>
  control.emit({
    type: 'chainChanged',
    connectorId: wallets[0]!.id,
    caipNetworkId: `eip155:${chainId}`,
  })

const named: Scene['show'] = (_, control) => {
  control.identity = name
}

/** The view of an NFT of the mock gateway, by its number on the first network. */
const nft = (index: number): ViewEntry => ({ name: 'Nft', data: { id: nftId(index) } })

/**
 * Runs `before`, then opens the account view without a gateway, and therefore
 * without tokens.
 */
const account = (before: Scene['show'] = () => {}, more: Partial<Scene> = {}): Scene => ({
  ...base,
  gateway: 'none',
  ...more,
  async show(kit, control) {
    await before(kit, control)
    await link(kit)
    void kit.open({ view: 'Account' })
  },
})

/** A view on a chain that the site does not support. */
const onUnsupportedChain = (view: 'Account' | 'WalletSend'): Scene => ({
  ...base,
  gateway: 'none',
  options: { allowUnsupportedChain: true },
  async show(kit, control) {
    await link(kit)
    move(control, 7781)
    void kit.open({ view })
  },
})

/** The account view with its tab of NFTs. */
const withNfts = (gateway: Scene['gateway']): Scene => {
  const scene = account(named, { gateway })
  return {
    ...scene,
    async show(kit, control) {
      await scene.show(kit, control)
      // The tab is not part of the kit's state.
      const press = () => {
        const tab = document.querySelector<HTMLElement>('[role=tab][id$=nfts]')
        if (tab) tab.click()
        else requestAnimationFrame(press)
      }
      press()
    },
  }
}

/** Opens a view on top of the account view. */
const onTop = (
  entry: ViewEntry,
  before: Scene['show'] = link,
  more: Partial<Scene> = {},
): Scene => ({
  ...base,
  ...more,
  async show(kit, control) {
    await before(kit, control)
    void kit.open({ view: 'Account' })
    push(kit, { ...entry })
  },
})
/** Opens the networks view with one network that the wallet has not approved. Then runs `after`. */
const networkScene = (after: Scene['show'] = () => {}, more: Partial<Scene> = {}): Scene => ({
  ...base,
  ...more,
  async show(kit, control) {
    await link(kit)
    const connection = kit.getState().chains.eip155?.connections[0]
    const approvedNetworkIds = kit
      .getState()
      .networks.map(({ caipNetworkId }) => caipNetworkId)
      .filter((id) => id !== 'eip155:8453')
    if (connection)
      control.emit({
        type: 'connected',
        active: true,
        connection: { ...connection, approvedNetworkIds },
      })
    void kit.open({ view: 'Account' })
    push(kit, { name: 'Networks' })
    await after(kit, control)
  },
})
const requestSwitch =
  (fault?: keyof Control['faults']): Scene['show'] =>
  (kit, control) => {
    if (fault) control.faults[fault] = true
    selectNetwork(kit, { network: kit.getState().networks[1]! })
  }
const unsupportedScene = (chainId: number, more: Partial<Scene> = {}): Scene => ({
  ...base,
  ...more,
  async show(kit, control) {
    await link(kit)
    move(control, chainId)
  },
})

const transfer = {
  name: 'WalletSendPreview',
  data: { token: 'eip155:1', amount: '0.25', to: addresses[1]! },
} as const
/** Starts and ends like the receiver of \`transfer\`. */
const lookAlike = `0xa7E2${'0'.repeat(32)}11b0`
/** Starts and ends like the visitor's account. */
const ownLookAlike = addresses[0]!.slice(0, 6) + '0'.repeat(32) + addresses[0]!.slice(-4)

const hashOf = (index: number) => `0x${String(index).repeat(64)}`

/** Transactions that the site submitted, of each kind. */
const submitted: Scene['show'] = async (kit, control) => {
  await link(kit)
  const follower = followPending(kit, memoryStorage())
  const network = kit.getState().networks[0]!
  const states: [type: Submitted['type'], state: TransactionState][] = [
    ['approve', { status: 'success', blockNumber: 1n, fee: 840_000_000_000_000n }],
    [
      'send',
      { status: 'reverted', blockNumber: 1n, fee: 840_000_000_000_000n, reason: 'Too late' },
    ],
    ['send', { status: 'replaced', how: 'canceled', hash: `0x${'c'.repeat(64)}` }],
    ['trade', { status: 'pending', mark: { nonce: 118, block: 23_846_117, content: '0x' } }],
    ['send', { status: 'pending', mark: { nonce: 117, block: 23_846_117, content: '0x' } }],
    ['send', { status: 'replaced', how: 'replaced', hash: `0x${'d'.repeat(64)}` }],
  ]
  for (const [index, [type, state]] of states.entries()) {
    const hash = hashOf(index)
    control.transactions[hash] = state
    const moved = { direction: 'out', name: 'ETH', amount: '0.25', isNft: false } as const
    const transfers = [
      {
        ...moved,
        ...(type === 'approve' && { direction: 'self' as const, name: 'QLL', amount: '412.9' }),
        image: undefined,
      },
      ...(type === 'trade'
        ? [{ ...moved, direction: 'in' as const, name: 'FLD', amount: '0', image: undefined }]
        : []),
    ]
    follower.add(
      { hash, type, network, account: addresses[0]!, to: addresses[1]!, transfers },
      () => true,
    )
  }
}

/** Scenes of the account and network views. */
export const accountScenes: Scenes = {
  Account: account((_, control) => {
    control.balance = amount('2.48199')
    control.identity = name
  }),
  'Account.unnamed': account((_, control) => {
    control.balance = amount('0.00042')
  }),
  'Account.zero': account((_, control) => {
    control.balance = amount('0')
  }),
  'Account.loading': account((kit) => {
    const adapter = kit.adapters.get('eip155')!
    const actions = adapter.actions()
    adapter.actions = async () => ({ ...(await actions), getBalance: never })
  }),
  'Account.failed': account((_, control) => {
    control.faults.balance = true
  }),
  'Account.long': account((_, control) => {
    control.balance = amount('123456789012345.48199')
    control.identity = {
      name: 'the-lighthouse-keeper-of-the-northern-archive.eth',
      avatar: '/art/keeper.svg',
    }
  }),
  'Account.longWallet': {
    ...base,
    gateway: 'none',
    connectors: [longName],
    async show(kit) {
      await connect(kit, { connectorId: longName.id })
      void kit.open({ view: 'Account' })
    },
  },
  'WalletSend.unsupported': onUnsupportedChain('WalletSend'),
  'Account.testNetwork': account(undefined, { options: { networks: [testNetwork, ...networks] } }),
  'Account.unsupported': onUnsupportedChain('Account'),
  'Account.oneNetwork': account(undefined, { options: { networks: [networks[0]] } }),
  'Account.disconnecting': account((kit, control) => {
    control.identity = name
    kit.adapters.get('eip155')!.disconnect = never
  }),
  'Account.disconnectFails': account((_, control) => {
    control.faults.disconnect = true
  }),
  'Account.two': {
    ...base,
    gateway: 'none',
    async show(kit) {
      await linked(3, 0)(kit)
      void kit.open({ view: 'Account' })
    },
  },
  'Account.tokens': account(named, { gateway: 'ok' }),
  'Account.noOnramp': account(named, { gateway: 'noOnramp' }),
  'Account.tokensLoading': account(named, { gateway: 'never' }),
  'Account.tokensEmpty': account(named, { gateway: 'empty' }),
  'Account.tokensPartial': account(named, { gateway: 'partial' }),
  'Account.tokensLong': account(named, { gateway: 'long' }),
  'Account.tokensSmall': account(named, { gateway: 'small' }),
  'Account.onlySmall': account(named, { gateway: 'onlySmall' }),
  'Account.euro': account(named, { gateway: 'ok', options: { currency: 'EUR' } }),
  'Account.oneCurrency': account(named, {
    gateway: 'oneCurrency',
    options: { currency: 'EUR' },
  }),
  'Account.actions': account(named, {
    gateway: 'ok',
    options: { features: { walletFeaturesOrder: ['send', 'receive'] } },
  }),
  'Account.noReceive': account(named, {
    gateway: 'ok',
    options: { features: { receive: false } },
  }),
  'Account.chooseName': account(undefined, { gateway: 'ok' }),
  'Account.tokensFailed': account(named, { gateway: 'dead' }),
  'Account.nfts': withNfts('ok'),
  'Account.nftsLoading': withNfts('never'),
  'Account.nftsEmpty': withNfts('empty'),
  'Account.nftsPartial': withNfts('partial'),
  'Account.nftsLong': withNfts('long'),
  'Account.nftsNotServed': withNfts('noNfts'),
  Nft: onTop(nft(0)),
  'Nft.amount': onTop(nft(2)),
  'Nft.broken': onTop(nft(3)),
  'Nft.withoutPicture': onTop(nft(4)),
  'Nft.long': onTop(nft(59), link, { gateway: 'long' }),
  'Nft.loading': onTop(nft(0), link, { gateway: 'never' }),
  'Nft.failed': onTop(nft(0), link, { gateway: 'dead' }),
  'Nft.gone': onTop(nft(9)),
  Transactions: onTop({ name: 'Transactions' }),
  'Transactions.pending': onTop({ name: 'Transactions' }, submitted),
  Transaction: onTop({ name: 'Transaction', data: { id: 'transaction-0' } }),
  'Transaction.pending': onTop({ name: 'Transaction', data: { id: hashOf(4) } }, submitted),
  'Transaction.swap': onTop({ name: 'Transaction', data: { id: hashOf(3) } }, submitted),
  'Transaction.rejected': onTop(
    { name: 'Transaction', data: { id: hashOf(4) } },
    async (kit, control) => {
      await submitted(kit, control)
      control.faults.reject = true
    },
  ),
  'Transaction.ignored': onTop(
    { name: 'Transaction', data: { id: hashOf(4) } },
    async (kit, control) => {
      await submitted(kit, control)
      control.replacement.isReplacement = false
    },
  ),
  'Transaction.otherNetwork': onTop(
    { name: 'Transaction', data: { id: hashOf(4) } },
    async (kit, control) => {
      await submitted(kit, control)
      move(control, 10)
    },
  ),
  'Transaction.failed': onTop({ name: 'Transaction', data: { id: hashOf(1) } }, submitted),
  'Transaction.approved': onTop({ name: 'Transaction', data: { id: 'transaction-2' } }),
  'Transaction.canceled': onTop({ name: 'Transaction', data: { id: hashOf(2) } }, submitted),
  'Transaction.replaced': onTop({ name: 'Transaction', data: { id: hashOf(5) } }, submitted),
  'Transaction.loading': onTop({ name: 'Transaction', data: { id: 'transaction-0' } }, link, {
    gateway: 'never',
  }),
  'Transaction.offline': onTop({ name: 'Transaction', data: { id: 'transaction-0' } }, link, {
    gateway: 'dead',
  }),
  'Transaction.gone': onTop({ name: 'Transaction', data: { id: 'none' } }),
  'Transactions.pendingOffline': onTop({ name: 'Transactions' }, submitted, { gateway: 'dead' }),
  'Transactions.long': onTop({ name: 'Transactions' }, link, { gateway: 'long' }),
  'Transactions.empty': onTop({ name: 'Transactions' }, link, { gateway: 'empty' }),
  'Transactions.loading': onTop({ name: 'Transactions' }, link, { gateway: 'never' }),
  'Transactions.noOlder': onTop({ name: 'Transactions' }, link, { gateway: 'noOlder' }),
  'Transactions.failed': onTop({ name: 'Transactions' }, link, { gateway: 'dead' }),
  WalletSend: onTop({ name: 'WalletSend' }),
  'WalletSend.filled': onTop({
    name: 'WalletSend',
    data: { amount: '0.25', to: addresses[1] },
  }),
  'WalletSend.named': onTop(
    { name: 'WalletSend', data: { amount: '0.25', to: 'tomas.eth' } },
    async (kit, control) => {
      control.names['tomas.eth'] = addresses[1]!
      await link(kit)
    },
  ),
  'WalletSend.wrongAddress': onTop({
    name: 'WalletSend',
    data: { amount: '0.25', to: '0x77aE91f3bb1c8d7eF0a2' },
  }),
  'WalletSend.tooMuch': onTop({ name: 'WalletSend', data: { amount: '4', to: addresses[1] } }),
  'WalletSend.noGas': onTop({ name: 'WalletSend', data: { amount: '2.481', to: addresses[1] } }),
  'WalletSend.fails': onTop(
    { name: 'WalletSend', data: { amount: '0.25', to: addresses[1] } },
    async (kit, control) => {
      control.faults.prepare = true
      await link(kit)
    },
  ),
  'WalletSend.offline': onTop({ name: 'WalletSend', data: { to: addresses[1] } }, link, {
    gateway: 'none',
  }),
  'WalletSend.sponsored': onTop({ name: 'WalletSend' }, async (kit, control) => {
    control.feePayer = 'sponsor'
    await link(kit)
  }),
  'WalletSend.unknownFee': onTop({ name: 'WalletSend' }, async (kit, control) => {
    control.feePayer = 'unknown'
    await link(kit)
  }),
  'WalletSend.empty': onTop({ name: 'WalletSend' }, link, { gateway: 'empty' }),
  WalletSendSelectToken: onTop({ name: 'WalletSendSelectToken' }),
  'WalletSendSelectToken.many': onTop({ name: 'WalletSendSelectToken' }, link, { gateway: 'many' }),
  'WalletSendSelectToken.empty': onTop({ name: 'WalletSendSelectToken' }, link, {
    gateway: 'empty',
  }),
  WalletSendPreview: onTop(transfer),
  'WalletSendPreview.loading': onTop(transfer, link, { gateway: 'never' }),
  'WalletSendPreview.checking': onTop(transfer, async (kit, control) => {
    control.faults.hangCheck = true
    await link(kit)
  }),
  'WalletSendPreview.named': onTop({
    ...transfer,
    data: { ...transfer.data, name: 'tomas.eth' },
  }),
  'WalletSendPreview.token': onTop({
    ...transfer,
    data: { ...transfer.data, token: `eip155:1:0x${'QLL'.padStart(40, '0')}`, amount: '12.5' },
  }),
  'WalletSendPreview.sponsored': onTop(transfer, async (kit, control) => {
    control.feePayer = 'sponsor'
    await link(kit)
  }),
  'WalletSendPreview.unknownFee': onTop(transfer, async (kit, control) => {
    control.feePayer = 'unknown'
    await link(kit)
  }),
  'WalletSendPreview.contract': onTop(transfer, async (kit, control) => {
    control.isContract = true
    await link(kit)
  }),
  'WalletSendPreview.lookAlike': onTop(transfer, async (kit) => {
    addRecipient(kit, lookAlike)
    await link(kit)
  }),
  'WalletSendPreview.ownLookAlike': onTop({
    ...transfer,
    data: { ...transfer.data, to: ownLookAlike },
  }),
  'WalletSendPreview.fails': onTop(transfer, async (kit, control) => {
    control.faults.prepare = true
    await link(kit)
  }),

  Token: onTop({ name: 'Token', data: { id: `eip155:10:0x${'FLD'.padStart(40, '0')}` } }),
  Currency: onTop({ name: 'Currency' }),
  'Currency.loading': onTop({ name: 'Currency' }, link, { gateway: 'never' }),
  'Currency.failed': onTop({ name: 'Currency' }, link, { gateway: 'dead' }),
  'Currency.one': onTop({ name: 'Currency' }, link, { gateway: 'oneCurrency' }),
  'Token.native': onTop({ name: 'Token', data: { id: 'eip155:1' } }),
  'Token.flat': onTop({ name: 'Token', data: { id: 'eip155:1' } }, link, { gateway: 'flatPrices' }),
  'Token.noPoints': onTop({ name: 'Token', data: { id: 'eip155:1' } }, link, {
    gateway: 'noPoints',
  }),
  'Token.noHistory': onTop({ name: 'Token', data: { id: 'eip155:1' } }, link, {
    gateway: 'noHistory',
  }),
  'Token.loading': onTop({ name: 'Token', data: { id: 'eip155:1' } }, link, { gateway: 'never' }),
  'Token.failed': onTop({ name: 'Token', data: { id: 'eip155:1' } }, link, { gateway: 'dead' }),
  'Token.gone': onTop({ name: 'Token', data: { id: 'eip155:7' } }),

  ProfileWallets: onTop({ name: 'ProfileWallets' }, async (kit, control) => {
    control.identity = name
    await linked(4, 2, 3, 0)(kit)
    await kit.adapters.get('eip155')?.disconnect({ connectorId: wallets[4]!.id })
  }),
  'ProfileWallets.one': onTop({ name: 'ProfileWallets' }),
  'ProfileWallets.many': onTop({ name: 'ProfileWallets' }, linked(6, 5, 4, 3, 2, 1, 0)),
  'ProfileWallets.families': onTop({ name: 'ProfileWallets' }, linked(3, 0), {
    options: families,
  }),
  'ProfileWallets.switching': onTop({ name: 'ProfileWallets' }, async (kit) => {
    await linked(3, 0)(kit)
    kit.adapters.get('eip155')!.switchConnection = never
  }),
  'ProfileWallets.single': onTop({ name: 'ProfileWallets' }, link, {
    gateway: 'none',
    options: { features: { multiWallet: false } },
  }),
  'ProfileWallets.addresses': onTop({ name: 'ProfileWallets' }, async (kit, control) => {
    await link(kit)
    control.emit({
      type: 'accountsChanged',
      connectorId: halyard.id,
      accounts: [
        { namespace: 'eip155', address: 'bc1q8xw0c9f5ar2x7hj8mnl6l3k2jd4t2m2ka', type: 'payment' },
        { namespace: 'eip155', address: 'bc1p0e7fd2l4kx9xm5n3jh8q2s6v9c5t077wd', type: 'ordinal' },
      ],
    })
  }),

  'Networks.bundled': networkScene(undefined, {
    gateway: 'none',
    options: {
      adapters: [family('solana')],
      networks: [...networks, testNetwork, solana, network(7781, 'Basalt')].map(withoutImage) as [
        NetworkInput,
        ...NetworkInput[],
      ],
    },
  }),
  Networks: networkScene(undefined, { options: { networks: [...networks, testNetwork] } }),
  'Networks.two': networkScene(undefined, { options: { networks: [networks[0], networks[1]!] } }),
  'Networks.many': networkScene(undefined, {
    options: {
      networks: [
        networks[0],
        ...Array.from({ length: 39 }, (_, index) => network(5000 + index, `Island ${index + 1}`)),
      ],
    },
  }),
  SwitchNetwork: networkScene(requestSwitch('hang')),
  'SwitchNetwork.rejected': networkScene(requestSwitch('reject')),
  'SwitchNetwork.failed': networkScene(requestSwitch('fail')),
  'SwitchNetwork.opened': {
    ...base,
    async show(kit, control) {
      await link(kit)
      control.faults.hang = true
      void kit.open({
        view: 'SwitchNetwork',
        data: { network: kit.getState().networks[1]! },
      })
    },
  },
  SwitchActiveChain: networkScene(
    (kit) => selectNetwork(kit, { network: kit.getState().networks.at(-1)! }),
    { options: families },
  ),
  UnsupportedChain: unsupportedScene(59144),
  'UnsupportedChain.unknown': unsupportedScene(7781, { options: { networks: [networks[0]] } }),
  'UnsupportedChain.known': unsupportedScene(59144, { options: { networks: [networks[0]] } }),
  'UnsupportedChain.stuck': {
    ...base,
    async show(kit, control) {
      await link(kit)
      const connection = kit.getState().chains.eip155!.connections[0]!
      control.emit({
        type: 'connected',
        active: true,
        connection: {
          ...connection,
          caipNetworkId: 'eip155:59144',
          approvedNetworkIds: ['eip155:59144'],
        },
      })
    },
  },
  'UnsupportedChain.swap': onTop({ name: 'UnsupportedChain', data: { context: 'swap' } }),
  'UnsupportedChain.swapOne': onTop({ name: 'UnsupportedChain', data: { context: 'swap' } }, link, {
    options: { networks: [networks[0], networks[1]!] },
  }),
  'UnsupportedChain.swapNone': onTop(
    { name: 'UnsupportedChain', data: { context: 'swap' } },
    link,
    {
      options: { networks: [networks[0]] },
    },
  ),
  'UnsupportedChain.many': unsupportedScene(7781, {
    options: {
      networks: [
        networks[0],
        ...Array.from({ length: 39 }, (_, index) => network(5000 + index, `Island ${index + 1}`)),
      ],
    },
  }),
  WhatIsANetwork: onTop({ name: 'WhatIsANetwork' }),
}
