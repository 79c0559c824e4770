import { randomBytes } from 'node:crypto'
import { unreportedShare, type SharedAccounts } from '../../accounts/createSharedAccounts.ts'
import {
  hasSmallShare,
  hourMs,
  reservedShare,
  totalOf,
  type Account,
  type Ledger,
  type Slots,
} from './Ledger.ts'

/** The state of an account, as this process knows it. */
type State = Account & {
  /** Waiting bytes: those in the last reply, plus {@link State.unreported}. */
  waiting: number
  /** Unix time in ms at which everything published is replenished, including {@link State.published}. */
  paidAt: number
  /** Waiting bytes, and published bytes, that no answered report contains yet. */
  unreported: number
  published: number
  /** The part of {@link State.unreported} and of {@link State.published} that no report contains yet. */
  slots: Map<number, number>
  unsent: number
  /** Reports that Redis may have received, because only the reply may be missing. */
  lost: Set<Report>
  /** Repeats them; resolves with whether Redis has replied to all. */
  repeating: Promise<boolean> | undefined
  /** Names of reports that need not be recognized any more, for the next report. */
  answered: string[]
  isReporting: boolean
  usedAt: number
}

/** Bytes that are reported together. A report that is repeated has the same name and contains the same bytes. */
type Report = {
  name: string
  answered: readonly string[]
  slots: Slots
  published: number
  /** The charge that was requested with the report. */
  wanted: Slots | undefined
}

/**
 * Interval between reports, in ms. The bytes of most messages are released sooner; only those that have changed for
 * longer are reported.
 */
const reportMs = 1_000
/** Maximum interval between reports of published bytes, and the time after which an unused account is forgotten, in ms. */
const idleMs = 60_000
/** Maximum number of accounts that are reported at once by the timer. */
const reportsAtOnce = 200

/**
 * Creates a ledger for relays that share one Redis. A process charges most messages to its local state of an
 * account and reports them later, so it may exceed a limit by {@link unreportedShare} of it. Beyond this share,
 * and near a limit, Redis decides. While Redis does not respond, each process applies the limits to its local
 * state.
 */
