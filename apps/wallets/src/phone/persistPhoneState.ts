import type { PendingRequest } from '@gatefold/sign'
import * as v from 'valibot'
import { keccak256, stringToBytes } from 'viem'
import type { WalletStorage } from '../provider/persistState.ts'

const answer = v.union([
  v.object({ result: v.unknown() }),
  v.object({ error: v.object({ code: v.number(), message: v.string() }) }),
])
const state = v.object({
  dropped: v.fallback(v.array(v.string()), []),
  answers: v.fallback(
    v.array(v.object({ topic: v.string(), id: v.number(), params: v.string(), answer })),
    [],
  ),
})

/** A JSON-RPC response without its id. */
export type Answer = v.InferOutput<typeof answer>

/** A session request. Its id alone does not identify it, because every app chooses its own ids. */
type Request = Pick<PendingRequest, 'topic' | 'id' | 'params'>

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
      return { dropped: [], answers: [] }
    }
  }

  /** Keeps only some of the stored answers. */
  function keep(isKept: (stored: (typeof current.answers)[number]) => boolean) {
    const kept = current.answers.filter(isKept)
    if (kept.length === current.answers.length) return
    current.answers = kept
    save()
  }

  return {
    isDropped: (topic: string) => current.dropped.includes(topic),
    drop(topic: string) {
      current.dropped.push(topic)
      save()
      keep((stored) => stored.topic !== topic)
    },
    /** Removes the state of a session that has ended. */
    forget(topic: string) {
      keep((stored) => stored.topic !== topic)
      if (!current.dropped.includes(topic)) return
      current.dropped = current.dropped.filter((one) => one !== topic)
      save()
    },
    /** The answer to this request; undefined for another request with the same id. */
    answer: (request: Request): Answer | undefined =>
      current.answers.find((stored) => isSame(stored, request) && stored.params === hash(request))
        ?.answer,
    saveAnswer(request: Request, answer: Answer) {
      const { topic, id } = request
      current.answers.push({ topic, id, params: hash(request), answer })
      save()
    },
    deleteAnswer(request: Request) {
      keep((stored) => !isSame(stored, request))
    },
    /** Removes the answers to requests that have expired. */
    keepAnswers(pending: readonly Request[]) {
      keep((stored) => pending.some((request) => isSame(stored, request)))
    },
  }
}

function isSame(stored: { topic: string; id: number }, request: Request): boolean {
  return stored.topic === request.topic && stored.id === request.id
}

/** A hash of the request's params, which may be large. */
function hash({ params }: Request): string {
  return keccak256(stringToBytes(JSON.stringify(params)))
}
