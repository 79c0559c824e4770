import type { Kysely } from 'kysely'
import type { Database } from '../Database.ts'
import { addAudit } from './audit.ts'
import type { FrameAuthSharesTable, FrameRecoveriesTable, FrameSetsTable } from './tables.ts'

export type StoredSet = FrameSetsTable
export type StoredShare = FrameAuthSharesTable
export type StoredRecovery = FrameRecoveriesTable

/**
 * Stores a set of shares and replaces other staged sets of the same device.
 *
 * @returns the ids of the sets that were replaced; `undefined` if the id is taken.
 */
export async function stageSet(
  db: Kysely<Database>,
  set: StoredSet,
  share: StoredShare,
): Promise<string[] | undefined> {
  return db.transaction().execute(async (transaction) => {
    const taken = await transaction
      .selectFrom('frame_sets')
      .select(['user_id', 'device_id', 'committed_at'])
      .where('id', '=', set.id)
      .executeTakeFirst()
    const isOwn = taken?.user_id === set.user_id && taken.device_id === set.device_id
    if (taken && (!isOwn || taken.committed_at !== null)) return undefined
    const replaced = await transaction
      .deleteFrom('frame_sets')
      .where('user_id', '=', set.user_id)
      .where('device_id', '=', set.device_id)
      .where('committed_at', 'is', null)
      .returning('id')
      .execute()
    const ids = replaced.map(({ id }) => id)
    await deleteShares(transaction, ids)
    await transaction.insertInto('frame_sets').values(set).execute()
    await transaction.insertInto('frame_auth_shares').values(share).execute()
    return ids.filter((id) => id !== set.id)
  })
}

export type Commit = 'committed' | 'no_set' | 'wallet_exists' | 'epoch_changed' | 'recovery_changed'

/**
 * Makes a staged set the set of its device, and deletes the previous one. The
 * first committed set determines the user's addresses. The user's row is
 * changed first, so if two devices commit at the same time, the second one is
 * compared with the addresses of the first.
 *
 * The set keeps the user's recovery methods, or replaces a version of them. Of two devices that replace the same
 * version, the second one is refused. With another recovery key, the recovery shares and wraps of all other sets are
 * deleted: their devices store new ones at their next use.
 *
 * @returns the outcome; the methods before the commit, if the set replaces them.
 */
export async function commitSet(
  db: Kysely<Database>,
  {
    userId,
    deviceId,
    setId,
    now,
  }: { userId: string; deviceId: string; setId: string; now: number },
): Promise<{ outcome: Commit; replaced?: StoredRecovery | undefined; set?: StoredSet }> {
  return db.transaction().execute(async (transaction) => {
    const set = await transaction
      .selectFrom('frame_sets')
      .selectAll()
      .where('id', '=', setId)
      .where('user_id', '=', userId)
      .where('device_id', '=', deviceId)
      .executeTakeFirst()
    if (!set) return { outcome: 'no_set' }
    const { smart_account_kind, smart_account_owner } = set
    const smartAccount = smart_account_owner !== null && { smart_account_kind, smart_account_owner }
    const { numUpdatedRows } = await transaction
      .updateTable('frame_users')
      .set({ eip155: set.eip155, solana: set.solana, ...smartAccount })
      .where('id', '=', userId)
      .where('epoch', '=', set.epoch)
      .where((eb) =>
        eb.or([
          eb('eip155', 'is', null),
          eb.and([eb('eip155', '=', set.eip155), eb('solana', '=', set.solana)]),
        ]),
      )
      .where((eb) =>
        eb.or([
          eb.val(!smartAccount),
          eb('smart_account_owner', 'is', null),
          eb.and([
            eb('smart_account_kind', '=', smart_account_kind),
            eb('smart_account_owner', '=', smart_account_owner),
          ]),
        ]),
      )
      .executeTakeFirst()
    if (numUpdatedRows === 0n) {
      const { epoch } = await transaction
        .selectFrom('frame_users')
        .select('epoch')
        .where('id', '=', userId)
        .executeTakeFirstOrThrow()
      return { outcome: epoch === set.epoch ? 'wallet_exists' : 'epoch_changed' }
    }
    // The row of the user is locked now.
    const recovery = await findRecovery(transaction, userId)
    const isRepeated = set.committed_at !== null
    if (!isRepeated && !(await replaceRecovery(transaction, set, recovery)))
      return { outcome: 'recovery_changed' }
    await transaction
      .updateTable('frame_sets')
      .set({ committed_at: now })
      .where('id', '=', setId)
      .execute()
    const previous = await transaction
      .deleteFrom('frame_sets')
      .where('user_id', '=', userId)
      .where('device_id', '=', deviceId)
      .where('id', '!=', setId)
      .where('committed_at', 'is not', null)
      .returning('id')
      .execute()
    await deleteShares(
      transaction,
      previous.map(({ id }) => id),
    )
    return { outcome: 'committed', set, replaced: isRepeated ? undefined : recovery }
  })
}

