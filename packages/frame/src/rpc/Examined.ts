import type { Statement } from '../approval/Statement.ts'

/**
 * An examined request: what to show, and a function that runs after the
 * approval and returns the result of the request.
 */
export type Examined = {
  statement: Statement
  prepared: () => Promise<unknown>
}
