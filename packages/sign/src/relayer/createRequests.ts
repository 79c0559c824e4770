import { RelayAnswer } from '@gatefold/protocol/relay'
import { RelayError } from '../errors.ts'
import type { Clock } from '../SignClient.ts'
import { parseShape } from '../validation/parseShape.ts'

export type RequestOptions = {
  /** Called when the request is first written to a socket. */
  params: () => Record<string, unknown>
  /** If true, the request rejects when the socket closes, instead of being repeated on the next socket. */
  perSocket?: boolean | undefined
}

/** Sends requests to a relay. Repeats each with the same id and text until the relay responds. */
export type Requests = {
  /** @throws {RelayError} if the relay rejects the request, does not respond within 60 s, or refuses the client */
  request(method: string, options: RequestOptions): Promise<unknown>
  /** Handles a message if it is a response. @returns whether it is */
  handleResponse(message: unknown): boolean
  /** Writes pending requests to a new socket. */
  onOpen(): void
  onClose(): void
  rejectAll(error: RelayError): void
  size(): number
}

/** @see docs/contracts/relay.md#errors */
const repeatMs = 5_000
/** @see docs/threats.md#loss-of-messages */
export const deadlineMs = 60_000

type Pending = {
  write(): void
  /** Stops repeating until the next `write`. */
  pause(): void
  perSocket: boolean
  resolve(result: unknown): void
  reject(error: RelayError): void
  /** The last temporary error that the relay returned. */
  lastError: string | undefined
}

export function createRequests(options: {
  clock: Clock
  isOpen: () => boolean
  send: (text: string) => void
  /** Called each time a request is repeated. */
  onRepeat: () => void
}): Requests {
  const { clock, isOpen, send, onRepeat } = options
  const pending = new Map<string, Pending>()
  const nextId = createIds(clock)

  function request(method: string, { params, perSocket = false }: RequestOptions) {
    return new Promise<unknown>((resolve, reject) => {
      const id = nextId()
      let text: string | undefined
      let cancelRepeat = () => {}
      const cancelDeadline = clock.later(() => {
        const { lastError } = entry
        entry.reject(
          new RelayError(
            'The relay did not respond within 60 seconds.',
            lastError === undefined ? {} : { details: lastError },
          ),
        )
      }, deadlineMs)

      function end() {
        pending.delete(id)
        cancelDeadline()
        cancelRepeat()
      }

      const entry: Pending = {
        perSocket,
        lastError: undefined,
        write() {
          cancelRepeat()
          if (!isOpen()) return
          text ??= JSON.stringify({ id, jsonrpc: '2.0', method, params: params() })
          send(text)
          cancelRepeat = clock.later(() => {
            entry.write()
            onRepeat()
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
    handleResponse(message) {
      const parsed = parseShape(RelayAnswer, message)
      if (!parsed.success) return false
      const answer = parsed.output
      const entry = pending.get(String(answer.id))
      if (!entry) return true
      if (!('error' in answer)) entry.resolve(answer.result)
      else if (isTemporary(answer.error.code)) entry.lastError = answer.error.message
      else entry.reject(new RefusedRequestError(answer.error))
      return true
    },
    onOpen() {
      for (const entry of pending.values()) entry.write()
    },
    onClose() {
      for (const entry of pending.values()) {
        if (entry.perSocket) entry.reject(new RelayError('The connection to the relay was lost.'))
        else entry.pause()
      }
    },
    rejectAll(error) {
      for (const entry of pending.values()) entry.reject(error)
    },
    size: () => pending.size,
  }
}

/** Whether an error is temporary (too many requests, or a failure in the relay), so the request is repeated. */
function isTemporary(code: number) {
  return code === 3001 || code === -32_000 || code === -32_603
}

/** Unique ids of 19 digits: Unix time in ms and six more digits. @see docs/contracts/relay.md#json-rpc */
function createIds(clock: Clock) {
  let last = 0n
  return () => {
    const base = BigInt(clock.now()) * 1_000_000n + BigInt(Math.floor(Math.random() * 1_000_000))
    last = base > last ? base : last + 1n
    return String(last)
  }
}

/** The relay has rejected a request permanently. */
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
