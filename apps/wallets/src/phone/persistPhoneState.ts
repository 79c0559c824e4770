import * as v from 'valibot'
import type { WalletStorage } from '../provider/persistState.ts'

const answer = v.union([
  v.object({ result: v.unknown() }),
  v.object({ error: v.object({ code: v.number(), message: v.string() }) }),
])
const state = v.object({
  dropped: v.fallback(v.array(v.string()), []),
  answers: v.fallback(v.record(v.string(), answer), {}),
})

/** A JSON-RPC response without its id. */
export type Answer = v.InferOutput<typeof answer>

/**
 * Persists the phone wallet's state in addition to its sessions: topics that it dropped, and responses
 * that the relay has not accepted yet. Unsent responses are stored so that a reload does not prompt again
 * for a transaction that was already sent.
 */
export function persistPhoneState(options: {
  key: string | undefined
  storage: WalletStorage | undefined
}) {
  const { key, storage } = options
  const current = read()
  const save = () => {
    if (!key || !storage) return
    try {
      storage.setItem(key, JSON.stringify(current))
    } catch {
      // The storage is full or blocked: the state lasts until the page is closed.
    }
  }

  function read(): v.InferOutput<typeof state> {
    try {
      return v.parse(state, JSON.parse((key && storage?.getItem(key)) || '{}'))
    } catch {
      return { dropped: [], answers: {} }
    }
  }

  return {
    isDropped: (topic: string) => current.dropped.includes(topic),
    drop(topic: string) {
      current.dropped.push(topic)
      save()
    },
    /** Removes a session that has ended from the dropped sessions. */
    forget(topic: string) {
      if (!current.dropped.includes(topic)) return
      current.dropped = current.dropped.filter((one) => one !== topic)
      save()
    },
    answer: (id: number): Answer | undefined => current.answers[id],
    saveAnswer(id: number, given: Answer) {
      current.answers[id] = given
      save()
    },
    deleteAnswer(id: number) {
      delete current.answers[id]
      save()
    },
  }
}
