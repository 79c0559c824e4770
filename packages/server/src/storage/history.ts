import { limits } from '@gatefold/protocol'
import type { Kysely } from 'kysely'
import type { Database, HistoryAssetsTable } from './Database.ts'

/** The lease of the process that indexes a chain. */
export type HistoryLease = {
  /** CAIP-2 id. */
  chain: string
  /** Identifies the process. */
  owner: string
  /** Unix time in ms until which no other process may take the lease. */
  expiresAt: number
}

/** A block that has been read. */
export type StoredBlock = { number: number; hash: string }

/** A transaction in the history of an account. */
export type StoredEntry = {
  /** Lower case. */
  address: string
  block: number
  /** Index of the transaction in its block. */
  position: number
  /** JSON. */
  facts: string
}

/** A token that was transferred to or from an account. */
export type StoredAsset = {
  /** The account, lower case. */
  address: string
  /** Lower case. */
  contract: string
  /** Decimal; `''` for ERC-20. */
  tokenId: string
  standard: HistoryAssetsTable['standard']
  /** Unix time in ms of the block of the last transfer. */
  lastSeenAt: number
}

/** Which blocks have been read, or will be, for a watched address. */
export type Watch = {
  /** `undefined` until the indexer has seen the watch. */
  followedFrom: number | undefined
  /** The next older block to read, and the last one; `undefined` until this has started. */
  backfill: { next: number; end: number } | undefined
}

/** An NFT that an account may own. */
export type NftCandidate = {
  /** Lower case. */
  contract: string
  /** Decimal. */
  tokenId: string
  standard: 'erc721' | 'erc1155'
  /** Unix time in ms of the block of the last transfer to or from the account. */
  lastSeenAt: number
}

/**
 * Watches an address, or records that it was requested again.
 *
 * @param watch.address - lower case.
 * @param watch.now - Unix time in ms.
 * @param watch.maxWatches - number of addresses that may be watched on the chain.
 * @returns false if the address is new and there is no room.
 */
export async function watchAddress(
  db: Kysely<Database>,
  watch: { chain: string; address: string; now: number; maxWatches: number },
): Promise<boolean> {
  const { chain, address, now, maxWatches } = watch
  if (await touchWatch(db, { chain, address, now })) return true
  const { count } = await db
    .selectFrom('history_watches')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('chain', '=', chain)
    .executeTakeFirstOrThrow()
  if (count >= maxWatches) return false
  await db
    .insertInto('history_watches')
    .values({ chain, address, requested_at: now })
    .onConflict((conflict) => conflict.columns(['chain', 'address']).doNothing())
    .execute()
  return true
}

