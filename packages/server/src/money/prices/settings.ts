import { CaipAddress, limits } from '@gatefold/protocol'
import * as v from 'valibot'

/** An http(s) URL, without a slash at its end. */
export const BaseUrl = v.pipe(
  v.string(),
  v.url(),
  v.regex(/^https?:\/\/[^?#]+$/i, 'must be an http(s) URL without a query'),
  v.transform((url) => url.replace(/\/+$/, '')),
)

export const ChainId = v.pipe(
  v.string(),
  v.regex(/^eip155:\d{1,32}$/, 'must be a CAIP-2 id such as eip155:1'),
)

/** DefiLlama's names of the built-in networks. */
const defiLlamaChains: Record<string, string> = {
  'eip155:1': 'ethereum',
  'eip155:10': 'optimism',
  'eip155:56': 'bsc',
  'eip155:100': 'xdai',
  'eip155:137': 'polygon',
  'eip155:250': 'fantom',
  'eip155:324': 'era',
  'eip155:8217': 'klaytn',
  'eip155:8453': 'base',
  'eip155:42161': 'arbitrum',
  'eip155:43114': 'avax',
  'eip155:1313161554': 'aurora',
}

const DefiLlamaSettings = v.strictObject({
  /**
   * No default, because the server sends requests only to hosts that the
   * operator has configured.
   */
  url: BaseUrl,
  /** The service's names for additional chains. */
  chains: v.pipe(
    v.optional(v.record(ChainId, v.pipe(v.string(), v.regex(/^[a-z0-9_-]{1,50}$/))), {}),
    v.transform((chains): Record<string, string> => ({ ...defiLlamaChains, ...chains })),
  ),
})

export type DefiLlamaSettings = v.InferOutput<typeof DefiLlamaSettings>

/** The value of `GATEFOLD_PRICES`: the sources of the prices on each chain, and the settings of the sources. */
export const PriceSettings = v.pipe(
  v.strictObject({
    /** In order; the first source that has a price is used. */
    chains: v.optional(
      v.record(
        ChainId,
        v.pipe(
          v.array(v.picklist(['pools', 'quotes', 'defillama'])),
          v.check((names) => new Set(names).size === names.length, 'must not repeat a source'),
        ),
      ),
      {},
    ),
    /** US dollars for one whole token, by CAIP-10 address. */
    quotes: v.optional(
      v.pipe(
        v.record(
          v.pipe(
            v.string(),
            v.regex(/^eip155:\d{1,32}:0x[0-9a-f]{40}$/i, 'must be a CAIP-10 address'),
            v.toLowerCase(),
          ),
          v.pipe(
            v.number(),
            v.check((price) => price > 0 && price <= limits.priceMaxDollars, 'must be a price'),
          ),
        ),
        v.maxEntries(limits.priceQuotes),
      ),
      {},
    ),
    defillama: v.optional(DefiLlamaSettings),
  }),
  v.check(
    ({ chains, defillama }) =>
      Object.entries(chains).every(
        ([id, names]) => !names.includes('defillama') || defillama?.chains[id] !== undefined,
      ),
    'must have the url of defillama, and its name of every chain that lists it',
  ),
  v.check(
    ({ chains, quotes }) =>
      Object.keys(quotes).every((id) => {
        const { caipNetworkId } = CaipAddress.parse(id)
        return chains[caipNetworkId]?.includes('quotes')
      }),
    'must list quotes for every chain that has some',
  ),
)

export type PriceSettings = v.InferOutput<typeof PriceSettings>

const Currency = v.pipe(
  v.string(),
  v.regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code such as EUR'),
  v.check((code) => code !== 'USD', 'must be a currency other than USD'),
)

/** Units of a currency for one US dollar. */
export const Rate = v.pipe(
  v.number(),
  v.check((rate) => rate >= 1e-6 && rate <= 1e9, 'must be an exchange rate'),
)

/** The value of `GATEFOLD_EXCHANGE_RATES`: the sources of exchange rates. */
export const RateSettings = v.strictObject({
  /** Fixed rates. */
  fixed: v.optional(v.pipe(v.record(Currency, Rate), v.maxEntries(limits.currencies)), {}),
  frankfurter: v.optional(
    v.strictObject({
      url: BaseUrl,
      currencies: v.pipe(v.array(Currency), v.minLength(1), v.maxLength(limits.currencies)),
    }),
  ),
})

export type RateSettings = v.InferOutput<typeof RateSettings>
