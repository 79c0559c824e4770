import {
  hasSmallShare,
  hourMs,
  minuteMs,
  reservedShare,
  totalOf,
  type Account,
  type Ledger,
  type LocalState,
} from './Ledger.ts'

/** Creates the ledger for a relay that does not share its store with other relays. */
export function createLocalLedger({ now }: { now: () => number }): Ledger {
  const states = new Map<string, LocalState>()
  /** The states with bytes that are released in a minute. */
  const byMinute = new Map<number, Set<LocalState>>()
  let nextMinute = Math.floor(now() / minuteMs) + 1

  function stateOf(account: Account): LocalState {
    if (account.state?.ledger === states) return account.state
    let state = states.get(account.key)
    if (!state) {
      state = { key: account.key, waiting: 0, paidAt: 0, slots: new Map(), ledger: states }
      states.set(account.key, state)
    }
    account.state = state
    return state
  }

  function releaseExpired() {
    const minute = Math.floor(now() / minuteMs)
    if (nextMinute > minute) return
    for (; nextMinute <= minute; nextMinute += 1) {
      for (const state of byMinute.get(nextMinute) ?? []) {
        state.waiting -= state.slots.get(nextMinute)!.bytes
        state.slots.delete(nextMinute)
      }
      byMinute.delete(nextMinute)
    }
    for (const state of states.values()) {
      if (state.waiting > 0 || state.paidAt > now()) continue
      state.ledger = undefined
      states.delete(state.key)
    }
  }

  /** Adds bytes to a slot. A message may be acknowledged before a restarted relay has counted it. */
  function addTo(state: LocalState, minute: number, bytes: number) {
    let slot = state.slots.get(minute)
    if (!slot) {
      if (bytes <= 0) return
      state.slots.set(minute, (slot = { bytes: 0 }))
      const others = byMinute.get(minute)
      if (others) others.add(state)
      else byMinute.set(minute, new Set([state]))
    }
    const change = Math.max(-slot.bytes, bytes)
    slot.bytes += change
    state.waiting += change
    if (slot.bytes > 0) return
    state.slots.delete(minute)
    byMinute.get(minute)!.delete(state)
  }

  const add: Ledger['add'] = (accounts, changes) => {
    for (const [minute, bytes] of changes)
      if (minute >= nextMinute)
        for (const account of accounts) addTo(stateOf(account), minute, bytes)
  }

  return {
    charge(accounts, changes) {
      releaseExpired()
      const time = now()
      const bytes = totalOf(changes)
      const paidAt = (account: Account) =>
        Math.max(stateOf(account).paidAt, time) + (bytes * hourMs) / account.limit.hourly
      const hasRoom = (account: Account, share: number) =>
        stateOf(account).waiting + bytes <= account.limit.waiting * share &&
        paidAt(account) <= time + hourMs * share
      const isGranted =
        accounts.every((account) => hasRoom(account, 1)) ||
        (hasSmallShare(accounts) &&
          accounts.every((account) => hasRoom(account, reservedShare(account))))
      if (!isGranted) return false
      for (const account of accounts) stateOf(account).paidAt = paidAt(account)
      add(accounts, changes)
      return true
    },
    add,
  }
}