/** Records that a watched address was requested. @returns whether it is watched. */
export async function touchWatch(
  db: Kysely<Database>,
  { chain, address, now }: { chain: string; address: string; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('history_watches')
    .set({ requested_at: now })
    .where('chain', '=', chain)
    .where('address', '=', address)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function findWatch(
  db: Kysely<Database>,
  chain: string,
  address: string,
): Promise<Watch | undefined> {
  const row = await db
    .selectFrom('history_watches')
    .select(['followed_from', 'backfill_next', 'backfill_end'])
    .where('chain', '=', chain)
    .where('address', '=', address)
    .executeTakeFirst()
  if (!row) return undefined
  const { followed_from, backfill_next: next, backfill_end: end } = row
  return {
    followedFrom: followed_from ?? undefined,
    backfill: next === null || end === null ? undefined : { next, end },
  }
}

/** Whether an address is watched on one of the chains. */
export async function hasWatches(db: Kysely<Database>, chains: readonly string[]) {
  if (chains.length === 0) return false
  const row = await db
    .selectFrom('history_watches')
    .select('chain')
    .where('chain', 'in', chains)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** A position in a history: the entries after it are older. */
export type Place = { block: number; position: number }

/**
 * The entries of an account, newest first.
 *
 * @param query.before - only entries older than this position.
 */
export async function listEntries(
  db: Kysely<Database>,
  query: { chain: string; address: string; before?: Place | undefined; limit: number },
): Promise<StoredEntry[]> {
  const { chain, address, before, limit } = query
  return db
    .selectFrom('history_entries')
    .select(['address', 'block', 'position', 'facts'])
    .where('chain', '=', chain)
    .where('address', '=', address)
    .$if(before !== undefined, (select) =>
      select.where((eb) =>
        eb.or([
          eb('block', '<', before!.block),
          eb.and([eb('block', '=', before!.block), eb('position', '<', before!.position)]),
        ]),
      ),
    )
    .orderBy('block', 'desc')
    .orderBy('position', 'desc')
    .limit(limit)
    .execute()
}

/**
 * The NFTs that were transferred to or from a watched account, newest first, at
 * most {@link limits.historyNfts}. They are candidates: the account may have
 * transferred them away since, or a reorganization may have undone the
 * transfer, so the caller must read the owner from the contracts.
 *
 * @param chain - CAIP-2 id.
 * @param address - the account, in any case.
 */
export async function listNftCandidates(
  db: Kysely<Database>,
  chain: string,
  address: string,
): Promise<NftCandidate[]> {
  const rows = await selectAssets(db, chain, address)
    .where('standard', '<>', 'erc20')
    .limit(limits.historyNfts)
    .execute()
  return rows.map(({ contract, token_id, standard, last_seen_at }) => ({
    contract,
    tokenId: token_id,
    standard: standard === 'erc721' ? 'erc721' : 'erc1155',
    lastSeenAt: last_seen_at,
  }))
}

/**
 * The contracts of the ERC-20 tokens that were transferred to or from a watched account, newest first, at most
 * {@link limits.historyTokens}.
 */
export async function listTokenCandidates(
  db: Kysely<Database>,
  chain: string,
  address: string,
): Promise<string[]> {
  const rows = await selectAssets(db, chain, address)
    .where('standard', '=', 'erc20')
    .limit(limits.historyTokens)
    .execute()
  return rows.map(({ contract }) => contract)
}

function selectAssets(db: Kysely<Database>, chain: string, address: string) {
  return db
    .selectFrom('history_assets')
    .select(['contract', 'token_id', 'standard', 'last_seen_at'])
    .where('chain', '=', chain)
    .where('address', '=', address.toLowerCase())
    .orderBy('last_seen_at', 'desc')
    .orderBy('contract')
    .orderBy('token_id')
}

/** Takes the lease of a chain if no other process holds it, or extends it. @returns whether this process holds it. */
export async function takeLease(
  db: Kysely<Database>,
  { chain, owner, expiresAt }: HistoryLease,
  now: number,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('history_leases')
    .values({ chain, owner, expires_at: expiresAt })
    .onConflict((conflict) =>
      conflict
        .column('chain')
        .doUpdateSet({ owner, expires_at: expiresAt })
        .where((eb) =>
          eb.or([
            eb('history_leases.owner', '=', owner),
            eb('history_leases.expires_at', '<=', now),
          ]),
        ),
    )
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Ends a lease early, so that another process need not wait until it expires. */
export async function releaseLease(
  db: Kysely<Database>,
  { chain, owner }: Pick<HistoryLease, 'chain' | 'owner'>,
) {
  await db
    .deleteFrom('history_leases')
    .where('chain', '=', chain)
    .where('owner', '=', owner)
    .execute()
}

/** The stored blocks of a chain, highest first. */
export async function listBlocks(db: Kysely<Database>, chain: string): Promise<StoredBlock[]> {
  return db
    .selectFrom('history_blocks')
    .select(['number', 'hash'])
    .where('chain', '=', chain)
    .orderBy('number', 'desc')
    .execute()
}

/** The addresses for which new blocks are read. */
export async function listFollowed(db: Kysely<Database>, chain: string): Promise<string[]> {
  const rows = await db
    .selectFrom('history_watches')
    .select('address')
    .where('chain', '=', chain)
    .where('followed_from', 'is not', null)
    .execute()
  return rows.map(({ address }) => address)
}

/** Whether there are watches that the indexer has not seen. */
export async function hasNewWatches(db: Kysely<Database>, chain: string): Promise<boolean> {
  const row = await db
    .selectFrom('history_watches')
    .select('address')
    .where('chain', '=', chain)
    .where('followed_from', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Starts to follow the watches that the indexer has not seen. @returns their addresses. */
export async function followNewWatches(
  db: Kysely<Database>,
  lease: HistoryLease,
  from: number,
): Promise<string[]> {
  return write(db, lease, async (transaction) => {
    const rows = await transaction
      .updateTable('history_watches')
      .set({ followed_from: from })
      .where('chain', '=', lease.chain)
      .where('followed_from', 'is', null)
      .returning('address')
      .execute()
    return rows.map(({ address }) => address)
  })
}

/** Older blocks that are read for several addresses, from the newest to the oldest. */
export type Backfill = { next: number; end: number; addresses: string[] }

/** The backfill that is in progress. */
export async function findBackfill(
  db: Kysely<Database>,
  chain: string,
): Promise<Backfill | undefined> {
  const rows = await db
    .selectFrom('history_watches')
    .select(['address', 'backfill_next', 'backfill_end'])
    .where('chain', '=', chain)
    .whereRef('backfill_next', '>=', 'backfill_end')
    .execute()
  const [first] = rows
  if (!first) return undefined
  return {
    next: first.backfill_next!,
    end: first.backfill_end!,
    addresses: rows.map(({ address }) => address),
  }
}

/**
 * Starts a backfill for all followed addresses that have had none.
 *
 * @param blocks - how many blocks before the first followed one are read.
 */
export async function startBackfill(
  db: Kysely<Database>,
  lease: HistoryLease,
  blocks: number,
): Promise<Backfill | undefined> {
  const { chain } = lease
  return write(db, lease, async (transaction) => {
    const { newest } = await transaction
      .selectFrom('history_watches')
      .select(({ fn }) => fn.max('followed_from').as('newest'))
      .where('chain', '=', chain)
      .where('followed_from', 'is not', null)
      .where('backfill_next', 'is', null)
      .executeTakeFirstOrThrow()
    if (newest === null) return undefined
    const next = newest - 1
    const end = Math.max(0, newest - blocks)
    const rows = await transaction
      .updateTable('history_watches')
      .set({ backfill_next: next, backfill_end: end })
      .where('chain', '=', chain)
      .where('followed_from', 'is not', null)
      .where('backfill_next', 'is', null)
      .returning('address')
      .execute()
    return next < end ? undefined : { next, end, addresses: rows.map(({ address }) => address) }
  })
}

/** The result of reading a range of blocks. */
export type Found = { entries: StoredEntry[]; assets: StoredAsset[] }

/**
 * Stores blocks that follow the highest stored one, with their entries for the
 * followed addresses.
 */
export async function saveBlocks(
  db: Kysely<Database>,
  lease: HistoryLease,
  { blocks, entries, assets }: { blocks: StoredBlock[] } & Found,
) {
  const { chain } = lease
  await write(db, lease, async (transaction) => {
    const last = blocks.at(-1)!.number
    await transaction
      .insertInto('history_blocks')
      .values(blocks.slice(-limits.historyReorgBlocks).map((block) => ({ chain, ...block })))
      .execute()
    // The first stored block is kept, because it is needed to recognize a chain
    // that was restarted.
    await transaction
      .deleteFrom('history_blocks')
      .where('chain', '=', chain)
      .where('number', '<=', last - limits.historyReorgBlocks)
      .where('number', '>', (eb) =>
        eb
          .selectFrom('history_blocks as first')
          .select(({ fn }) => fn.min('first.number').as('number'))
          .where('first.chain', '=', chain),
      )
      .execute()
    await saveFound(transaction, chain, { entries, assets })
  })
}

/**
 * Stores the entries of older blocks for the addresses of a backfill, which
 * continues at `next`.
 */
export async function saveBackfill(
  db: Kysely<Database>,
  lease: HistoryLease,
  { backfill, next, ...found }: { backfill: Backfill; next: number } & Found,
) {
  const { chain } = lease
  await write(db, lease, async (transaction) => {
    await saveFound(transaction, chain, found)
    await transaction
      .updateTable('history_watches')
      .set({ backfill_next: next })
      .where('chain', '=', chain)
      .where('backfill_next', '=', backfill.next)
      .where('backfill_end', '=', backfill.end)
      .execute()
  })
}

/** Deletes the blocks above a stored one and their entries. */
export async function rollBack(db: Kysely<Database>, lease: HistoryLease, to: number) {
  const { chain } = lease
  await write(db, lease, async (transaction) => {
    await transaction
      .deleteFrom('history_blocks')
      .where('chain', '=', chain)
      .where('number', '>', to)
      .execute()
    await transaction
      .deleteFrom('history_entries')
      .where('chain', '=', chain)
      .where('block', '>', to)
      .execute()
  })
}

/**
 * Continues at a block that does not follow the stored ones: deletes the stored
 * blocks, so that older blocks are read again for every address.
 *
 * @param options.keepEntries - whether the stored entries are still valid.
 */
export async function restartAt(
  db: Kysely<Database>,
  lease: HistoryLease,
  { block, keepEntries }: { block: StoredBlock; keepEntries: boolean },
) {
  const { chain } = lease
  await write(db, lease, async (transaction) => {
    await transaction.deleteFrom('history_blocks').where('chain', '=', chain).execute()
    await transaction
      .insertInto('history_blocks')
      .values({ chain, ...block })
      .execute()
    await transaction
      .updateTable('history_watches')
      .set({ backfill_next: null, backfill_end: null, followed_from: block.number + 1 })
      .where('chain', '=', chain)
      .where('followed_from', 'is not', null)
      .execute()
    if (keepEntries) return
    await transaction.deleteFrom('history_entries').where('chain', '=', chain).execute()
    await transaction.deleteFrom('history_assets').where('chain', '=', chain).execute()
  })
}

/** Maximum number of addresses that one transaction removes. */
const forgottenAtOnce = 100

/**
 * Removes addresses that were last requested before a given time, least
 * recently requested first.
 *
 * @param options.before - Unix time in ms.
 * @returns the addresses; at most 100.
 */
export async function forgetIdle(
  db: Kysely<Database>,
  lease: HistoryLease,
  { before, limit = forgottenAtOnce }: { before: number; limit?: number },
): Promise<string[]> {
  const { chain } = lease
  return write(db, lease, async (transaction) => {
    const rows = await transaction
      .selectFrom('history_watches')
      .select('address')
      .where('chain', '=', chain)
      .where('requested_at', '<', before)
      .orderBy('requested_at')
      .limit(Math.min(limit, forgottenAtOnce))
      .execute()
    const addresses = rows.map(({ address }) => address)
    if (addresses.length === 0) return addresses
    for (const table of ['history_watches', 'history_entries', 'history_assets'] as const)
      await transaction
        .deleteFrom(table)
        .where('chain', '=', chain)
        .where('address', 'in', addresses)
        .execute()
    return addresses
  })
}

/** The number of addresses that are watched on a chain. */
export async function countWatches(db: Kysely<Database>, chain: string): Promise<number> {
  const { count } = await db
    .selectFrom('history_watches')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('chain', '=', chain)
    .executeTakeFirstOrThrow()
  return count
}

/** Deletes the oldest entries and assets of addresses that have more than the limits. */
export async function trimHistory(db: Kysely<Database>, lease: HistoryLease, addresses: string[]) {
  const { chain } = lease
  await write(db, lease, async (transaction) => {
    for (const address of addresses) {
      await trimEntries(transaction, chain, address)
      await trimAssets(transaction, chain, address)
    }
  })
}

async function trimEntries(db: Kysely<Database>, chain: string, address: string) {
  const [oldest] = await db
    .selectFrom('history_entries')
    .select(['block', 'position'])
    .where('chain', '=', chain)
    .where('address', '=', address)
    .orderBy('block', 'desc')
    .orderBy('position', 'desc')
    .offset(limits.historyEntries)
    .limit(1)
    .execute()
  if (!oldest) return
  await db
    .deleteFrom('history_entries')
    .where('chain', '=', chain)
    .where('address', '=', address)
    .where((eb) =>
      eb.or([
        eb('block', '<', oldest.block),
        eb.and([eb('block', '=', oldest.block), eb('position', '<=', oldest.position)]),
      ]),
    )
    .execute()
}

async function trimAssets(db: Kysely<Database>, chain: string, address: string) {
  for (const [comparison, max] of [
    ['=', limits.historyTokens],
    ['<>', limits.historyNfts],
  ] as const) {
    const extra = await selectAssets(db, chain, address)
      .where('standard', comparison, 'erc20')
      .offset(max)
      .limit(trimmedAssets)
      .execute()
    for (const { contract, token_id } of extra)
      await db
        .deleteFrom('history_assets')
        .where('chain', '=', chain)
        .where('address', '=', address)
        .where('contract', '=', contract)
        .where('token_id', '=', token_id)
        .execute()
  }
}

/** How many assets of one address are deleted at once. */
const trimmedAssets = 2_000

/** Rows in one statement: 500 rows with 6 columns are below SQLite's limit of 32,766 bound values. */
const rowsAtOnce = 500

async function saveFound(db: Kysely<Database>, chain: string, { entries, assets }: Found) {
  for (let start = 0; start < entries.length; start += rowsAtOnce)
    await db
      .insertInto('history_entries')
      .values(entries.slice(start, start + rowsAtOnce).map((entry) => ({ chain, ...entry })))
      // A backfill may read blocks that were read before.
      .onConflict((conflict) =>
        conflict.columns(['chain', 'address', 'block', 'position']).doNothing(),
      )
      .execute()
  for (let start = 0; start < assets.length; start += rowsAtOnce)
    await db
      .insertInto('history_assets')
      .values(
        assets
          .slice(start, start + rowsAtOnce)
          .map(({ address, contract, tokenId, standard, lastSeenAt }) => ({
            chain,
            address,
            contract,
            token_id: tokenId,
            standard,
            last_seen_at: lastSeenAt,
          })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['chain', 'address', 'contract', 'token_id'])
          .doUpdateSet((eb) => ({ last_seen_at: eb.ref('excluded.last_seen_at') }))
          .whereRef('excluded.last_seen_at', '>', 'history_assets.last_seen_at'),
      )
      .execute()
}

/**
 * Runs a transaction that fails if this process no longer holds the lease. It locks the lease's row, so that no other
 * process takes the lease before the transaction ends.
 */
async function write<Result>(
  db: Kysely<Database>,
  { chain, owner, expiresAt }: HistoryLease,
  run: (transaction: Kysely<Database>) => Promise<Result>,
): Promise<Result> {
  return db.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('history_leases')
      .set({ expires_at: expiresAt })
      .where('chain', '=', chain)
      .where('owner', '=', owner)
      .executeTakeFirst()
    if (numUpdatedRows !== 1n) throw new LeaseLostError(chain)
    return run(transaction)
  })
}

/** Another process indexes the chain. */
export class LeaseLostError extends Error {
  override name = 'LeaseLostError'
  constructor(chain: string) {
    super(`Another process indexes ${chain}.`)
  }
}
