import { hash } from 'node:crypto'
import { limits } from '@gatefold/protocol'
import type { Publish } from '@gatefold/protocol/relay'
import { RelayError } from '../errors.ts'
import type { RelayContext } from '../RelayContext.ts'

/**
 * Stores messages in their mailboxes, in one commit.
 *
 * @throws {RelayError} `TtlTooShort` when the `ttl` of one is 0 or negative; none is stored then.
 * @throws {RelayError} `MailboxLimitExceeded` when the mailbox of a topic is full; the messages of other
 * topics are stored.
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
      // A text that is published twice on a topic is one message. See docs/contracts/relay.md#mailbox.
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

/** Whole seconds within the relay's limits. @see docs/contracts/relay.md#limits */
export function clampTtl(seconds: number): number {
  const whole = Math.floor(seconds)
  return Math.min(Math.max(whole, limits.relayTtlMinSeconds), limits.relayTtlMaxSeconds)
}
