import type { Statement } from './Statement.ts'

/** The second question about a request that cannot be read. */
export function askAgain(options: {
  /** What could happen. */
  text: string
  details: [string, string][]
  exact: string
}): Statement {
  const { text, details, exact } = options
  return {
    heading: 'Approve Transaction',
    sentence: 'Approve without knowing?',
    level: 'danger',
    notes: [{ level: 'danger', title: 'Still unknown', text }],
    movements: [],
    details,
    exact,
    tick: 'I accept that I cannot know what happens.',
    action: 'Approve',
  }
}
