import type { Context } from '../context.ts'
import type { AccessContext } from '../http/access.ts'
import type { EvmChain } from './evm/createEvmChain.ts'
import type { History } from './history/HistorySource.ts'
import type { Prices } from './prices/createPrices.ts'
import type { Rates } from './prices/createRates.ts'
import type { Swaps } from './swaps/SwapSource.ts'
import type { Tokens } from './tokens.ts'

/** Services that the handlers of the role use. */
export type MoneyContext = AccessContext &
  Pick<Context, 'now' | 'storage'> & {
    /** The EVM chains that have an upstream and whose data is known, by CAIP-2 id. */
    evmChains: ReadonlyMap<string, EvmChain>
    tokens: Tokens
    prices: Prices
    rates: Rates
    swaps: Swaps
    history: History
  }
