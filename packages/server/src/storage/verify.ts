import type { Kysely } from 'kysely'
import type { Database } from './Database.ts'
import { deleteOldRows } from './deleteOldRows.ts'

/** ES256 signs attestations; HS256 signs the tickets of attestation pages and the tokens of enclave pages. */
export type KeyAlgorithm = 'ES256' | 'HS256'

export type StoredKey = {
  alg: KeyAlgorithm
  serial: number
  /** Private JWK, JSON text. */
  jwk: string
  /** Unix time in ms from which the key signs. */
  activeFrom: number
}

/** All keys, oldest first. */
export async function listKeys(db: Kysely<Database>): Promise<StoredKey[]> {
  const rows = await db.selectFrom('verify_keys').selectAll().orderBy('serial').execute()
  return rows.map(({ active_from: activeFrom, ...row }) => ({ ...row, activeFrom }))
}

/** Stores a key. If several processes store the same serial, the first one wins. */
export async function addKey(db: Kysely<Database>, { activeFrom, ...key }: StoredKey) {
  await db
    .insertInto('verify_keys')
    .values({ ...key, active_from: activeFrom })
    .onConflict((conflict) => conflict.columns(['alg', 'serial']).doNothing())
    .execute()
}

/** Deletes the keys of an algorithm whose serial is lower than the given one. */
export async function deleteKeysBelow(db: Kysely<Database>, alg: KeyAlgorithm, serial: number) {
  await db.deleteFrom('verify_keys').where('alg', '=', alg).where('serial', '<', serial).execute()
}

/** An attestation that older wallets look up. */
export type StoredAttestation = {
  /** SHA-256 of the decrypted JSON-RPC request's text, 64 hex digits. */
  id: string
  origin: string
  isScam: boolean
  /** Unix time in ms. */
  expiresAt: number
}

/** Stores an attestation, unless one with the same id exists for another origin. */
export async function saveAttestation(db: Kysely<Database>, attestation: StoredAttestation) {
  const { id, origin, isScam, expiresAt } = attestation
  const row = { id, origin, is_scam: isScam ? 1 : 0, expires_at: expiresAt }
  await db
    .insertInto('verify_attestations')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ is_scam: row.is_scam, expires_at: expiresAt })
        .where('verify_attestations.origin', '=', origin),
    )
    .execute()
}

/** Reads and deletes an attestation. Only one of several concurrent callers gets it. */
export async function takeAttestation(
  db: Kysely<Database>,
  id: string,
  now: number,
): Promise<StoredAttestation | undefined> {
  const row = await db
    .deleteFrom('verify_attestations')
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst()
  return row && { id, origin: row.origin, isScam: row.is_scam === 1, expiresAt: row.expires_at }
}

/**
 * Marks the ticket of an attestation page as used. The mark is a row in the table of attestations, so that it
 * is deleted when it expires. Lookups cannot read it, because its id is not a hash.
 *
 * @returns false if it was used before
 */
export async function useTicket(db: Kysely<Database>, jti: string, expiresAt: number) {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('verify_attestations')
    .values({ id: `ticket:${jti}`, origin: '', is_scam: 0, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Deletes expired attestations. */
export async function deleteAttestationsBefore(db: Kysely<Database>, time: number) {
  await deleteOldRows(db, { table: 'verify_attestations', column: 'expires_at', until: time })
}

/** Adds domains to the scam list. */
export async function addScamDomains(db: Kysely<Database>, domains: string[], now: number) {
  // 5,000 rows with 2 columns are below SQLite's limit of 32,766 bound values.
  for (let start = 0; start < domains.length; start += 5_000) {
    await db
      .insertInto('scam_domains')
      .values(domains.slice(start, start + 5_000).map((domain) => ({ domain, added_at: now })))
      .onConflict((conflict) => conflict.column('domain').doNothing())
      .execute()
  }
}

/** @returns whether the domain was on the list. */
export async function removeScamDomain(db: Kysely<Database>, domain: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('scam_domains')
    .where('domain', '=', domain)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** The scam list in alphabetical order. */
export async function listScamDomains(db: Kysely<Database>): Promise<string[]> {
  const rows = await db.selectFrom('scam_domains').select('domain').orderBy('domain').execute()
  return rows.map(({ domain }) => domain)
}

/** Whether one of the domains is on the scam list. */
export async function hasScamDomain(db: Kysely<Database>, domains: string[]): Promise<boolean> {
  if (domains.length === 0) return false
  const row = await db
    .selectFrom('scam_domains')
    .select('domain')
    .where('domain', 'in', domains)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
