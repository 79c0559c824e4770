import type { ConnectorInfo } from '../../src/core/connection/Connector.ts'
import type { KitInstance } from '../../src/core/kit/Kit.ts'
import type { memoryAdapter } from '../../src/core/testing/memoryAdapter.ts'
import type { GatefoldOptions } from '../../src/core/kit/options.ts'
import type { memoryEmbedded } from '../memoryEmbedded.ts'
import type { memoryWalletConnect } from '../memoryWalletConnect.ts'

export type Control = ReturnType<typeof memoryAdapter> & {
  relay: ReturnType<typeof memoryWalletConnect>
  frame: ReturnType<typeof memoryEmbedded>
}

/** The behavior of the mock gateway. */
export type GatewayMode =
  | 'ok'
  | 'slow'
  | 'dead'
  | 'never'
  | 'none'
  | 'few'
  | 'empty'
  | 'partial'
  | 'long'
  | 'many'
  | 'small'
  | 'onlySmall'
  | 'oneCurrency'
  | 'noHistory'
  | 'noOlder'
  | 'noPoints'
  | 'flatPrices'
  | 'noNfts'
  | 'noSwaps'
  | 'noRoute'
  | 'shallow'
  | 'thin'
  | 'steep'
  | 'moved'
  | 'unlimited'
  | 'revert'
  | 'reset'
  | 'noNames'
  | 'longZone'
  | 'named'
  | 'unchecked'
  | 'nameTaken'
  | 'tooManyNames'
  | 'clock'
  | 'wrongSigner'
  | 'nameLost'
  | 'registering'
  | 'noOnramp'
  | 'noPrices'
  | 'expiredQuote'
  | 'tooManyOrders'

/** A view in one state: the kit's configuration, and the steps that lead to the state. */
export type Scene = {
  gateway?: GatewayMode
  options?: Partial<GatefoldOptions>
  connectors?: readonly ConnectorInfo[]
  addresses?: readonly string[]
  /** Enables WalletConnect. */
  relay?: boolean
  /** Enables email and social logins. */
  frame?: boolean
  /** Creates the kit without adapters. @see spec §2.6.2 */
  withoutAdapters?: boolean
  /** Runs before the page is rendered. Returns a function that undoes changes of globals, if it makes any. */
  prepare?: (control: Control) => (() => void) | void
  /** Runs once the kit is ready. Opens copies of entries, because views keep their state by entry, and scenes repeat. */
  show: (kit: KitInstance, control: Control) => void | Promise<void>
}

/** Scenes by `View` or `View.state`. */
export type Scenes = Record<string, Scene>
