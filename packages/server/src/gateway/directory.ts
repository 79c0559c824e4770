import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CaipNetworkId } from '@gatefold/protocol'
import type { WalletListing, WalletsResponse, WalletsQuery } from '@gatefold/protocol/gateway'

type Entry = Omit<WalletListing, 'chains'> & {
  id: string
  name: string
  order: number
  /** Chain namespaces that the wallet supports. */
  families: string[]
  /** Position of the icon in walletIcons.bin: first byte, length. */
  icon: [offset: number, length: number] | null
}

export type DirectoryFile = { families: Record<string, string[]>; wallets: Entry[] }

export const dataDir = join(import.meta.dirname, '../../data')

/** Reads the bundled wallet directory. */
export function readDirectory(): DirectoryFile {
  return JSON.parse(readFileSync(join(dataDir, 'wallets.json'), 'utf8')) as DirectoryFile
}

export type Directory = { find(query: WalletsQuery): WalletsResponse }

/**
 * The wallet directory, searchable.
 *
 * A wallet lists the common networks of its chain families, plus every network of these families that this
 * server proxies or the request names: an EVM wallet can add any EVM network, and clients drop wallets that
 * lack the page's network.
 *
 * @param options.chains - CAIP-2 ids this server has an upstream for.
 */
export function createDirectory(options: { file: DirectoryFile; chains: string[] }): Directory {
  const { file, chains } = options
  const entries = file.wallets.map((entry) => ({
    entry,
    name: entry.name.toLowerCase(),
    rdns: entry.rdns?.toLowerCase(),
  }))
  const served = byFamily(chains)

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
        // An installed connector matches by announced name (rdns) or by name.
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
    return {
      count: found.length,
      data: found
        .slice(start, start + query.entries)
        .map(({ entry }) => toListing(entry, requested)),
    }
  }

  function toListing(entry: Entry, requested: Map<string, string[]>): WalletListing {
    const { families, icon: _icon, ...wallet } = entry
    const ids = families.flatMap((family) => [
      ...(file.families[family] ?? []),
      ...(served.get(family) ?? []),
      ...(requested.get(family) ?? []),
    ])
    return { ...wallet, chains: [...new Set(ids)] }
  }

  return { find }
}

const notFound = 9

/**
 * Rank of a match, best first: prefix of the name, prefix of a word, part of the name, part of the rdns.
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
