import type { PricePeriod } from '@gatefold/protocol/gateway'
import type { Kysely } from 'kysely'
import type { Database, PriceSamplesTable } from './Database.ts'

/**
 * Stores prices. A step that already has a price keeps it, even if another
 * process stored it.
 */
export async function addPriceSamples(db: Kysely<Database>, rows: readonly PriceSamplesTable[]) {
  await db
    .insertInto('price_samples')
    .values([...rows])
    .onConflict((conflict) => conflict.columns(['chain', 'token', 'period', 'step']).doNothing())
    .execute()
}

/**
 * The prices of a token in the steps of a period, oldest first.
 *
 * @param query.since - Unix time in ms; steps that begin earlier are omitted.
 */
export async function listPriceSamples(
  db: Kysely<Database>,
  query: { chain: string; token: string; period: PricePeriod; since: number },
): Promise<{ step: number; at: number; price: number }[]> {
  return db
    .selectFrom('price_samples')
    .select(['step', 'at', 'price'])
    .where('chain', '=', query.chain)
    .where('token', '=', query.token)
    .where('period', '=', query.period)
    .where('step', '>=', query.since)
    .orderBy('step')
    .execute()
}

/** Deletes the prices of steps that began before a given time. */
export async function deletePriceSamples(
  db: Kysely<Database>,
  period: PricePeriod,
  before: number,
) {
  await db
    .deleteFrom('price_samples')
    .where('period', '=', period)
    .where('step', '<', before)
    .execute()
}
