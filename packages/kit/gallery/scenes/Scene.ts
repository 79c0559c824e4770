import type { Connector } from '../../src/core/connection/Connector.ts'
import type { Kit } from '../../src/core/kit/Kit.ts'
import type { memoryAdapter } from '../../src/core/testing/memoryAdapter.ts'
import type { GatefoldOptions } from '../../src/core/kit/options.ts'
import type { memoryWalletConnect } from '../memoryWalletConnect.ts'

export type Control = ReturnType<typeof memoryAdapter> & {
  relay: ReturnType<typeof memoryWalletConnect>
}

/** How the made-up server behaves. */
export type GatewayMode = 'ok' | 'slow' | 'dead' | 'never' | 'none' | 'few'

/** One view in one state: how the kit is set up, and what is done to get there. */
export type Scene = {
  gateway?: GatewayMode
  options?: Partial<GatefoldOptions>
  connectors?: readonly Connector[]
  addresses?: readonly string[]
  /** Wallets beyond this browser can be reached. */
  relay?: boolean
  /** Without adapters. @see spec §2.6.2 */
  bare?: boolean
  /** Before the page is drawn. */
  prepare?: (control: Control) => void
  /** After the kit is ready: connects, opens, presses. */
  show: (kit: Kit, control: Control) => void | Promise<void>
}

/** Scenes by `View.state`; `default` is the plain one. */
export type Scenes = Record<string, Scene>
