import * as v from 'valibot'
import type { WalletStorage } from '../provider/memory.ts'

const answer = v.union([
  v.object({ result: v.unknown() }),
  v.object({ error: v.object({ code: v.number(), message: v.string() }) }),
])
const state = v.object({
  dropped: v.fallback(v.array(v.string()), []),
  answers: v.fallback(v.record(v.string(), answer), {}),
})

/** An answer as it goes back, once it was given. */
export type Answer = v.InferOutput<typeof answer>

/**
 * What the phone wallet keeps beside its sessions, written through at each change: the sessions it
 * dropped without a word, and answers that have not reached the relay. A transaction that was sent
 * must not be asked about again after a reload.
 */
export function createPhoneMemory(options: {
  key: string | undefined
  storage: WalletStorage | undefined
}) {
  const { key, storage } = options
  const memory = read()
  const save = () => {
    if (!key || !storage) return
    try {
      storage.setItem(key, JSON.stringify(memory))
    } catch {
      // Storage full or forbidden: it is then kept for this page only.
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
    isDropped: (topic: string) => memory.dropped.includes(topic),
    drop(topic: string) {
      memory.dropped.push(topic)
      save()
    },
    /** The session is over: nothing of it needs to be kept. */
    forget(topic: string) {
      if (!memory.dropped.includes(topic)) return
      memory.dropped = memory.dropped.filter((one) => one !== topic)
      save()
    },
    answer: (id: number): Answer | undefined => memory.answers[id],
    keepAnswer(id: number, given: Answer) {
      memory.answers[id] = given
      save()
    },
    dropAnswer(id: number) {
      delete memory.answers[id]
      save()
    },
  }
}
