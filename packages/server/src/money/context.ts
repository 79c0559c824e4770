import type { Context } from '../context.ts'
import type { AccessContext } from '../http/access.ts'
import type { EvmChain } from './evm/createEvmChain.ts'
import type { History } from './history/HistorySource.ts'
import type { Pools } from './prices/createPools.ts'
import type { Prices } from './prices/createPrices.ts'
import type { Rates } from './prices/createRates.ts'
import type { Tokens } from './tokens.ts'

/** Services that the handlers of the role use. */
export type MoneyContext = AccessContext &
  Pick<Context, 'now' | 'storage'> & {
    /** The EVM chains that have an upstream and whose data is known, by CAIP-2 id. */
    evmChains: ReadonlyMap<string, EvmChain>
    tokens: Tokens
    pools: Pools
    prices: Prices
    rates: Rates
    history: History
  }
