import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { CaipNetworkId } from '@gatefold/protocol'
import type { WalletListing, WalletsResponse, WalletsQuery } from '@gatefold/protocol/gateway'

type Entry = Omit<WalletListing, 'chains'> & {
  id: string
  name: string
  order: number
  /** Chain namespaces that the wallet supports. */
  families: string[]
  /** Position of the icon in walletIcons.bin, in bytes. */
  icon: [offset: number, length: number] | null
}

export type DirectoryFile = { families: Record<string, string[]>; wallets: Entry[] }

export const dataDir = join(import.meta.dirname, '../../data')

/** Reads the bundled wallet directory. */
export function readDirectory(): DirectoryFile {
  return JSON.parse(readFileSync(join(dataDir, 'wallets.json'), 'utf8')) as DirectoryFile
}

/** The symbols, in upper case, of the tokens with a bundled image. */
export function readTokenSymbols(): ReadonlySet<string> {
  return new Set(readdirSync(join(dataDir, 'images/tokens')).map((file) => basename(file, '.svg')))
}

export type Directory = { find(query: WalletsQuery): WalletsResponse }

/** Maximum size of a page, in bytes of JSON. */
const maxPageBytes = 300_000

/**
 * Creates the searchable wallet directory.
 *
 * The listing of a wallet contains the common chains of the wallet's families, and those that this server
 * proxies. It also contains the first requested chain of each of these families, because an EVM wallet can add
 * any EVM chain, and clients drop a wallet that has no chain in common with the host page. Further requested
 * chains are not added: a long list that is repeated for every wallet would make the response very large.
 *
 * @see docs/threats.md#amplification
 * @param options.chains - CAIP-2 ids of the chains that have an upstream.
 */
export function createDirectory(options: { file: DirectoryFile; chains: string[] }): Directory {
  const { file, chains } = options
  const served = byFamily(chains)
  const entries = file.wallets.map((entry) => {
    const listing = toListing(entry)
    return {
      entry,
      listing,
      bytes: Buffer.byteLength(JSON.stringify(listing)),
      name: entry.name.toLowerCase(),
      rdns: entry.rdns?.toLowerCase(),
    }
  })

  function find(query: WalletsQuery): WalletsResponse {
    const include = query.include && new Set(query.include)
    const exclude = new Set(query.exclude)
    const badge = query.badge_type ?? query.badge
    const names = query.names && new Set(query.names.map((name) => name.toLowerCase()))
    const rdns = query.rdns && new Set(query.rdns.map((name) => name.toLowerCase()))
    const requested = byFamily(query.chains ?? [])
    const search = query.search?.toLowerCase()

    let found = entries.filter(
      ({ entry, ...lower }) =>
        (!include?.size || include.has(entry.id)) &&
        !exclude.has(entry.id) &&
        (!badge || entry.badge_type === badge) &&
        // Clients look up installed wallets by the announced rdns, or by name.
        ((!names && !rdns) || names?.has(lower.name) || (lower.rdns && rdns?.has(lower.rdns))) &&
        (requested.size === 0 || entry.families.some((family) => requested.has(family))) &&
        query.include_pay_only !== 'true',
    )
    if (search)
      found = found
        .map((item) => ({ item, rank: rank(item, search) }))
        .filter(({ rank }) => rank < notFound)
        .sort((a, b) => a.rank - b.rank || a.item.entry.order - b.item.entry.order)
        .map(({ item }) => item)

    const start = (query.page - 1) * query.entries
    const data: WalletListing[] = []
    let room = maxPageBytes - envelopeBytes
    for (const { entry, listing, bytes } of found.slice(start, start + query.entries)) {
      const added = entry.families
        .flatMap((family) => requested.get(family)?.[0] ?? [])
        .filter((chain) => !listing.chains.includes(chain))
      // Adds two quotation marks and a comma for each chain, and a comma for the wallet.
      room -= added.reduce((size, chain) => size + chain.length + 3, bytes + 1)
      if (room < 0) break
      data.push(added.length > 0 ? { ...listing, chains: [...listing.chains, ...added] } : listing)
    }
    return { count: found.length, data }
  }

  function toListing(entry: Entry) {
    const { families, icon: _icon, ...wallet } = entry
    const ids = families.flatMap((family) => [
      ...(file.families[family] ?? []),
      ...(served.get(family) ?? []),
    ])
    return { ...wallet, chains: [...new Set(ids)] }
  }

  return { find }
}

/** Bytes reserved for the fields around the wallets on a page. */
const envelopeBytes = 100
const notFound = 9

/**
 * Ranks a match; 0 is the best. The order is: prefix of the name, prefix of a word, part of the name, part of
 * the rdns.
 */
function rank({ name, rdns }: { name: string; rdns: string | undefined }, search: string): number {
  if (name.startsWith(search)) return 0
  if (name.includes(` ${search}`)) return 1
  if (name.includes(search)) return 2
  return rdns?.includes(search) ? 3 : notFound
}

function byFamily(chains: readonly string[]): Map<string, string[]> {
  return Map.groupBy(chains, (chain) => CaipNetworkId.split(chain)?.namespace ?? chain)
}
