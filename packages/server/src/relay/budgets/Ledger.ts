/** Most bytes of an account: that wait, and that are published within an hour. */
export type Limit = { waiting: number; hourly: number }

/** Who is charged, by a short name. */
export type Account = { key: string; limit: Limit }

/** Bytes by the minute (Unix time) at which they no longer wait, at the latest. */
export type Slots = ReadonlyMap<number, number>

/** The bytes of each account that wait and that were published lately. */
export type Ledger = {
  /**
   * Charges every account, or none if one would exceed its limit.
   *
   * @returns whether they were charged.
   */
  charge(accounts: readonly Account[], slots: Slots): boolean | Promise<boolean>

  /** Adds waiting bytes without a check, or removes them if negative. */
  add(accounts: readonly Account[], slots: Slots): void

  close?(): Promise<void>
}

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs

/** The minute in which bytes are released; exact to an hour for those that wait longer than one. */
export function slotOf(expiresAt: number, now: number): number {
  const stepMs = expiresAt - now > hourMs ? hourMs : minuteMs
  return (Math.ceil(expiresAt / stepMs) * stepMs) / minuteMs
}

export function totalOf(slots: Slots): number {
  let sum = 0
  for (const bytes of slots.values()) sum += bytes
  return sum
}
