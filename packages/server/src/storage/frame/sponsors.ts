import { sql, type Kysely } from 'kysely'
import type { Database } from '../Database.ts'
import type { SponsorOperationsTable, SponsorPoliciesTable } from './tables.ts'

/**
 * The operations that a project pays for, and the limits. Amounts are in gwei
 * of each chain's currency.
 */
export type SponsorPolicy = {
  /** Addresses in lower case; empty: any contract. */
  contracts: readonly string[]
  /** Selectors such as `0xa9059cbb`, and `send` for a call without data; empty: any method. */
  methods: readonly string[]
  userDayGwei: number
  dayGwei: number
  totalGwei: number
}

export async function findSponsorPolicy(
  db: Kysely<Database>,
  projectId: string,
): Promise<SponsorPolicy | undefined> {
  const row = await db
    .selectFrom('sponsor_policies')
    .selectAll()
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  return row && fromRow(row)
}

/** Creates or replaces the policy of a project. */
export async function saveSponsorPolicy(
  db: Kysely<Database>,
  projectId: string,
  policy: SponsorPolicy,
) {
  const changes = {
    contracts: JSON.stringify(policy.contracts),
    methods: JSON.stringify(policy.methods),
    user_day_gwei: policy.userDayGwei,
    day_gwei: policy.dayGwei,
    total_gwei: policy.totalGwei,
  }
  await db
    .insertInto('sponsor_policies')
    .values({ project_id: projectId, ...changes })
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(changes))
    .execute()
}