/**
 * Checks that a set can be recovered with the user's methods, and stores the
 * set's new methods.
 */
async function replaceRecovery(
  db: Kysely<Database>,
  set: StoredSet,
  recovery: StoredRecovery | undefined,
): Promise<boolean> {
  const isSameKey =
    recovery?.recovery_id === set.recovery_id &&
    (recovery.public_key ?? set.recovery_public_key) === set.recovery_public_key
  if (set.replaces_version === null) return isSameKey
  if (set.replaces_version !== (recovery?.version ?? 0)) return false
  // A key is named by the set with which it was created.
  if (!isSameKey && set.recovery_id !== set.id) return false
  const next = {
    recovery_id: set.recovery_id,
    version: set.replaces_version + 1,
    wraps: set.wraps,
    escrow_id: set.is_automatic === 1 ? set.id : null,
    public_key: set.recovery_public_key,
    signature: set.methods_signature,
    is_outdated: isSameKey ? 1 : 0,
  }
  await db
    .insertInto('frame_recoveries')
    .values({ user_id: set.user_id, ...next })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(next))
    .execute()
  await db
    .updateTable('frame_sets')
    .set({ recovery_share: '', wraps: '[]' })
    .where('user_id', '=', set.user_id)
    .where('recovery_id', '!=', set.recovery_id)
    .execute()
  return true
}

