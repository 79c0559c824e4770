import type { Statement } from '../approval/Statement.ts'

/**
 * An examined request: what to show, and what to do after the approval. The
 * result of the latter is the result of the request.
 */
export type Examined = {
  statement: Statement
  prepared: () => Promise<unknown>
}
