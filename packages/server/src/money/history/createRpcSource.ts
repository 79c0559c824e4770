import { setTimeout as wait } from 'node:timers/promises'
import { limits } from '@gatefold/protocol'
import type { Kysely } from 'kysely'
import type { Database } from '../../storage/Database.ts'
import {
  findWatch,
  listBlocks,
  listEntries,
  type Place,
  type Watch,
} from '../../storage/history.ts'
import { RefusedError } from '../requests.ts'
import type { Entry, HistoryPage, HistorySource } from './HistorySource.ts'

/** How long the first page of a new address waits for its older blocks. */
const waitMs = 2_000
const checkEveryMs = 50

/**
 * Creates the source that reads what the indexer has stored. The first page of a new address waits up to two seconds
 * for its older blocks.
 */
export function createRpcSource(options: { db: Kysely<Database>; chain: string }): HistorySource {
  const { chain, db } = options
  return {
    async read(account, cursor) {
      const before = cursor === undefined ? undefined : parsePlace(cursor)
      const watch = before
        ? await findWatch(db, chain, account)
        : await waitForBackfill(() => findWatch(db, chain, account))
      const rows = await listEntries(db, {
        chain,
        address: account,
        before,
        limit: limits.historyPageSize + 1,
      })
      const page = rows.slice(0, limits.historyPageSize)
      const hasMore = rows.length > page.length
      const last = page.at(-1)
      const indexed = watch && (await describe(watch))
      return {
        entries: page.map(({ facts }) => JSON.parse(facts) as Entry),
        next: nextCursor({ last, hasMore, before, indexed }),
        ...(indexed && { indexed }),
      }
    },
  }

  async function describe({ followedFrom, backfill }: Watch): Promise<HistoryPage['indexed']> {
    if (followedFrom === undefined) return undefined
    const to = (await listBlocks(db, chain))[0]?.number ?? followedFrom - 1
    const from = backfill ? backfill.next + 1 : followedFrom
    return { from, to, isComplete: isComplete(backfill) }
  }
}

/** While older blocks are read, there may be more after the last entry. */
function nextCursor(page: {
  last: Place | undefined
  hasMore: boolean
  before: Place | undefined
  indexed: HistoryPage['indexed']
}): string | null {
  const { before, hasMore, indexed, last } = page
  if (!hasMore && (!indexed || indexed.isComplete)) return null
  const place = last ?? before
  if (place) return `${place.block}-${place.position}`
  return indexed ? `${indexed.from}-0` : null
}

async function waitForBackfill(find: () => Promise<Watch | undefined>) {
  const deadline = performance.now() + waitMs
  let watch = await find()
  while (watch && !isComplete(watch.backfill) && performance.now() < deadline) {
    await wait(checkEveryMs)
    watch = await find()
  }
  return watch
}

function isComplete(backfill: Watch['backfill']): boolean {
  return backfill !== undefined && backfill.next < backfill.end
}

function parsePlace(cursor: string): Place {
  const [, block, position] = /^(\d{1,15})-(\d{1,9})$/.exec(cursor) ?? []
  if (block === undefined || position === undefined)
    throw new RefusedError('cursor', 'cursor is not `next` of a page of this history')
  return { block: Number(block), position: Number(position) }
}
