import type { AdapterFactory } from '../../src/core/connection/Adapter.ts'
import { connect } from '../../src/core/connection/connect.ts'
import type { Account, AccountType } from '../../src/core/connection/Connection.ts'
import type { KitInstance } from '../../src/core/kit/Kit.ts'
import type { NetworkInput } from '../../src/core/networks/Network.ts'
import { memoryAdapter } from '../../src/core/testing/memoryAdapter.ts'
import { push } from '../../src/core/view/navigate.ts'
import type { ViewEntry } from '../../src/core/view/view.ts'
import { network, networks } from '../networks.ts'
import { halyard } from './connectors.ts'
import { replaceProperty } from './replaceProperty.ts'
import type { Control, Scene, Scenes } from './Scene.ts'

const addresses = ['0x9f3C2a7B61e04D5580cA9E17fF3b62d0A84cb41E']
const base: Partial<Scene> = { connectors: [halyard], addresses }
const mira = { name: 'mira.eth', avatar: undefined }

const solana: NetworkInput = {
  ...network(0, 'Solana', 'SOL'),
  id: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  chainNamespace: 'solana',
}
const bitcoin: NetworkInput = {
  ...network(2, 'Bitcoin', 'BTC'),
  id: '000000000019d6689c085ae165831e93',
  chainNamespace: 'bip122',
}
const accounts = {
  solana: [{ address: '7Vbq2mKfTz8Xc4RjWd91LsPuHnEaGy6oZtQv3Mi5Fk2B', type: 'eoa' }],
  bip122: [
    { address: 'bc1q8xw3v5k0n7t2r6c9y4h1m8j5z0d3f6g9a2m2ka', type: 'payment' },
    { address: 'bc1p0e4r7t1u8i2o5p9a3s6d0f7g1h4j8k2l5z9x3c6v0b4n7m1s77wd5x8q2w', type: 'ordinal' },
  ],
} satisfies Record<string, readonly { address: string; type: AccountType }[]>

/** The wallet on another chain family. Scenes connect it with `connectFamily`. */
function family(namespace: AdapterFactory['namespace']): AdapterFactory {
  const { factory } = memoryAdapter({ connectors: [{ ...halyard, chain: namespace }] })
  return { namespace, create: (context) => ({ ...factory.create(context), namespace }) }
}
const families = {
  networks: [...networks, solana, bitcoin] as [NetworkInput, ...NetworkInput[]],
  adapters: [family('solana'), family('bip122')],
}

/** Connects the wallet on another chain family. */
function connectFamily(kit: KitInstance, namespace: keyof typeof accounts): void {
  kit.dispatch({
    type: 'connection.connected',
    namespace,
    active: true,
    connection: {
      connectorId: halyard.id,
      accounts: accounts[namespace].map((account): Account => ({ ...account, namespace })),
    },
  })
}

/** Connects the wallet, runs `before`, then opens a view on top of the account view. */
const receive = (
  before: Scene['show'] = () => {},
  more: Partial<Scene> = {},
  entry: ViewEntry = { name: 'WalletReceive' },
): Scene => ({
  ...base,
  ...more,
  async show(kit, control) {
    control.identity = mira
    await connect(kit, { connectorId: halyard.id })
    await before(kit, control)
    void kit.open({ view: 'Account' })
    push(kit, { ...entry })
  },
})

/** Replaces the account with a smart account. */
function smartAccount(kit: KitInstance, control: Control): void {
  control.identity = { name: undefined, avatar: undefined }
  const [connection] = kit.getState().chains.eip155!.connections
  control.emit({
    type: 'connected',
    active: true,
    connection: {
      ...connection!,
      name: 'mira@north.example',
      accounts: [{ namespace: 'eip155', address: addresses[0]!, type: 'smartAccount' }],
    },
  })
}

/** Scenes of the receive views. */
export const receiveScenes: Scenes = {
  WalletReceive: receive(),
  'WalletReceive.unnamed': receive((_, control) => {
    control.identity = { name: undefined, avatar: undefined }
  }),
  'WalletReceive.long': receive((_, control) => {
    control.identity = {
      name: 'the-lighthouse-keeper-of-the-northern-archive.eth',
      avatar: '/art/keeper.svg',
    }
  }),
  'WalletReceive.loading': receive((kit) => {
    const adapter = kit.adapters.get('eip155')!
    const actions = adapter.actions()
    adapter.actions = async () => ({
      ...(await actions),
      identity: {
        getIdentity: () => new Promise<never>(() => {}),
        resolveName: async () => undefined,
      },
    })
  }),
  'WalletReceive.share': {
    ...receive(),
    prepare: () => replaceProperty(navigator, 'share', async () => {}),
  },
  'WalletReceive.oneNetwork': receive(undefined, { options: { networks: [networks[0]] } }),
  'WalletReceive.smartAccount': receive(smartAccount),
  'WalletReceive.unsupported': receive(
    (kit, control) => {
      smartAccount(kit, control)
      control.emit({
        type: 'chainChanged',
        connectorId: halyard.id,
        caipNetworkId: 'eip155:7781',
      })
    },
    { options: { allowUnsupportedChain: true } },
  ),
  'WalletReceive.solana': receive((kit) => connectFamily(kit, 'solana'), { options: families }),
  'WalletReceive.bitcoin': receive((kit) => connectFamily(kit, 'bip122'), { options: families }),

  WalletCompatibleNetworks: {
    ...receive(),
    async show(kit, control) {
      await receive().show(kit, control)
      push(kit, {
        name: 'WalletCompatibleNetworks',
        data: { network: kit.getState().networks[0] },
      })
    },
  },
  'WalletCompatibleNetworks.many': receive(
    undefined,
    {
      options: {
        networks: [
          networks[0],
          ...Array.from({ length: 39 }, (_, index) => network(5000 + index, `Island ${index + 1}`)),
        ],
      },
    },
    { name: 'WalletCompatibleNetworks' },
  ),
  'WalletCompatibleNetworks.families': receive(
    (kit) => {
      connectFamily(kit, 'solana')
      connectFamily(kit, 'bip122')
      kit.dispatch({ type: 'namespace.activated', namespace: 'eip155' })
    },
    { options: families },
    { name: 'WalletCompatibleNetworks' },
  ),
  'WalletCompatibleNetworks.smartAccount': receive(
    (kit, control) => {
      smartAccount(kit, control)
      connectFamily(kit, 'solana')
      kit.dispatch({ type: 'namespace.activated', namespace: 'eip155' })
    },
    { options: families },
    { name: 'WalletCompatibleNetworks' },
  ),
}
