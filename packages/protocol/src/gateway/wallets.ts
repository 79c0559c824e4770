import * as v from 'valibot'
import { pattern } from '../caip/CaipNetworkId.ts'
import { walletTextFields } from './walletTextFields.ts'

/** Maximum number of wallets on one page, unless `include` lists more ids. */
export const maxEntries = 100

/** Maximum number of items in a list parameter. */
export const maxListItems = 1_000

/**
 * A wallet in the response to `GET /getWallets`.
 * Official clients drop wallets without `chains` and, on phones, wallets without `mobile_link`.
 *
 * @see docs/contracts/gateway.md#wallets; spec §3.5
 */
export const WalletListing = v.object({
  /** 64 hex characters. */
  id: v.string(),
  name: v.string(),
  ...v.entriesFromList(walletTextFields, v.nullish(v.string())),
  /** CAIP-2 ids. */
  chains: v.nullish(v.pipe(v.array(v.string()), v.readonly())),
  /** Position in the list, lowest first. */
  order: v.nullish(v.number()),
  injected: v.nullish(
    v.pipe(
      v.array(v.object({ namespace: v.nullish(v.string()), injected_id: v.nullish(v.string()) })),
      v.readonly(),
    ),
  ),
})

export type WalletListing = v.InferOutput<typeof WalletListing>

/** The response to `GET /getWallets`; `count` is the total over all pages. */
export const WalletsResponse = v.object({
  count: v.number(),
  data: v.pipe(v.array(WalletListing), v.readonly()),
})

export type WalletsResponse = v.InferOutput<typeof WalletsResponse>

const identifier = /^[\w.:-]{1,128}$/

const page = v.pipe(
  v.string(),
  v.regex(/^[0-9]{1,6}$/, 'must be a whole number of at least 1'),
  v.toNumber(),
  v.minValue(1, 'must be a whole number of at least 1'),
)

const entries = v.pipe(
  v.string(),
  v.regex(/^[0-9]{1,4}$/, `must be a whole number from 1 to ${maxEntries}`),
  v.toNumber(),
  v.minValue(1, `must be a whole number from 1 to ${maxEntries}`),
)

/** A comma-separated list; empty items are skipped. */
function list(item: RegExp, expected: string) {
  return v.pipe(
    v.string(),
    v.transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    ),
    v.maxLength(maxListItems, `must have at most ${maxListItems} items`),
    v.everyItem((part) => item.test(part), `must be a comma-separated list of ${expected}`),
    v.readonly(),
  )
}

/**
 * The query of `GET /getWallets`. The caller removes empty values first, because they count as absent.
 * Unknown parameters are ignored.
 *
 * @see docs/contracts/gateway.md#wallets
 */
export const WalletsQuery = v.pipe(
  v.object({
    page: v.optional(page, '1'),
    entries: v.optional(entries, '40'),
    search: v.optional(
      v.pipe(v.string(), v.trim(), v.maxLength(100, 'must be at most 100 characters long')),
    ),
    badge_type: v.optional(v.picklist(['certified', 'none'], 'must be certified or none')),
    badge: v.optional(v.picklist(['certified', 'none'], 'must be certified or none')),
    include: v.optional(list(identifier, 'wallet ids')),
    exclude: v.optional(list(identifier, 'wallet ids')),
    chains: v.optional(list(pattern, 'CAIP-2 network ids such as eip155:1')),
    names: v.optional(list(/^[^\p{Cc}]{1,100}$/u, 'wallet names')),
    rdns: v.optional(list(identifier, 'reverse domain names')),
    include_pay_only: v.optional(v.picklist(['true', 'false'], 'must be true or false')),
  }),
  v.forward(
    v.partialCheck(
      [['entries'], ['include']],
      ({ entries, include }) => entries <= Math.max(maxEntries, include?.length ?? 0),
      `must be a whole number from 1 to ${maxEntries}`,
    ),
    ['entries'],
  ),
)

export type WalletsQuery = v.InferOutput<typeof WalletsQuery>
