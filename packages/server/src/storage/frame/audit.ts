import type { Kysely } from 'kysely'
import type { Database } from '../Database.ts'
import { newId } from './newId.ts'
import type { FrameAuditTable } from './tables.ts'

/** Adds an entry to an account's audit list. */
export async function addAudit(db: Kysely<Database>, entry: Omit<FrameAuditTable, 'id'>) {
  await db
    .insertInto('frame_audit')
    .values({ ...entry, id: newId() })
    .execute()
}

/** The last entries of a user, newest first. */
export async function listAudit(db: Kysely<Database>, userId: string) {
  return db
    .selectFrom('frame_audit')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('at', 'desc')
    .limit(100)
    .execute()
}