/** @returns whether the project had a policy. */
export async function deleteSponsorPolicy(db: Kysely<Database>, projectId: string) {
  const { numDeletedRows } = await db
    .deleteFrom('sponsor_policies')
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** What a project has spent on each chain in total, in gwei. */
export async function listSponsorTotals(db: Kysely<Database>, projectId: string) {
  return db
    .selectFrom('sponsor_spent')
    .select(['chain', 'gwei'])
    .where('project_id', '=', projectId)
    .where('key', '=', 'total')
    .orderBy('chain')
    .execute()
}

const dayMs = 86_400_000

export type Spending = {
  projectId: string
  /** CAIP-2 id */
  chain: string
  userId: string
  gwei: number
  now: number
}

/** The database keys of the counters to which an amount is added. */
function keysOf({ userId, now }: Pick<Spending, 'userId' | 'now'>) {
  const day = new Date(now).toISOString().slice(0, 10)
  return { total: 'total', day, user: `${day} ${userId}` }
}

/** The limits of a policy that apply to an amount, with their database keys. */
function budgetsOf(policy: SponsorPolicy, { userId, now }: Spending) {
  const keys = keysOf({ userId, now })
  const expiresAt = (Math.floor(now / dayMs) + 2) * dayMs
  return [
    {
      limit: 'total',
      key: keys.total,
      max: policy.totalGwei,
      expires_at: Number.MAX_SAFE_INTEGER,
    },
    { limit: 'day', key: keys.day, max: policy.dayGwei, expires_at: expiresAt },
    { limit: 'user', key: keys.user, max: policy.userDayGwei, expires_at: expiresAt },
  ] as const
}

export type SponsorLimit = ReturnType<typeof budgetsOf>[number]['limit']

/** The limit that an amount would exceed; `undefined` if none. */
export async function findExceededLimit(
  db: Kysely<Database>,
  policy: SponsorPolicy,
  spending: Spending,
): Promise<SponsorLimit | undefined> {
  const budgets = budgetsOf(policy, spending)
  const rows = await db
    .selectFrom('sponsor_spent')
    .select(['key', 'gwei'])
    .where('project_id', '=', spending.projectId)
    .where('chain', '=', spending.chain)
    .where(
      'key',
      'in',
      budgets.map(({ key }) => key),
    )
    .execute()
  return budgets.find(({ key, max }) => {
    const spent = rows.find((row) => row.key === key)?.gwei ?? 0
    return spent + spending.gwei > max
  })?.limit
}

/**
 * Counts an amount towards every limit of a policy, or towards none. Each row is compared and changed in one statement,
 * so that parallel requests never exceed a limit.
 *
 * @returns the limit that the amount would exceed; `undefined` if it was counted.
 */
export async function spend(
  db: Kysely<Database>,
  policy: SponsorPolicy,
  spending: Spending,
): Promise<SponsorLimit | undefined> {
  const { projectId, chain, gwei } = spending
  try {
    await db.transaction().execute(async (transaction) => {
      for (const { limit, key, max, expires_at } of budgetsOf(policy, spending)) {
        if (gwei > max) throw new LimitReached(limit)
        const { numInsertedOrUpdatedRows } = await transaction
          .insertInto('sponsor_spent')
          .values({ project_id: projectId, chain, key, gwei, expires_at })
          .onConflict((conflict) =>
            conflict
              .columns(['project_id', 'chain', 'key'])
              .doUpdateSet({ gwei: sql<number>`sponsor_spent.gwei + ${gwei}` })
              .where(sql<boolean>`sponsor_spent.gwei + ${gwei} <= ${max}`),
          )
          .executeTakeFirst()
        if (numInsertedOrUpdatedRows !== 1n) throw new LimitReached(limit)
      }
    })
  } catch (error) {
    if (error instanceof LimitReached) return error.limit
    throw error
  }
  return undefined
}

export type SponsoredOperationRow = SponsorOperationsTable

/** Stores a signed operation until its cost is known. The same operation can be signed, and counted, twice. */
export async function addOperation(db: Kysely<Database>, operation: SponsoredOperationRow) {
  await db
    .insertInto('sponsor_operations')
    .values(operation)
    .onConflict((conflict) =>
      conflict
        .columns(['chain', 'hash'])
        .doUpdateSet({ gwei: sql<number>`sponsor_operations.gwei + ${operation.gwei}` })
        // Two users can name the same owner, and so request the same operation. What counts towards one budget must not
        // be credited to the other; the amount of the second user stays counted.
        .where('sponsor_operations.project_id', '=', operation.project_id)
        .where('sponsor_operations.user_id', '=', operation.user_id),
    )
    .execute()
}

/** The oldest operations on a chain whose cost is not known yet. */
export async function listOperations(db: Kysely<Database>, chain: string) {
  return db
    .selectFrom('sponsor_operations')
    .selectAll()
    .where('chain', '=', chain)
    .orderBy('created_at')
    .limit(100)
    .execute()
}

/**
 * Credits back the part of the counted amount that an operation did not use.
 * Only one of several concurrent callers succeeds.
 *
 * @param usedGwei - the actual cost.
 */
export async function settleOperation(
  db: Kysely<Database>,
  { chain, hash, user_id, created_at }: SponsoredOperationRow,
  usedGwei: number,
) {
  await db.transaction().execute(async (transaction) => {
    const row = await transaction
      .deleteFrom('sponsor_operations')
      .where('chain', '=', chain)
      .where('hash', '=', hash)
      .returning(['project_id', 'gwei'])
      .executeTakeFirst()
    const unused = row ? row.gwei - usedGwei : 0
    if (!row || unused <= 0) return
    const keys = Object.values(keysOf({ userId: user_id, now: created_at }))
    await transaction
      .updateTable('sponsor_spent')
      .set({ gwei: sql<number>`sponsor_spent.gwei - ${unused}` })
      .where('project_id', '=', row.project_id)
      .where('chain', '=', chain)
      .where('key', 'in', keys)
      .execute()
  })
}

/** Rolls back the transaction of {@link spend}. */
class LimitReached extends Error {
  readonly limit: SponsorLimit
  constructor(limit: SponsorLimit) {
    super(limit)
    this.limit = limit
  }
}

function fromRow(row: SponsorPoliciesTable): SponsorPolicy {
  return {
    contracts: JSON.parse(row.contracts) as string[],
    methods: JSON.parse(row.methods) as string[],
    userDayGwei: row.user_day_gwei,
    dayGwei: row.day_gwei,
    totalGwei: row.total_gwei,
  }
}
