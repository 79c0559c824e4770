import type { Change, SharedAccounts } from '../accounts/createSharedAccounts.ts'
import { totalOf } from '../relay/budgets/Ledger.ts'

/** Creates accounts that apply changes as Redis does. Records the changes, and can fail or wait. */
export function createFakeAccounts() {
  const states = new Map<string, { waiting: number; paidAt: number }>()
  /** Whether the additional charge was granted, by the name of the change. */
  const known = new Map<string, boolean>()
  const fake = {
    changes: [] as { key: string; change: Change }[],
    isDown: false,
    /** Whether changes are applied, but the replies do not arrive. */
    losesReplies: false,
    gate: undefined as Promise<void> | undefined,
    /** Number of updates in progress, and its maximum. */
    open: 0,
    maxOpen: 0,
    async update(key, change) {
      fake.changes.push({ key, change })
      fake.open += 1
      fake.maxOpen = Math.max(fake.maxOpen, fake.open)
      try {
        await fake.gate
        if (fake.isDown) throw new Error('Redis does not respond')
        const state = apply(key, change)
        if (fake.losesReplies) throw new Error('Redis does not respond')
        return state
      } finally {
        fake.open -= 1
      }
    },
  } satisfies SharedAccounts & Record<string, unknown>

  function apply(key: string, { report, spentMs, slots = new Map(), wanted }: Change) {
    const state = states.get(key) ?? { waiting: 0, paidAt: 0 }
    states.set(key, state)
    const answer = (isGranted: boolean) => ({
      isGranted,
      waiting: state.waiting,
      debtMs: Math.max(0, state.paidAt - Date.now()),
    })
    for (const name of report?.answered ?? []) known.delete(name)
    const before = report && known.get(report.name)
    if (before !== undefined) return answer(before)
    state.waiting += totalOf(slots)
    state.paidAt = Math.max(state.paidAt, Date.now()) + spentMs
    const bytes = wanted ? totalOf(wanted.slots) : 0
    const isGranted =
      wanted !== undefined &&
      state.waiting + bytes <= wanted.maxWaiting &&
      state.paidAt + wanted.spentMs <= Date.now() + wanted.maxMs
    if (isGranted) {
      state.waiting += bytes
      state.paidAt += wanted.spentMs
    }
    if (report) known.set(report.name, isGranted)
    return answer(isGranted)
  }
  return fake
}
