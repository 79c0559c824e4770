import { afterEach, beforeEach, vi } from 'vitest'
import { mainnet, optimism } from 'viem/chains'
import { createKit } from '../kit/createKit.ts'
import type { KitEventName } from '../analytics/events.ts'
import type { GatewayClient } from '../features/GatewayClient.ts'
import type { KitInstance } from '../kit/Kit.ts'
import { memoryAdapter } from './memoryAdapter.ts'
import type { GatefoldOptions } from '../kit/options.ts'
import { memoryStorage } from '../storage/storage.ts'
import { currentView } from '../view/view.ts'

/**
 * Sets up a test file: fake timers, a `window` and a recorded console.
 *
 * @returns `start`, which creates an instance with in-memory wallets; `kits`, the instances to destroy
 * after the test; `logged`, the mocked console methods
 */
export function useKits() {
  const kits: KitInstance[] = []
  const log = () => vi.fn<() => void>()
  const logged = { warn: log(), error: log(), info: log() }

  /**
   * @param gateway - the used methods of a gateway client, or a function that loads them; without it, no gateway
   * is configured
   */
  function start(
    options: Partial<GatefoldOptions> = {},
    gateway?: Partial<GatewayClient> | (() => Promise<Partial<GatewayClient>>),
  ) {
    const wallets = memoryAdapter()
    const kit = createKit(
      {
        metadata: { name: 'Book', description: '', url: 'https://book.example', icons: [] },
        networks: [mainnet, optimism],
        adapters: [wallets.factory],
        storage: memoryStorage(),
        ...(gateway && { endpoints: 'https://gate.example', projectId: 'p1' }),
        ...options,
      },
      gateway && {
        loadGateway: async () =>
          (await (typeof gateway === 'function' ? gateway() : gateway)) as GatewayClient,
      },
    )
    kits.push(kit)
    const events: string[] = []
    const listen = (name: KitEventName) =>
      kit.on(name, (properties) => events.push(`${name} ${JSON.stringify(properties)}`))
    for (const name of [
      'MODAL_OPEN',
      'MODAL_CLOSE',
      'DISCONNECT_SUCCESS',
      'CONNECT_SUCCESS',
      'USER_REJECTED',
      'CONNECT_ERROR',
      'DISCONNECT_ERROR',
      'SELECT_WALLET',
    ] as const)
      listen(name)
    const view = () => currentView(kit.getState().view).name
    return { kit, wallets, events, view }
  }

  beforeEach(() => {
    vi.useFakeTimers()
    // The core detects a server by the absence of `window`.
    vi.stubGlobal('window', { location: { origin: 'https://book.example' } })
    for (const mock of Object.values(logged)) mock.mockClear()
    vi.stubGlobal('console', { ...console, ...logged })
  })

  afterEach(() => {
    for (const kit of kits.splice(0)) kit.destroy()
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
    vi.useRealTimers()
  })

  return { start, kits, logged }
}
