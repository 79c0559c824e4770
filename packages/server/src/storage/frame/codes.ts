import { limits } from '@gatefold/protocol'
import type { Kysely } from 'kysely'
import type { Database } from '../Database.ts'
import { deleteOldRows } from '../deleteOldRows.ts'
import type { FrameCodesTable, FrameLoginsTable } from './tables.ts'

export type StoredLogin = FrameLoginsTable

/**
 * Stores a login and replaces earlier ones of the same address and device,
 * whose codes are deleted.
 */
export async function replaceLogin(db: Kysely<Database>, login: StoredLogin) {
  await db.transaction().execute(async (transaction) => {
    const earlier = transaction
      .selectFrom('frame_logins')
      .select('id')
      .where('email', '=', login.email)
      .where('device_id', '=', login.device_id)
    await transaction.deleteFrom('frame_codes').where('id', 'in', earlier).execute()
    await transaction
      .deleteFrom('frame_logins')
      .where('email', '=', login.email)
      .where('device_id', '=', login.device_id)
      .execute()
    await transaction.insertInto('frame_logins').values(login).execute()
  })
}

/** A login of a device that has not expired. */
export async function findLogin(db: Kysely<Database>, id: string, deviceId: string, now: number) {
  return db
    .selectFrom('frame_logins')
    .selectAll()
    .where('id', '=', id)
    .where('device_id', '=', deviceId)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** The login of a mailed link that has not expired. */
export async function findLoginByLink(db: Kysely<Database>, linkHash: string, now: number) {
  return db
    .selectFrom('frame_logins')
    .selectAll()
    .where('link_hash', '=', linkHash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** Confirms the device of a login. @returns whether a login has this link and has not expired. */
export async function confirmLogin(db: Kysely<Database>, linkHash: string, now: number) {
  const { numUpdatedRows } = await db
    .updateTable('frame_logins')
    .set({ confirmed_at: now })
    .where('link_hash', '=', linkHash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Deletes the login of a mailed link. */
export async function refuseLogin(db: Kysely<Database>, linkHash: string) {
  await db.deleteFrom('frame_logins').where('link_hash', '=', linkHash).execute()
}

/**
 * Marks the code of a confirmed login as mailed, and gives the login the lifetime of the code. Only one of several
 * concurrent callers succeeds.
 */
export async function claimCode(
  db: Kysely<Database>,
  id: string,
  { now, expiresAt }: { now: number; expiresAt: number },
) {
  const { numUpdatedRows } = await db
    .updateTable('frame_logins')
    .set({ code_sent_at: now, expires_at: expiresAt })
    .where('id', '=', id)
    .where('confirmed_at', 'is not', null)
    .where('code_sent_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function deleteLogin(db: Kysely<Database>, id: string) {
  await db.deleteFrom('frame_logins').where('id', '=', id).execute()
}

export async function addCode(
  db: Kysely<Database>,
  code: Omit<FrameCodesTable, 'tries' | 'is_used'>,
) {
  await db
    .insertInto('frame_codes')
    .values({ ...code, tries: 0, is_used: 0 })
    .execute()
}

/**
 * Counts a try and compares the code, in one statement, so that parallel guesses evaluate at most `codeTries`.
 *
 * @param guess.hashes - HMACs of the entered code, one for each key of the server.
 * @returns whether the code is right, and the number of remaining tries;
 * `undefined` if there is no such code, or if it was used, has expired or has
 * no tries left.
 */
export async function tryCode(
  db: Kysely<Database>,
  guess: { id: string; purpose: string; deviceId: string; hashes: string[]; now: number },
): Promise<{ isRight: boolean; triesLeft: number } | undefined> {
  const row = await db
    .updateTable('frame_codes')
    .set((eb) => ({
      tries: eb('tries', '+', 1),
      is_used: eb.case().when('hash', 'in', guess.hashes).then(1).else(0).end(),
    }))
    .where('id', '=', guess.id)
    .where('purpose', '=', guess.purpose)
    .where('device_id', '=', guess.deviceId)
    .where('is_used', '=', 0)
    .where('tries', '<', limits.codeTries)
    .where('expires_at', '>', guess.now)
    .returning(['tries', 'is_used'])
    .executeTakeFirst()
  return row && { isRight: row.is_used === 1, triesLeft: limits.codeTries - row.tries }
}

export type LimitUse = {
  key: string
  /** Maximum number of uses in the window. */
  max: number
  windowMs: number
  /** Shortest time between two uses; 0 if there is none. */
  gapMs: number
  now: number
}

/**
 * Counts a use against a limit on the number of uses in a sliding window. The
 * uses are in the database, so that they survive a restart and all processes
 * share them.
 *
 * @returns 0 if it is granted, otherwise the ms until a retry can succeed, and which limit refused it.
 */
export async function takeUse(
  db: Kysely<Database>,
  use: LimitUse,
): Promise<{ waitMs: number; isGap: boolean }> {
  const { key, max, windowMs, gapMs, now } = use
  for (;;) {
    const row = await db
      .selectFrom('frame_limits')
      .select('times')
      .where('key', '=', key)
      .executeTakeFirst()
    const times = (JSON.parse(row?.times ?? '[]') as number[]).filter((at) => at > now - windowMs)
    const gapWaitMs = (times.at(-1) ?? -Infinity) + gapMs - now
    if (gapWaitMs > 0) return { waitMs: gapWaitMs, isGap: true }
    if (times.length >= max) return { waitMs: times[0]! + windowMs - now, isGap: false }
    const next = { times: JSON.stringify([...times, now]), expires_at: now + windowMs }
    // Another caller may have changed the row since it was read. Each such
    // change means a granted use, so there are at most `max` retries.
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('frame_limits')
      .values({ key, ...next })
      .onConflict((conflict) =>
        row
          ? conflict.column('key').doUpdateSet(next).where('frame_limits.times', '=', row.times)
          : conflict.column('key').doNothing(),
      )
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows === 1n) return { waitMs: 0, isGap: false }
  }
}

/** Marks an id as used. @returns false if it was used before. */
export async function markUsed(db: Kysely<Database>, id: string, expiresAt: number) {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('frame_used')
    .values({ id, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

const expiring = [
  'frame_logins',
  'frame_social_logins',
  'frame_codes',
  'frame_limits',
  'frame_used',
  'frame_sessions',
  'frame_refresh_tokens',
  'frame_email_changes',
  'frame_email_undos',
  'frame_removals',
  'sponsor_spent',
  'sponsor_operations',
] as const

/** Deletes rows that have expired, and old entries of the audit list. */
export async function deleteExpired(
  db: Kysely<Database>,
  times: { now: number; auditBefore: number },
) {
  for (const table of expiring)
    await deleteOldRows(db, { table, column: 'expires_at', until: times.now })
  await deleteOldRows(db, { table: 'frame_audit', column: 'at', until: times.auditBefore - 1 })
}
