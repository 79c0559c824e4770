import * as v from 'valibot'
import { BaseUrl, ChainId } from '../prices/settings.ts'

const VendorSettings = v.strictObject({
  /**
   * No default, because the server sends requests only to hosts that the
   * operator has configured.
   */
  url: BaseUrl,
  /** Sent in a header. */
  key: v.pipe(
    v.string(),
    v.regex(/^[\x21-\x7e]{1,500}$/, 'must be a key without spaces of 1 to 500 characters'),
  ),
})

export type VendorSettings = v.InferOutput<typeof VendorSettings>

/** The value of `GATEFOLD_SWAPS`: the source of the swaps on each chain, and the settings of the sources. */
export const SwapSettings = v.pipe(
  v.strictObject({
    /** One source for each chain, because a client that reads an allowance does not name the contract. */
    chains: v.optional(v.record(ChainId, v.picklist(['pools', '0x', '1inch'])), {}),
    '0x': v.optional(VendorSettings),
    '1inch': v.optional(VendorSettings),
  }),
  v.check(
    (settings) =>
      Object.values(settings.chains).every((name) => name === 'pools' || settings[name]),
    'must have the url and the key of every source that a chain names',
  ),
)

export type SwapSettings = v.InferOutput<typeof SwapSettings>
