import type { Kysely } from 'kysely'
import type { Database } from '../Database.ts'
import { addAudit } from './audit.ts'
import { isTaken } from './isTaken.ts'
import type { FrameEmailChangesTable, FrameEmailUndosTable } from './tables.ts'
import { endSessions } from './users.ts'

export type StoredChange = FrameEmailChangesTable
export type StoredUndo = FrameEmailUndosTable

/**
 * Stores a change of the email address and replaces earlier ones of the user,
 * whose codes are deleted.
 */
export async function replaceChange(db: Kysely<Database>, change: StoredChange) {
  await db.transaction().execute(async (transaction) => {
    const earlier = transaction
      .selectFrom('frame_email_changes')
      .select('id')
      .where('user_id', '=', change.user_id)
    await transaction.deleteFrom('frame_codes').where('id', 'in', earlier).execute()
    await transaction
      .deleteFrom('frame_email_changes')
      .where('user_id', '=', change.user_id)
      .execute()
    await transaction.insertInto('frame_email_changes').values(change).execute()
  })
}

/** A change of a user that was started on this device and has not expired. */
export async function findChange(
  db: Kysely<Database>,
  wanted: { id: string; userId: string; deviceId: string; now: number },
) {
  return db
    .selectFrom('frame_email_changes')
    .selectAll()
    .where('id', '=', wanted.id)
    .where('user_id', '=', wanted.userId)
    .where('device_id', '=', wanted.deviceId)
    .where('expires_at', '>', wanted.now)
    .executeTakeFirst()
}

/**
 * Records that the code sent to the old address was entered, and sets the
 * change's lifetime to that of the next code.
 */
export async function verifyPrimary(db: Kysely<Database>, id: string, expiresAt: number) {
  await db
    .updateTable('frame_email_changes')
    .set({ is_primary_verified: 1, expires_at: expiresAt })
    .where('id', '=', id)
    .execute()
}

export type EmailChange = 'changed' | 'taken' | 'outdated'

/**
 * Changes the address of a user, and stores the data to undo the change.
 *
 * @param undo - `undefined` for a user without an address.
 * @returns `outdated` if the user’s address is no longer the one from which the change was started.
 */
export async function applyChange(
  db: Kysely<Database>,
  change: StoredChange,
  undo: StoredUndo | undefined,
): Promise<EmailChange> {
  const work = db.transaction().execute(async (transaction): Promise<EmailChange> => {
    const { old_email: oldEmail, new_email: newEmail } = change
    const taken = await transaction
      .selectFrom('frame_users')
      .select('id')
      .where('email', '=', newEmail)
      .executeTakeFirst()
    if (taken) return 'taken'
    const { numUpdatedRows } = await transaction
      .updateTable('frame_users')
      .set({ email: newEmail })
      .where('id', '=', change.user_id)
      .where('email', oldEmail === null ? 'is' : '=', oldEmail)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return 'outdated'
    if (undo) await transaction.insertInto('frame_email_undos').values(undo).execute()
    await transaction.deleteFrom('frame_email_changes').where('id', '=', change.id).execute()
    return 'changed'
  })
  return work.catch((error: unknown) => {
    if (isTaken(error)) return 'taken'
    throw error
  })
}

/** The change that a mailed link can still undo. */
export async function findUndo(db: Kysely<Database>, hash: string, now: number) {
  return db
    .selectFrom('frame_email_undos')
    .selectAll()
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** The id of another user who had an address and can still reclaim it. */
export async function findFormerOwner(
  db: Kysely<Database>,
  { email, userId, now }: { email: string; userId: string | undefined; now: number },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('frame_email_undos')
    .select('user_id')
    .where('old_email', '=', email)
    .where('expires_at', '>', now)
    .$if(userId !== undefined, (query) => query.where('user_id', '!=', userId!))
    .limit(1)
    .executeTakeFirst()
  return row?.user_id
}

/**
 * Restores a user's old address, regardless of the current one, and deletes later changes, whose links would undo this
 * restoration. Ends all sessions, because the change was made with one.
 *
 * @returns `undefined` if the link was used or has expired, or if another user has the address. In the last case, the link
 *   remains usable.
 */
export async function undoChange(db: Kysely<Database>, hash: string, now: number) {
  const work = db.transaction().execute(async (transaction) => {
    const undo = await transaction
      .deleteFrom('frame_email_undos')
      .where('hash', '=', hash)
      .where('expires_at', '>', now)
      // Only if it can be undone; otherwise the link remains usable.
      .where((where) =>
        where.not(
          where.exists(
            where
              .selectFrom('frame_users')
              .select('frame_users.id')
              .whereRef('frame_users.email', '=', 'frame_email_undos.old_email')
              .whereRef('frame_users.id', '!=', 'frame_email_undos.user_id'),
          ),
        ),
      )
      .returningAll()
      .executeTakeFirst()
    if (!undo) return undefined
    await transaction
      .updateTable('frame_users')
      .set({ email: undo.old_email })
      .where('id', '=', undo.user_id)
      .execute()
    await transaction
      .deleteFrom('frame_email_undos')
      .where('user_id', '=', undo.user_id)
      .where('created_at', '>=', undo.created_at)
      .execute()
    await transaction
      .deleteFrom('frame_email_changes')
      .where('user_id', '=', undo.user_id)
      .execute()
    await endSessions(transaction, undo.user_id)
    await addAudit(transaction, {
      user_id: undo.user_id,
      at: now,
      event: 'email_change_undone',
      device_name: null,
      origin: undo.origin,
    })
    return undo
  })
  return work.catch((error: unknown) => {
    if (isTaken(error)) return undefined
    throw error
  })
}