export function createSharedLedger(options: {
  accounts: SharedAccounts
  now: () => number
}): Ledger {
  const { accounts: shared, now } = options
  const states = new Map<string, State>()
  const instance = randomBytes(6).toString('base64url')
  let reports = 0
  /** Accounts with unreported waiting bytes or lost reports, and since when, as Unix time in ms. */
  const changed = new Map<State, number>()
  let sweptAt = now()
  /** Whether the last report failed. */
  let isDown = false
  let reporting: Promise<void> | undefined
  const timer = setInterval(() => {
    reporting ??= reportAll(reportMs).finally(() => (reporting = undefined))
  }, reportMs)
  timer.unref()

  function stateOf({ key, limit }: Account): State {
    let state = states.get(key)
    if (!state) {
      const empty = { waiting: 0, paidAt: 0, unreported: 0, published: 0, unsent: 0, usedAt: 0 }
      const idle = { isReporting: false, repeating: undefined }
      state = { key, limit, ...empty, ...idle, slots: new Map(), lost: new Set(), answered: [] }
      states.set(key, state)
    }
    state.usedAt = now()
    return state
  }

  /** Whether the account has room up to this multiple of its limit. */
  function hasRoom({ waiting, paidAt, limit }: State, bytes: number, share = 1): boolean {
    const debtMs = Math.max(0, paidAt - now())
    return (
      waiting + bytes <= limit.waiting * share && debtMs + costMs(limit, bytes) <= hourMs * share
    )
  }

  /** Whether the account has room, and this process may use it before it reports to Redis. */
  function isFree(state: State, bytes: number): boolean {
    const { limit, unreported, published } = state
    return (
      hasRoom(state, bytes) &&
      unreported + bytes <= limit.waiting * unreportedShare &&
      published + bytes <= limit.hourly * unreportedShare
    )
  }

  /** Adds bytes to the next report. */
  function queue(state: State, slots: Slots, sign: 1 | -1) {
    for (const [minute, bytes] of slots) {
      const sum = (state.slots.get(minute) ?? 0) + sign * bytes
      if (sum === 0) state.slots.delete(minute)
      else state.slots.set(minute, sum)
    }
    if (state.slots.size === 0 && state.lost.size === 0) changed.delete(state)
    else if (!changed.has(state)) changed.set(state, now())
  }

  function addSlots(state: State, slots: Slots, sign: 1 | -1) {
    queue(state, slots, sign)
    const change = sign * totalOf(slots)
    state.waiting += change
    state.unreported += change
  }

  function addPublished(state: State, bytes: number) {
    state.published += bytes
    state.unsent += bytes
    state.paidAt = Math.max(state.paidAt, now()) + costMs(state.limit, bytes)
  }

  function add(state: State, slots: Slots) {
    addSlots(state, slots, 1)
    addPublished(state, totalOf(slots))
  }

  function remove(state: State, slots: Slots) {
    addSlots(state, slots, -1)
    addPublished(state, -totalOf(slots))
  }

  /**
   * Sends a report, with a request for the charge `wanted`, if any, up to this multiple of the limit.
   *
   * @returns whether it is granted. If the report is repeated, whether it was granted the first time.
   * @throws if Redis does not reply.
   */
  async function send(state: State, report: Report, wanted?: Slots, share = 1): Promise<boolean> {
    const { limit } = state
    const { name, answered, slots, published } = report
    const { isGranted, waiting, debtMs } = await shared.update(state.key, {
      report: { name, answered },
      spentMs: costMs(limit, published),
      slots,
      ...(wanted && {
        wanted: {
          spentMs: costMs(limit, totalOf(wanted)),
          slots: wanted,
          maxMs: hourMs * share,
          maxWaiting: limit.waiting * share,
        },
      }),
    })
    isDown = false
    state.unreported -= totalOf(slots)
    state.published -= published
    state.waiting = waiting + state.unreported
    state.paidAt = now() + debtMs + costMs(limit, state.published)
    return isGranted
  }

  /** Repeats the lost reports. @returns whether Redis has replied to all. */
  async function repeat(state: State): Promise<boolean> {
    const results = await Promise.allSettled(
      [...state.lost].map(async (report) => {
        const wasGranted = await send(state, report)
        state.lost.delete(report)
        // This process has decided about the charge itself, and reports it if it was granted.
        if (wasGranted) remove(state, report.wanted!)
      }),
    )
    return results.every(({ status }) => status === 'fulfilled')
  }

  /**
   * Reports the unreported bytes. Also requests the charge `wanted`, if any, up to this multiple of the limit.
   *
   * @returns whether it is granted.
   */
  async function report(state: State, wanted?: Slots, share = 1): Promise<boolean> {
    if (state.lost.size > 0) {
      state.repeating ??= repeat(state).finally(() => (state.repeating = undefined))
      // Nothing else is sent before, so that an outage does not add lost reports.
      if (!(await state.repeating)) return decide(state, wanted, share)
    }
    const { slots, unsent: published, answered } = state
    const name = `${instance}${(reports += 1).toString(36)}`
    const report = { name, answered, slots, published, wanted }
    state.slots = new Map()
    state.unsent = 0
    state.answered = []
    if (state.lost.size === 0) changed.delete(state)
    try {
      const isGranted = await send(state, report, wanted, share)
      state.answered.push(name)
      return isGranted
    } catch {
      state.lost.add(report)
      changed.set(state, now())
      return decide(state, wanted, share)
    }
  }

  /** Decides about a charge while Redis does not respond. @returns whether it is granted. */
  function decide(state: State, wanted: Slots | undefined, share: number): boolean {
    isDown = true
    const isGranted = wanted !== undefined && hasRoom(state, totalOf(wanted), share)
    if (isGranted) add(state, wanted)
    return isGranted
  }

  /**
   * Charges accounts: locally where this process may, otherwise in Redis. If Redis refuses one, undoes the charges to
   * all accounts.
   *
   * @param shareOf - the multiple of its limit up to which an account is charged; always in Redis if it is not 1.
   */
  function chargeAll(
    known: readonly State[],
    slots: Slots,
    shareOf: (state: State) => number,
  ): boolean | Promise<boolean> {
    const bytes = totalOf(slots)
    const free = known.filter((state) => shareOf(state) === 1 && isFree(state, bytes))
    for (const state of free) add(state, slots)
    if (free.length === known.length) return true
    const asked = known.filter((state) => !free.includes(state))
    return Promise.all(asked.map((state) => report(state, slots, shareOf(state)))).then(
      (granted) => {
        if (!granted.includes(false)) return true
        for (const state of [...free, ...asked.filter((_, index) => granted[index])])
          remove(state, slots)
        return false
      },
    )
  }

  /** Reports the waiting bytes that have changed for some time, and everything else every {@link idleMs}. */
  async function reportAll(waitMs: number) {
    const due = new Set<State>()
    for (const [state, since] of changed) if (now() - since >= waitMs) due.add(state)
    if (now() - sweptAt >= idleMs) {
      sweptAt = now()
      for (const state of states.values()) {
        if (state.unsent !== 0) due.add(state)
        if (sweptAt - state.usedAt < idleMs) continue
        // Keeps accounts that are nearly full. A forgotten account could again use its unreported share.
        if (isNearlyFull(state)) due.add(state)
        else if (state.unsent === 0 && !changed.has(state)) states.delete(state.key)
      }
    }
    const list = [...due]
    for (let start = 0; start < list.length; start += reportsAtOnce) {
      await Promise.all(list.slice(start, start + reportsAtOnce).map((state) => report(state)))
      // Each remaining report would also wait for the timeout.
      if (isDown) return
    }
  }

  function isNearlyFull({ waiting, paidAt, limit }: State) {
    const share = 1 - 2 * unreportedShare
    return waiting > limit.waiting * share || paidAt - now() > hourMs * share
  }

  return {
    charge(accounts, slots) {
      const known = accounts.map(stateOf)
      const isGranted = chargeAll(known, slots, () => 1)
      if (isGranted === true || !hasSmallShare(known)) return isGranted
      return Promise.resolve(isGranted).then((isGranted) => {
        if (isGranted) return true
        const bytes = totalOf(slots)
        const mayFit = known.every((state) => hasRoom(state, bytes, reservedShare(state)))
        return mayFit && chargeAll(known, slots, reservedShare)
      })
    },

    add(accounts, slots) {
      for (const account of accounts) {
        const state = stateOf(account)
        addSlots(state, slots, 1)
        const isMuch = Math.abs(state.unreported) > state.limit.waiting * unreportedShare
        if (!isMuch || state.isReporting) continue
        state.isReporting = true
        void report(state).finally(() => (state.isReporting = false))
      }
    },

    async close() {
      clearInterval(timer)
      await reporting
      sweptAt = -Infinity
      await reportAll(0)
    },
  }
}

/** Converts bytes to the time in which the hourly limit replenishes them, in ms. */
function costMs(limit: Account['limit'], bytes: number): number {
  return (bytes * hourMs) / limit.hourly
}
