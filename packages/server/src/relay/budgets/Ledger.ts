/** The bytes of an account that may wait, and the bytes that it may publish in a burst, and per hour. */
export type Limit = {
  waiting: number
  hourly: number
  /** Share of the limit up to which the account uses little. The other accounts then have a higher limit. */
  smallShare?: number
  /** The limit for a charge to an account that uses little, as a multiple of this limit; 1 by default. */
  ceiling?: number
}

/** An account that is charged. `key` is its short name. */
export type Account = {
  key: string
  limit: Limit
  /** Its state in a local ledger, which the ledger sets, so that it does not look it up for each message. */
  state?: LocalState
}

/** The state of an account in a local ledger. */
export type LocalState = {
  key: string
  /** Bytes of the account's waiting messages. */
  waiting: number
  /** Unix time in ms at which the bytes published so far are replenished. */
  paidAt: number
  /** Waiting bytes by the minute in which they are released. */
  slots: Map<number, { bytes: number }>
  /** The states of its ledger; undefined once it was removed, because nothing waited and everything was replenished. */
  ledger: ReadonlyMap<string, LocalState> | undefined
}

/** Bytes by the minute, counted from the Unix epoch, in which they are released at the latest. */
export type Slots = ReadonlyMap<number, number>

/** Counts each account's waiting bytes, and its published bytes until they are replenished. */
export type Ledger = {
  /**
   * Charges all accounts, or none if one of them would exceed its limit, or, for an account that uses little, the ceiling
   * of another one.
   *
   * @returns whether the accounts were charged.
   */
  charge(accounts: readonly Account[], slots: Slots): boolean | Promise<boolean>

  /** Adds waiting bytes without checking the limits; negative bytes are removed. */
  add(accounts: readonly Account[], slots: Slots): void

  close?(): Promise<void>
}

/** The highest use of an account for a charge to an account that uses little, as a multiple of its limit. */
export function reservedShare({ limit }: Account): number {
  return limit.smallShare ?? limit.ceiling ?? 1
}

/** Whether one of the accounts can use little, so that the ceilings of the others may apply. */
export function hasSmallShare(accounts: readonly Account[]): boolean {
  return accounts.some(({ limit }) => limit.smallShare !== undefined)
}

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs

/** The minute in which bytes are released. Rounded up to a full hour if they wait longer than one hour. */
export function slotOf(expiresAt: number, now: number): number {
  const stepMs = expiresAt - now > hourMs ? hourMs : minuteMs
  return (Math.ceil(expiresAt / stepMs) * stepMs) / minuteMs
}

export function totalOf(slots: Slots): number {
  let sum = 0
  for (const bytes of slots.values()) sum += bytes
  return sum
}
