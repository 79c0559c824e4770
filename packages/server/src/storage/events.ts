import type { Kysely } from 'kysely'
import type { Database, EventsTable } from './Database.ts'
import { deleteOldRows } from './deleteOldRows.ts'

/** Stores events; skips those already stored (same project and event id). @returns how many were stored */
export async function saveEvents(db: Kysely<Database>, events: EventsTable[]): Promise<number> {
  let stored = 0
  // 500 rows with 11 columns are well below SQLite's limit of 32,766 bound values.
  for (let start = 0; start < events.length; start += 500) {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('analytics_events')
      .values(events.slice(start, start + 500))
      .onConflict((conflict) => conflict.columns(['project_id', 'event_id']).doNothing())
      .executeTakeFirstOrThrow()
    stored += Number(numInsertedOrUpdatedRows)
  }
  return stored
}

/** Deletes events received before a given time (Unix ms). */
export async function deleteEventsBefore(db: Kysely<Database>, time: number) {
  await deleteOldRows(db, { table: 'analytics_events', column: 'received_at', until: time - 1 })
}
