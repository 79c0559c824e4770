import type { Kysely } from 'kysely'
import type { Database } from '../Database.ts'
import { isTaken } from './isTaken.ts'
import type { FramePasskeysTable } from './tables.ts'

export type StoredPasskey = FramePasskeysTable

export async function findPasskey(db: Kysely<Database>, id: string) {
  return db.selectFrom('frame_passkeys').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Creates a user without an address, who logs in with a passkey. @returns false if the user or the passkey exists. */
export async function createPasskeyUser(
  db: Kysely<Database>,
  passkey: StoredPasskey,
): Promise<boolean> {
  const work = db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('frame_users')
      .values({
        id: passkey.user_id,
        email: null,
        user_name: null,
        epoch: 1,
        eip155: null,
        solana: null,
        created_at: passkey.created_at,
      })
      .execute()
    await transaction.insertInto('frame_passkeys').values(passkey).execute()
    return true
  })
  return work.catch((error: unknown) => {
    // Anyone can send the id of somebody else's passkey, so this is not a
    // server error.
    if (isTaken(error)) return false
    throw error
  })
}

/** Stores the counter of a passkey's signatures. */
export async function countPasskey(db: Kysely<Database>, id: string, counter: number) {
  await db.updateTable('frame_passkeys').set({ counter }).where('id', '=', id).execute()
}
