import { hash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { limits } from '@gatefold/protocol'
import type { Publish } from '@gatefold/protocol/relay'
import type { Charges, Item, Payer } from '../budgets/createStorageBudgets.ts'
import {
  PartialPublishError,
  type NewMessage,
  type PublishOutcome,
  type UncertainOutcome,
} from '../drivers/RelayDriver.ts'
import { RelayError, RelayStorageError } from '../errors.ts'
import type { RelayContext } from '../RelayContext.ts'

/**
 * Stores messages in their mailboxes.
 *
 * @throws {RelayError} `TtlTooShort` if any `ttl` is 0 or negative. No message is stored.
 * @throws {RelayError} `MailboxLimitExceeded` if the mailbox of a topic is full. The messages on other
 * topics are stored.
 * @throws {RelayError} `StorageBudgetExceeded` after a pause, if a budget is exceeded. No message is stored.
 * @throws {RelayStorageError}
 */
export function publishMessages(
  relay: RelayContext,
  payer: Payer,
  messages: readonly Publish[],
): Promise<true> {
  if (messages.some(({ ttl }) => !(ttl > 0))) return Promise.reject(ttlTooShort())
  const created = messages.map(({ topic, message, attestation, tag, ttl }): NewMessage => ({
    topic,
    // The same text, published twice on a topic, is one message. See docs/contracts/relay.md#mailbox.
    id: hash('sha256', message),
    message,
    attestation: attestation ?? undefined,
    tag,
    publisher: payer.clientId,
    ttlSeconds: clampTtl(ttl),
  }))
  const charges = charge(relay, payer, created)
  return charges instanceof Promise
    ? charges.then((charges) => store(relay, payer, created, charges))
    : store(relay, payer, created, charges)
}

/** Stores messages with their charges. Not an async function, whose state would be larger than most messages. */
function store(
  relay: RelayContext,
  payer: Payer,
  messages: readonly NewMessage[],
  charges: readonly string[],
): Promise<true> {
  messages.forEach((message, index) => (message.charge = charges[index]!))
  return relay.driver.publish(messages, payer.address).then(
    (outcomes) => onStored(relay, charges, outcomes),
    (error: unknown) => {
      if (error instanceof PartialPublishError) settle(relay, charges, error.outcomes)
      else if (error instanceof RelayStorageError && error.isUnsent)
        relay.storageBudgets.release(charges)
      throw error
    },
  )
}

/** @throws {RelayError} `MailboxLimitExceeded` if the mailbox of a topic is full. */
function onStored(
  relay: RelayContext,
  charges: readonly string[],
  outcomes: readonly PublishOutcome[],
): true {
  settle(relay, charges, outcomes)
  for (const outcome of outcomes) relay.metrics.published.inc({ outcome })
  if (outcomes.includes('full'))
    throw new RelayError(
      'requestHandler',
      'MailboxLimitExceeded',
      `a topic holds at most ${limits.relayTopicMessages} messages and ${limits.relayTopicBytes} bytes`,
    )
  return true
}

/** Releases the charges of the messages that are not stored. Those of the others are released with them, or expire. */
function settle(
  { storageBudgets }: RelayContext,
  charges: readonly string[],
  outcomes: readonly UncertainOutcome[],
) {
  if (outcomes.some(isReleased))
    storageBudgets.release(charges.filter((_, index) => isReleased(outcomes[index])))
}

function isReleased(outcome: UncertainOutcome) {
  return outcome !== undefined && outcome !== 'stored'
}

/** Charges the payer. Returns a promise only if the charge has to wait. */
function charge(
  relay: RelayContext,
  payer: Payer,
  messages: readonly NewMessage[],
): string[] | Promise<string[]> {
  const items = messages.map(({ message, attestation, ttlSeconds }) => ({
    bytes: Buffer.byteLength(message) + Buffer.byteLength(attestation ?? ''),
    expiresAt: relay.context.now() + ttlSeconds * 1000,
  }))
  const charges = relay.storageBudgets.charge(payer, items)
  return Array.isArray(charges) ? charges : chargeLater(relay, payer, items, charges)
}

/** Waits for a charge. If a budget is exceeded, waits and tries once more, which slows down a busy client. */
async function chargeLater(
  { context, metrics, storageBudgets }: RelayContext,
  payer: Payer,
  items: readonly Item[],
  first: Charges | Promise<Charges>,
): Promise<string[]> {
  const charges = await first
  if (charges) return charges
  await wait(context.relayTiming?.overBudgetMs ?? overBudgetMs, undefined, { ref: false })
  const later = await storageBudgets.charge(payer, items)
  if (later) return later
  metrics.published.inc({ outcome: 'over_budget' }, items.length)
  throw new RelayError(
    'requestHandler',
    'StorageBudgetExceeded',
    'a storage budget of this address, client or project, or of the whole relay, is exhausted',
  )
}

/** Pause before the only retry of a publish that exceeds a storage budget, in ms. */
const overBudgetMs = 5_000

function ttlTooShort() {
  return new RelayError('requestHandler', 'TtlTooShort', 'ttl must be more than 0 seconds')
}

/** Rounds down to whole seconds, and clamps them to the relay's limits. @see docs/contracts/relay.md#limits */
export function clampTtl(seconds: number): number {
  const whole = Math.floor(seconds)
  return Math.min(Math.max(whole, limits.relayTtlMinSeconds), limits.relayTtlMaxSeconds)
}