/** The recovery methods of a user; `undefined` until the wallet is created. */
export async function findRecovery(db: Kysely<Database>, userId: string) {
  return db
    .selectFrom('frame_recoveries')
    .selectAll()
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

/** Records that a removed device can have a copy of a user's recovery key. */
export async function markOutdated(db: Kysely<Database>, userId: string) {
  await db
    .updateTable('frame_recoveries')
    .set({ is_outdated: 1 })
    .where('user_id', '=', userId)
    .execute()
}

/** All sets of a user with their auth shares, the last committed one first. */
export async function listSets(db: Kysely<Database>, userId: string) {
  return db
    .selectFrom('frame_sets')
    .innerJoin('frame_auth_shares', 'frame_auth_shares.set_id', 'frame_sets.id')
    .selectAll('frame_sets')
    .select(['frame_auth_shares.key_id', 'frame_auth_shares.sealed'])
    .where('frame_sets.user_id', '=', userId)
    .orderBy('frame_sets.committed_at', 'desc')
    .execute()
}

export type RevokedDevice = 'revoked' | 'no_device' | 'last_set'

/** Who ended a device, and when, for the audit list. */
export type DeviceEvent = {
  userId: string
  deviceId: string
  at: number
  origin: string
  /** The mailed link that did it. */
  linkHash?: string | undefined
}

/**
 * Ends a device's sessions, deletes its sets, adds an entry to the audit list, and marks the recovery key as outdated.
 * Refused if no other device has a committed set that the current recovery key opens, because the wallet could be lost.
 *
 * @returns the outcome, the device's name, and the ids of the staged sets that were deleted.
 */
export async function revokeDevice(
  db: Kysely<Database>,
  { userId, deviceId, at, origin, linkHash }: DeviceEvent,
): Promise<{ outcome: RevokedDevice; name: string | null; deleted: string[] }> {
  return db.transaction().execute(async (transaction) => {
    // Locks the user, so that two devices that revoke each other do not both succeed.
    await transaction
      .updateTable('frame_users')
      .set((eb) => ({ epoch: eb.ref('epoch') }))
      .where('id', '=', userId)
      .execute()
    const sets = await transaction
      .selectFrom('frame_sets')
      .select(['device_id', 'recovery_id'])
      .where('user_id', '=', userId)
      .where('committed_at', 'is not', null)
      .execute()
    const recovery = await findRecovery(transaction, userId)
    const isKept = sets.some(
      (set) => set.device_id !== deviceId && set.recovery_id === recovery?.recovery_id,
    )
    if (sets.some((set) => set.device_id === deviceId) && !isKept)
      return { outcome: 'last_set', name: null, deleted: [] }
    const device = await transaction
      .deleteFrom('frame_devices')
      .where('user_id', '=', userId)
      .where('id', '=', deviceId)
      .returning('name')
      .executeTakeFirst()
    if (!device) return { outcome: 'no_device', name: null, deleted: [] }
    const { name } = device
    const removed = await transaction
      .deleteFrom('frame_sets')
      .where('user_id', '=', userId)
      .where('device_id', '=', deviceId)
      .returning(['id', 'committed_at'])
      .execute()
    await deleteShares(
      transaction,
      removed.map(({ id }) => id),
    )
    await markOutdated(transaction, userId)
    const deleted = removed.flatMap(({ id, committed_at }) => (committed_at === null ? [id] : []))
    await endDevice(transaction, { userId, deviceId, linkHash })
    if (linkHash !== undefined)
      await transaction
        .updateTable('frame_removals')
        .set({ outcome: 'removed' })
        .where('hash', '=', linkHash)
        .execute()
    await addAudit(transaction, {
      user_id: userId,
      at,
      event: 'device_removed',
      device_name: name,
      origin,
    })
    return { outcome: 'revoked', name, deleted }
  })
}

/** Deletes the sessions of a device, and the mailed links that remove it, except the one that did it. */
export async function endDevice(
  db: Kysely<Database>,
  { userId, deviceId, linkHash = '' }: Pick<DeviceEvent, 'userId' | 'deviceId' | 'linkHash'>,
) {
  const sessions = db
    .selectFrom('frame_sessions')
    .select('id')
    .where('user_id', '=', userId)
    .where('device_id', '=', deviceId)
  await db.deleteFrom('frame_refresh_tokens').where('session_id', 'in', sessions).execute()
  await db
    .deleteFrom('frame_sessions')
    .where('user_id', '=', userId)
    .where('device_id', '=', deviceId)
    .execute()
  await db
    .deleteFrom('frame_removals')
    .where('user_id', '=', userId)
    .where('device_id', '=', deviceId)
    .where('hash', '!=', linkHash)
    .execute()
}

/** Deletes sets that were staged before a given time and never committed. @returns their ids. */
export async function deleteStagedSets(db: Kysely<Database>, before: number): Promise<string[]> {
  const rows = await db
    .deleteFrom('frame_sets')
    .where('committed_at', 'is', null)
    .where('created_at', '<', before)
    .returning('id')
    .execute()
  const ids = rows.map(({ id }) => id)
  await deleteShares(db, ids)
  return ids
}

async function deleteShares(db: Kysely<Database>, setIds: string[]) {
  if (setIds.length > 0)
    await db.deleteFrom('frame_auth_shares').where('set_id', 'in', setIds).execute()
}

/** Ids of the server's keys that are in use. */
export async function listKeyIds(db: Kysely<Database>): Promise<string[]> {
  const rows = await db.selectFrom('frame_keys').select('id').execute()
  return rows.map(({ id }) => id)
}

export async function addKeyId(db: Kysely<Database>, id: string) {
  await db
    .insertInto('frame_keys')
    .values({ id })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** Auth shares that are encrypted under another key. */
export async function listSharesOfOtherKeys(db: Kysely<Database>, keyId: string) {
  return db
    .selectFrom('frame_auth_shares')
    .selectAll()
    .where('key_id', '!=', keyId)
    .limit(100)
    .execute()
}

/** Stores the same auth share under another key, unless it was replaced in the meantime. */
export async function renewShare(
  db: Kysely<Database>,
  previous: StoredShare,
  next: Pick<StoredShare, 'key_id' | 'sealed'>,
) {
  await db
    .updateTable('frame_auth_shares')
    .set(next)
    .where('set_id', '=', previous.set_id)
    .where('sealed', '=', previous.sealed)
    .execute()
}

/** Deletes the ids of all keys except one. */
export async function keepKeyId(db: Kysely<Database>, id: string) {
  await db.deleteFrom('frame_keys').where('id', '!=', id).execute()
}
