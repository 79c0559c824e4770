import type { CardKind } from '@gatefold/protocol/frame'

/**
 * How dangerous a request is. A refused request cannot be approved, only
 * closed.
 */
export type Level = 'plain' | 'warn' | 'danger' | 'refused'

export type Note = { level: Exclude<Level, 'plain'> | 'info'; title: string; text: string }

/** What the account loses or gains. Amounts are formatted and have a sign. */
export type Movement = { name: string; amount: string; isGain?: boolean }

/** What the visitor can choose for an unlimited allowance that the site requests. Amounts are in atomic units. */
export type Limit = {
  /** The index of the call. */
  call: number
  symbol: string
  decimals: number
  /** The amount that is signed; `undefined` if it is unlimited. */
  amount: bigint | undefined
  /** What the other calls of the request need, if that is known. */
  needed: bigint | undefined
  /** What the account has, if that is known. */
  balance: bigint | undefined
}

/** What an approval shows, derived from the bytes that are signed. */
export type Statement = {
  /** The title of the window, such as “Sign”. */
  heading: string
  /** What it is for, if the method of the request does not say it. */
  kind?: CardKind
  /** One sentence: what happens if the visitor approves. */
  sentence: string
  level: Level
  notes: Note[]
  movements: Movement[]
  /** The calls of a batch, in order. */
  steps?: { sentence: string; details: [string, string][]; exact?: string; limit?: Limit }[]
  /** The amount that the visitor can change. */
  limit?: Limit
  /** Labels and values. */
  details: [string, string][]
  /** The text of a message. */
  message?: string
  /** All data, shown on request. */
  exact?: string
  /** The label of the checkbox that a dangerous request requires. */
  tick?: string
  /** The label of the button that approves. */
  action: string
  /**
   * A second question after the first approval, for calls that cannot be
   * decoded.
   */
  second?: Statement
}
