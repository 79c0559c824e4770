/** https://www.sqlite.org/rescode.html: of a unique column, and of a primary key. */
const sqliteConstraints = [2067, 1555]

/**
 * Whether a query failed because another row has the same value in a unique
 * column. The database's message contains the value, so the error must not be
 * logged.
 */
export function isTaken(error: unknown): boolean {
  const { code, errcode } = error as { code?: string; errcode?: number }
  return code === '23505' || sqliteConstraints.includes(errcode ?? 0)
}
