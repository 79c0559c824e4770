import * as v from 'valibot'
import type { RelayMessage } from '../Relayer.ts'

/** By topic, then by the SHA-256 of the text. */
const Unhandled = v.record(v.string(), v.record(v.string(), v.string()))

/**
 * Reads what an official client (`messages_withoutClientAck` of @walletconnect/core) had acknowledged
 * to the relay and not handled when its page went.
 *
 * @returns undefined when it cannot be read. When each was published is not known.
 * @see contract of the relay, 3
 */
export function readUnhandled(text: string): RelayMessage[] | undefined {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), Unhandled), text)
  if (!read.success) return undefined
  return Object.entries(read.output).flatMap(([topic, messages]) =>
    Object.values(messages).map((message) => ({ topic, message, publishedAt: 0 })),
  )
}
