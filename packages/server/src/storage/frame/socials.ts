import type { Kysely } from 'kysely'
import type { Database } from '../Database.ts'
import { newId } from './newId.ts'
import type { FrameSocialLoginsTable } from './tables.ts'
import { ensureUser } from './users.ts'

export type StoredSocialLogin = FrameSocialLoginsTable

/** The user who logged in at a provider. */
export type SocialIdentity = {
  issuer: string
  /** The provider's id of the user, which it never reassigns. */
  subject: string
  provider: string
  /** Lower case; `null` unless the provider has verified it. */
  email: string | null
  userName: string | null
}

export async function addSocialLogin(db: Kysely<Database>, login: StoredSocialLogin) {
  await db.insertInto('frame_social_logins').values(login).execute()
}

/** A login that has not expired, for the page to which the provider redirects. */
export async function findSocialLogin(
  db: Kysely<Database>,
  wanted: { id: string; provider: string; now: number },
) {
  return db
    .selectFrom('frame_social_logins')
    .selectAll()
    .where('id', '=', wanted.id)
    .where('provider', '=', wanted.provider)
    .where('expires_at', '>', wanted.now)
    .executeTakeFirst()
}

/** Stores that the URL of the page contained the result of a login. */
export async function markRedirected(db: Kysely<Database>, id: string) {
  await db
    .updateTable('frame_social_logins')
    .set({ is_redirected: 1 })
    .where('id', '=', id)
    .execute()
}

/**
 * Consumes a login that has not expired. A login can be consumed once, by the
 * device, project and page that started it.
 *
 * @returns `undefined` if there is no such login.
 */
export async function takeSocialLogin(
  db: Kysely<Database>,
  wanted: {
    id: string
    provider: string
    deviceId: string
    projectId: string
    origin: string
    now: number
  },
) {
  return db
    .deleteFrom('frame_social_logins')
    .where('id', '=', wanted.id)
    .where('provider', '=', wanted.provider)
    .where('device_id', '=', wanted.deviceId)
    .where('project_id', '=', wanted.projectId)
    .where('origin', '=', wanted.origin)
    .where('expires_at', '>', wanted.now)
    .returningAll()
    .executeTakeFirst()
}

/**
 * Returns the user of an identity. A new identity belongs to the user with its
 * verified address or, without one, to a new user. Safe for concurrent callers.
 *
 * @param canUseEmail - false if another user can still reclaim the address.
 */
export async function ensureSocialUser(
  db: Kysely<Database>,
  identity: SocialIdentity,
  { now, canUseEmail }: { now: number; canUseEmail: boolean },
) {
  const { issuer, subject, provider, email, userName } = identity
  const known = await findUserByIdentity(db, identity)
  if (known) {
    await setUserName(db, known.id, userName)
    return {
      user: { ...known, user_name: userName ?? known.user_name },
      isNew: false,
      isLinked: false,
    }
  }
  const created = await db
    .transaction()
    .execute(async (transaction) => {
      const { user, isNew } =
        email !== null && canUseEmail
          ? await ensureUser(transaction, email, now)
          : { user: await addUser(transaction, now), isNew: true }
      await setUserName(transaction, user.id, userName)
      const { numInsertedOrUpdatedRows } = await transaction
        .insertInto('frame_identities')
        .values({ issuer, subject, user_id: user.id, provider, created_at: now })
        .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doNothing())
        .executeTakeFirst()
      // Another caller has stored the identity in the meantime; the rollback
      // removes the user that was created here.
      if (numInsertedOrUpdatedRows !== 1n) throw new TakenIdentity()
      return { user: { ...user, user_name: userName ?? user.user_name }, isNew, isLinked: !isNew }
    })
    .catch((error: unknown) => {
      if (error instanceof TakenIdentity) return undefined
      throw error
    })
  if (created) return created
  const user = await findUserByIdentity(db, identity)
  return { user: user!, isNew: false, isLinked: false }
}

/** The user of an identity. An identity is an issuer and a subject, because subjects of two issuers can be the same. */
async function findUserByIdentity(
  db: Kysely<Database>,
  { issuer, subject }: Pick<SocialIdentity, 'issuer' | 'subject'>,
) {
  return db
    .selectFrom('frame_identities')
    .innerJoin('frame_users', 'frame_users.id', 'frame_identities.user_id')
    .selectAll('frame_users')
    .where('frame_identities.issuer', '=', issuer)
    .where('frame_identities.subject', '=', subject)
    .executeTakeFirst()
}

async function addUser(db: Kysely<Database>, now: number) {
  return db
    .insertInto('frame_users')
    .values({
      id: newId(),
      email: null,
      user_name: null,
      epoch: 1,
      eip155: null,
      solana: null,
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

async function setUserName(db: Kysely<Database>, userId: string, userName: string | null) {
  if (userName === null) return
  await db
    .updateTable('frame_users')
    .set({ user_name: userName })
    .where('id', '=', userId)
    .execute()
}

class TakenIdentity extends Error {}
