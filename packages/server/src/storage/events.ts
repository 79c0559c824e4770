import type { Kysely } from 'kysely'
import type { Database, EventsTable } from './Database.ts'

/** Stores events; skips those already stored (same project and event id). */
export async function saveEvents(db: Kysely<Database>, events: EventsTable[]) {
  // 500 rows with 11 columns are well below SQLite's limit of 32,766 bound values.
  for (let start = 0; start < events.length; start += 500) {
    await db
      .insertInto('analytics_events')
      .values(events.slice(start, start + 500))
      .onConflict((conflict) => conflict.columns(['project_id', 'event_id']).doNothing())
      .execute()
  }
}

/** Deletes events received before a time (Unix ms). */
export async function deleteEventsBefore(db: Kysely<Database>, time: number) {
  await db.deleteFrom('analytics_events').where('received_at', '<', time).execute()
}
