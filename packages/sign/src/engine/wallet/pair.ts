import { hashKey } from '../../crypto/keys.ts'
import { ValidationError } from '../../errors.ts'
import { isPairingExpired } from '../../pairingUri.ts'
import { PairingUriError, parsePairingUri } from '../../parsePairingUri.ts'
import type { Pairing } from '../../SignClient.ts'
import { isText } from '../../validation/shapes.ts'
import { expired, missingOrInvalid, inspect } from '../../validation/messages.ts'
import { type Context, nowSeconds } from '../Context.ts'
import { pairingExpiry } from '../transport/methods.ts'
import { emitProposal } from './propose.ts'
import { deletePairing } from '../state/remove.ts'

/**
 * Pairs with a scanned URI. The same URI can be used again until its pairing is active; using it again emits
 * a pending proposal again.
 */
export async function pair(context: Context, uri: unknown): Promise<Pairing> {
  const { topic, symKey, relay, expiryTimestamp, methods } = parse(uri)
  if (expiryTimestamp !== undefined && isPairingExpired(expiryTimestamp, context.clock.now()))
    throw expired('pair() URI has expired. Please try again with a new connection URI.')
  if ((await hashKey(symKey)) !== topic) throw missingOrInvalid('pair() uri#symKey')
  const existing = context.stores.pairings.get(topic)
  if (existing?.active)
    throw new ValidationError(
      `Pairing already exists: ${topic}. Please try again with a new connection URI.`,
      'sign.pairing_exists',
    )
  // Prepares to check the proposal. Called first, so that its storage reads precede the writes below.
  context.verify?.prefetch()
  const expiry = expiryTimestamp ?? nowSeconds(context) + pairingExpiry
  const pairing = {
    ...existing,
    topic,
    relay,
    expiry,
    active: false,
    ...(methods && { methods: [...methods] }),
  }
  const stored = Promise.all([context.keys.setSymKey(symKey), context.stores.pairings.set(pairing)])
  const waiting = context.stores.proposals
    .values()
    .find(({ pairingTopic }) => pairingTopic === topic)
  if (waiting) emitProposal(context, waiting)
  try {
    // The key is in memory by the time the relay pushes to the topic.
    await Promise.all([context.relay.subscribe(topic), stored])
  } catch (error) {
    if (!existing) await deletePairing(context, topic)
    throw error
  }
  return pairing
}

function parse(uri: unknown) {
  if (!isText(uri)) throw missingOrInvalid(`pair() uri: ${inspect(uri)}`)
  try {
    return parsePairingUri(uri)
  } catch (error) {
    if (!(error instanceof PairingUriError)) throw error
    throw missingOrInvalid(`pair() uri: ${uri}. ${error.metaMessages[0] ?? ''}`.trimEnd())
  }
}
