import { hash } from 'node:crypto'
import { limits } from '@gatefold/protocol'
import type { Publish } from '@gatefold/protocol/relay'
import { RelayError } from '../errors.ts'
import type { RelayContext } from '../RelayContext.ts'

/**
 * Puts messages into their mailboxes, all of them at once.
 *
 * @throws {RelayError} `TtlTooShort` when one of them has no time to live; none is stored then.
 * @throws {RelayError} `MailboxLimitExceeded` when a topic holds as much as it may; the messages of
 * other topics are stored all the same.
 * @throws {RelayStorageError}
 */
export async function publishMessages(
  { driver, metrics }: RelayContext,
  clientId: string,
  messages: readonly Publish[],
): Promise<true> {
  for (const { ttl } of messages) assertTtl(ttl)
  const outcomes = await driver.publish(
    messages.map(({ topic, message, attestation, tag, ttl }) => ({
      topic,
      // The same text on the same topic is one message. See docs/contracts/relay.md#mailbox.
      id: hash('sha256', message),
      message,
      attestation: attestation ?? undefined,
      tag,
      publisher: clientId,
      ttlSeconds: clampTtl(ttl),
    })),
  )
  for (const outcome of outcomes) metrics.published.inc({ outcome })
  if (outcomes.includes('full'))
    throw new RelayError(
      'requestHandler',
      'MailboxLimitExceeded',
      `a topic holds at most ${limits.relayTopicMessages} messages and ${limits.relayTopicBytes} bytes`,
    )
  return true
}

function assertTtl(seconds: number) {
  if (seconds > 0) return
  throw new RelayError('requestHandler', 'TtlTooShort', 'ttl must be more than 0 seconds')
}

/** Whole seconds within what the relay keeps. @see docs/contracts/relay.md#limits */
export function clampTtl(seconds: number): number {
  const whole = Math.floor(seconds)
  return Math.min(Math.max(whole, limits.relayTtlMinSeconds), limits.relayTtlMaxSeconds)
}
