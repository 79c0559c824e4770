import type { Statement } from '../approval/Statement.ts'

/**
 * A request that has been examined: what to show, and what to do after the approval, whose result is that of the request.
 */
export type Examined = {
  statement: Statement
  prepared: () => Promise<unknown>
}
