import type { Kysely } from 'kysely'
import type { Database } from '../Database.ts'
import { stored } from '../stored.ts'

type Queries = Record<string, (db: Kysely<Database>, ...rest: never[]) => Promise<unknown>>

/** Functions that query a database, without their first parameter. */
export type Bound<Functions extends Queries> = {
  [Name in keyof Functions]: Functions[Name] extends (
    db: Kysely<Database>,
    ...rest: infer Rest
  ) => Promise<infer Result>
    ? (...rest: Rest) => Promise<Result>
    : never
}

/** Binds queries to a database. If it is unavailable, they reject with `StorageUnavailableError`. */
export function bindStore<Functions extends Queries>(
  db: Kysely<Database>,
  functions: Functions,
): Bound<Functions> {
  const bound = Object.entries(functions).map(([name, query]) => [
    name,
    async (...rest: never[]) => stored(query(db, ...rest)),
  ])
  return Object.fromEntries(bound) as Bound<Functions>
}
