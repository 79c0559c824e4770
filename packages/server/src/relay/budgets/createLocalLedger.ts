import { hourMs, minuteMs, totalOf, type Ledger } from './Ledger.ts'

type State = {
  /** Bytes of the account's waiting messages. */
  waiting: number
  /** Unix time in ms at which the bytes published so far are replenished. */
  paidAt: number
}

/** Creates the ledger for a relay that does not share its store with other relays. */
export function createLocalLedger({ now }: { now: () => number }): Ledger {
  const states = new Map<string, State>()
  /** Waiting bytes by the minute in which they are released, then by account. */
  const slots = new Map<number, Map<string, number>>()
  let nextMinute = Math.floor(now() / minuteMs) + 1

  function stateOf(key: string): State {
    let state = states.get(key)
    if (!state) states.set(key, (state = { waiting: 0, paidAt: 0 }))
    return state
  }

  function releaseExpired() {
    const minute = Math.floor(now() / minuteMs)
    if (nextMinute > minute) return
    for (; nextMinute <= minute; nextMinute += 1) {
      for (const [key, bytes] of slots.get(nextMinute) ?? []) stateOf(key).waiting -= bytes
      slots.delete(nextMinute)
    }
    for (const [key, { waiting, paidAt }] of states)
      if (waiting <= 0 && paidAt <= now()) states.delete(key)
  }

  const add: Ledger['add'] = (accounts, changes) => {
    for (const [minute, bytes] of changes) {
      if (minute < nextMinute) continue
      let slot = slots.get(minute)
      if (!slot) slots.set(minute, (slot = new Map()))
      for (const { key } of accounts) {
        const before = slot.get(key) ?? 0
        // A message may be acknowledged before a restarted relay has counted it.
        const after = Math.max(0, before + bytes)
        if (after > 0) slot.set(key, after)
        else slot.delete(key)
        stateOf(key).waiting += after - before
      }
    }
  }

  return {
    charge(accounts, changes) {
      releaseExpired()
      const time = now()
      const bytes = totalOf(changes)
      const paid = accounts.map(({ key, limit }) => {
        const { waiting, paidAt } = stateOf(key)
        const next = Math.max(paidAt, time) + (bytes * hourMs) / limit.hourly
        return waiting + bytes <= limit.waiting && next <= time + hourMs ? next : undefined
      })
      if (paid.includes(undefined)) return false
      for (const [index, { key }] of accounts.entries()) stateOf(key).paidAt = paid[index]!
      add(accounts, changes)
      return true
    },
    add,
  }
}
