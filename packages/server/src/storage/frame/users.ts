import type { FrameLanguage } from '@gatefold/protocol/frame'
import type { Kysely } from 'kysely'
import type { Database } from '../Database.ts'
import { newId } from './newId.ts'
import { markOutdated } from './sets.ts'
import type {
  FrameDevicesTable,
  FrameRefreshTokensTable,
  FrameSessionsTable,
  FrameUsersTable,
} from './tables.ts'

export type StoredUser = FrameUsersTable
export type StoredSession = FrameSessionsTable

export async function findUser(db: Kysely<Database>, id: string) {
  return db.selectFrom('frame_users').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function findUserByEmail(db: Kysely<Database>, email: string) {
  return db.selectFrom('frame_users').selectAll().where('email', '=', email).executeTakeFirst()
}

/**
 * Returns the user with an address, and creates one if there is none. Safe for
 * concurrent callers.
 */
export async function ensureUser(db: Kysely<Database>, email: string, now: number) {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('frame_users')
    .values({
      id: newId(),
      email,
      user_name: null,
      epoch: 1,
      eip155: null,
      solana: null,
      created_at: now,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .executeTakeFirst()
  const user = await db
    .selectFrom('frame_users')
    .selectAll()
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  return { user, isNew: numInsertedOrUpdatedRows === 1n }
}

export async function findDevice(db: Kysely<Database>, userId: string, id: string) {
  return db
    .selectFrom('frame_devices')
    .selectAll()
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Stores the language of mails to a user. */
export async function setLanguage(db: Kysely<Database>, id: string, language: FrameLanguage) {
  await db.updateTable('frame_users').set({ language }).where('id', '=', id).execute()
}

/** The language of the user with an address, for a device that has not logged in with it before. */
export async function findLanguage(
  db: Kysely<Database>,
  email: string,
  deviceId: string,
): Promise<FrameLanguage | undefined> {
  const row = await db
    .selectFrom('frame_users')
    .select('language')
    .where('email', '=', email)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('frame_devices')
            .select('frame_devices.id')
            .whereRef('frame_devices.user_id', '=', 'frame_users.id')
            .where('frame_devices.id', '=', deviceId),
        ),
      ),
    )
    .executeTakeFirst()
  return row?.language ?? undefined
}

/** Whether a device has logged in with an address before. */
export async function hasDevice(db: Kysely<Database>, email: string, deviceId: string) {
  const row = await db
    .selectFrom('frame_devices')
    .innerJoin('frame_users', 'frame_users.id', 'frame_devices.user_id')
    .select('frame_devices.id')
    .where('frame_users.email', '=', email)
    .where('frame_devices.id', '=', deviceId)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether a device was confirmed for an address by a mailed link. */
export async function isConfirmedDevice(db: Kysely<Database>, email: string, deviceId: string) {
  const row = await db
    .selectFrom('frame_devices')
    .innerJoin('frame_users', 'frame_users.id', 'frame_devices.user_id')
    .select('frame_devices.id')
    .where('frame_users.email', '=', email)
    .where('frame_devices.id', '=', deviceId)
    .where('frame_devices.confirmed_at', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Stores that a user has logged in through a project. */
export async function addUserProject(db: Kysely<Database>, userId: string, projectId: string) {
  await db
    .insertInto('frame_user_projects')
    .values({ user_id: userId, project_id: projectId })
    .onConflict((conflict) => conflict.columns(['user_id', 'project_id']).doNothing())
    .execute()
}

/** The ids of the projects through which a user has logged in. */
export async function listUserProjects(db: Kysely<Database>, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('frame_user_projects')
    .select('project_id')
    .where('user_id', '=', userId)
    .execute()
  return rows.map(({ project_id: id }) => id)
}

/**
 * The ids of the projects through which the user with an address has logged in.
 * Empty for a device that has not logged in with the address before.
 */
export async function listDeviceProjects(
  db: Kysely<Database>,
  email: string,
  deviceId: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom('frame_devices')
    .innerJoin('frame_users', 'frame_users.id', 'frame_devices.user_id')
    .innerJoin('frame_user_projects', 'frame_user_projects.user_id', 'frame_users.id')
    .select('frame_user_projects.project_id')
    .where('frame_users.email', '=', email)
    .where('frame_devices.id', '=', deviceId)
    .execute()
  return rows.map(({ project_id: id }) => id)
}

/** Creates or updates a device at a login. @returns whether it is new. */
export async function saveDevice(
  db: Kysely<Database>,
  device: Omit<FrameDevicesTable, 'created_at' | 'last_used_at'> & { now: number },
) {
  const { now, ...row } = device
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('frame_devices')
    .values({ ...row, created_at: now, last_used_at: now })
    .onConflict((conflict) => conflict.columns(['user_id', 'id']).doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 1n) return true
  await db
    .updateTable('frame_devices')
    .set({
      name: row.name,
      origin: row.origin,
      last_used_at: now,
      ...(row.confirmed_at !== null && { confirmed_at: row.confirmed_at }),
    })
    .where('user_id', '=', row.user_id)
    .where('id', '=', row.id)
    .execute()
  return false
}

/** Records the use of a device. */
export async function touchDevice(db: Kysely<Database>, userId: string, id: string, now: number) {
  await db
    .updateTable('frame_devices')
    .set({ last_used_at: now })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .execute()
}

export async function listDevices(db: Kysely<Database>, userId: string) {
  return db
    .selectFrom('frame_devices')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('last_used_at', 'desc')
    .limit(100)
    .execute()
}

export async function addSession(
  db: Kysely<Database>,
  session: StoredSession,
  refresh: Omit<FrameRefreshTokensTable, 'is_used' | 'session_id'>,
) {
  await db.transaction().execute(async (transaction) => {
    await transaction.insertInto('frame_sessions').values(session).execute()
    await transaction
      .insertInto('frame_refresh_tokens')
      .values({ ...refresh, session_id: session.id, is_used: 0 })
      .execute()
  })
}

/** The session of an access token and its user, unless the user has signed out everywhere since. */
export async function findSession(db: Kysely<Database>, accessHash: string, now: number) {
  const session = await db
    .selectFrom('frame_sessions')
    .selectAll()
    .where('access_hash', '=', accessHash)
    .where('access_expires_at', '>', now)
    .executeTakeFirst()
  const user = session && (await findUser(db, session.user_id))
  return user && session.epoch === user.epoch ? { session, user } : undefined
}

/** A refresh token that has not expired, with its session. */
export async function findRefreshToken(db: Kysely<Database>, hash: string, now: number) {
  const row = await db
    .selectFrom('frame_refresh_tokens')
    .innerJoin('frame_sessions', 'frame_sessions.id', 'frame_refresh_tokens.session_id')
    .selectAll('frame_sessions')
    .select('frame_refresh_tokens.is_used')
    .where('frame_refresh_tokens.hash', '=', hash)
    .where('frame_refresh_tokens.expires_at', '>', now)
    .executeTakeFirst()
  if (!row) return undefined
  const { is_used: isUsed, ...session } = row
  return { session, isUsed: isUsed === 1 }
}

/**
 * Replaces the tokens of a session.
 *
 * @returns false if the refresh token was used before; of several concurrent callers, one succeeds.
 */
export async function rotateTokens(
  db: Kysely<Database>,
  usedHash: string,
  next: {
    sessionId: string
    accessHash: string
    accessExpiresAt: number
    refresh: { hash: string; expires_at: number }
  },
): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('frame_refresh_tokens')
      .set({ is_used: 1 })
      .where('hash', '=', usedHash)
      .where('is_used', '=', 0)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    const changed = await transaction
      .updateTable('frame_sessions')
      .set({
        access_hash: next.accessHash,
        access_expires_at: next.accessExpiresAt,
        expires_at: next.refresh.expires_at,
      })
      .where('id', '=', next.sessionId)
      .executeTakeFirst()
    if (changed.numUpdatedRows === 0n) return false
    await transaction
      .insertInto('frame_refresh_tokens')
      .values({ ...next.refresh, session_id: next.sessionId, is_used: 0 })
      .execute()
    return true
  })
}

export async function deleteSession(db: Kysely<Database>, id: string) {
  await db.deleteFrom('frame_refresh_tokens').where('session_id', '=', id).execute()
  await db.deleteFrom('frame_sessions').where('id', '=', id).execute()
}

/** Signs a user out everywhere: ends all sessions and starts a new epoch. @returns the new epoch. */
export async function startEpoch(db: Kysely<Database>, userId: string): Promise<number> {
  return db.transaction().execute(async (transaction) => endSessions(transaction, userId))
}

/** {@link startEpoch}, as a part of a transaction. */
export async function endSessions(transaction: Kysely<Database>, userId: string): Promise<number> {
  const { epoch } = await transaction
    .updateTable('frame_users')
    .set((eb) => ({ epoch: eb('epoch', '+', 1) }))
    .where('id', '=', userId)
    .returning('epoch')
    .executeTakeFirstOrThrow()
  const sessions = transaction
    .selectFrom('frame_sessions')
    .select('id')
    .where('user_id', '=', userId)
  await transaction.deleteFrom('frame_refresh_tokens').where('session_id', 'in', sessions).execute()
  await transaction.deleteFrom('frame_sessions').where('user_id', '=', userId).execute()
  await markOutdated(transaction, userId)
  return epoch
}
