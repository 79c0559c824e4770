import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { WalletListing, WalletsResponse, WalletsQuery } from '@gatefold/protocol/gateway'

type Entry = Omit<WalletListing, 'chains'> & {
  id: string
  name: string
  order: number
  /** Chain namespaces the wallet speaks. */
  families: string[]
  /** Place of the icon in walletIcons.bin: first byte, length. */
  icon: [offset: number, length: number] | null
}

export type DirectoryFile = { families: Record<string, string[]>; wallets: Entry[] }

export const dataDir = join(import.meta.dirname, '../../data')

/** Reads the wallet directory that comes with the server. */
export function readDirectory(): DirectoryFile {
  return JSON.parse(readFileSync(join(dataDir, 'wallets.json'), 'utf8')) as DirectoryFile
}

export type Directory = { find(query: WalletsQuery): WalletsResponse }

/**
 * The wallet directory, searchable.
 *
 * A wallet's networks: the usual ones of the chain families it speaks, and with them every network
 * of these families that this server serves or that the request names. An EVM wallet can be asked
 * to add any EVM network, and clients drop a wallet whose list does not hold the page's network.
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
    const asked = byFamily(query.chains ?? [])
    const search = query.search?.toLowerCase()

    let found = entries.filter(
      ({ entry, ...lower }) =>
        (!include?.size || include.has(entry.id)) &&
        !exclude.has(entry.id) &&
        (!badge || entry.badge_type === badge) &&
        // Installed connectors are told by what they announce, or else by name.
        ((!names && !rdns) || names?.has(lower.name) || (lower.rdns && rdns?.has(lower.rdns))) &&
        (asked.size === 0 || entry.families.some((family) => asked.has(family))) &&
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
      data: found.slice(start, start + query.entries).map(({ entry }) => toWallet(entry, asked)),
    }
  }

  function toWallet(entry: Entry, asked: Map<string, string[]>): WalletListing {
    const { families, icon: _icon, ...wallet } = entry
    const ids = families.flatMap((family) => [
      ...(file.families[family] ?? []),
      ...(served.get(family) ?? []),
      ...(asked.get(family) ?? []),
    ])
    return { ...wallet, chains: [...new Set(ids)] }
  }

  return { find }
}

const notFound = 9

/** Best first: the name starts so, a word of it does, it holds it, the announced name holds it. */
function rank({ name, rdns }: { name: string; rdns: string | undefined }, search: string): number {
  if (name.startsWith(search)) return 0
  if (name.includes(` ${search}`)) return 1
  if (name.includes(search)) return 2
  return rdns?.includes(search) ? 3 : notFound
}

function byFamily(chains: readonly string[]): Map<string, string[]> {
  return Map.groupBy(chains, (chain) => chain.slice(0, chain.indexOf(':')))
}
