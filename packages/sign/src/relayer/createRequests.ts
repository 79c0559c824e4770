import { RelayAnswer } from '@gatefold/protocol/relay'
import * as v from 'valibot'
import { RelayError } from '../errors.ts'
import type { Clock } from '../SignClient.ts'

export type RequestOptions = {
  /** Made when it is first written to a socket, and the same from then on. */
  params: () => Record<string, unknown>
  /** Belongs to one socket: rejects when that is gone. All others go to the next one. */
  bound?: boolean | undefined
}

/** Requests to a relay, each repeated with the same id and text until it is answered. */
export type Requests = {
  /** @throws {RelayError} when the relay says no, is not there in 60 s, or refuses the client. */
  request(method: string, options: RequestOptions): Promise<unknown>
  /** @returns whether it was an answer */
  take(message: unknown): boolean
  /** A socket is open: writes all that is not answered. */
  opened(): void
  down(): void
  rejectAll(error: RelayError): void
  size(): number
}

/** @see contracts/relay.md 2.4 */
const repeatMs = 5_000
/** What cannot be done in this time fails with a name. @see threat model, 6 */
export const deadlineMs = 60_000

type Pending = {
  write(): void
  /** Stops repeating until the next `write`. */
  pause(): void
  bound: boolean
  resolve(result: unknown): void
  reject(error: RelayError): void
  /** What the relay said last, while it is asked again. */
  complaint: string | undefined
}

export function createRequests(options: {
  clock: Clock
  isOpen: () => boolean
  send: (text: string) => void
  /** Something is waiting for its answer for long. */
  onSilence: () => void
}): Requests {
  const { clock, isOpen, send, onSilence } = options
  const pending = new Map<string, Pending>()
  const nextId = createIds(clock)

  function request(method: string, { params, bound = false }: RequestOptions) {
    return new Promise<unknown>((resolve, reject) => {
      const id = nextId()
      let text: string | undefined
      let cancelRepeat = () => {}
      const cancelDeadline = clock.later(() => {
        const { complaint } = entry
        entry.reject(
          new RelayError(
            'The relay did not take the message within 60 seconds.',
            complaint === undefined ? {} : { details: complaint },
          ),
        )
      }, deadlineMs)

      function end() {
        pending.delete(id)
        cancelDeadline()
        cancelRepeat()
      }

      const entry: Pending = {
        bound,
        complaint: undefined,
        write() {
          cancelRepeat()
          if (!isOpen()) return
          text ??= JSON.stringify({ id, jsonrpc: '2.0', method, params: params() })
          send(text)
          cancelRepeat = clock.later(() => {
            entry.write()
            onSilence()
          }, repeatMs)
        },
        pause: () => cancelRepeat(),
        resolve(result) {
          end()
          resolve(result)
        },
        reject(error) {
          end()
          reject(error)
        },
      }
      pending.set(id, entry)
      entry.write()
    })
  }

  return {
    request,
    take(message) {
      const parsed = v.safeParse(RelayAnswer, message)
      if (!parsed.success) return false
      const answer = parsed.output
      const entry = pending.get(String(answer.id))
      if (!entry) return true
      if (!('error' in answer)) entry.resolve(answer.result)
      else if (isPassing(answer.error.code)) entry.complaint = answer.error.message
      else entry.reject(new RefusedRequestError(answer.error))
      return true
    },
    opened() {
      for (const entry of pending.values()) entry.write()
    },
    down() {
      for (const entry of pending.values()) {
        if (entry.bound) entry.reject(new RelayError('The connection to the relay is gone.'))
        else entry.pause()
      }
    },
    rejectAll(error) {
      for (const entry of pending.values()) entry.reject(error)
    },
    size: () => pending.size,
  }
}

/** Too many requests, a storage that is down: the next repetition may be taken. */
function isPassing(code: number) {
  return code === 3001 || code === -32_000 || code === -32_603
}

/** Texts of 19 digits: the time in ms and six more, each once. @see contracts/relay.md 2 */
function createIds(clock: Clock) {
  let last = 0n
  return () => {
    const base = BigInt(clock.now()) * 1_000_000n + BigInt(Math.floor(Math.random() * 1_000_000))
    last = base > last ? base : last + 1n
    return String(last)
  }
}

/** The relay looked at a request and will not take it, however often it is asked. */
export class RefusedRequestError extends RelayError {
  readonly isUnknownMethod: boolean
  constructor(error: { code: number; message: string; data?: string | undefined }) {
    const { code, message, data } = error
    super('The relay did not accept the message.', {
      details: data && !message.includes(data) ? `${message} (${data})` : message,
    })
    this.isUnknownMethod = code === -32_601 || data === 'InvalidMethod'
  }
}
