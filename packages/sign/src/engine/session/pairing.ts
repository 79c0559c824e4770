import { type Context, nowSeconds } from '../Context.ts'
import { pairingExpiry } from '../transport/methods.ts'
import type { IncomingRequest } from '../transport/incoming.ts'
import { deletePairing } from '../state/remove.ts'
import type { StoredPairing } from '../state/schemas.ts'
import { respondInBackground } from '../transport/send.ts'

/** Marks a pairing as active after a response: extends its expiry, and its URI can no longer be used. */
export async function activatePairing(
  context: Context,
  topic: string,
  peerMetadata?: StoredPairing['peerMetadata'],
): Promise<void> {
  const pairing = context.stores.pairings.get(topic)
  if (!pairing) return
  await context.stores.pairings.set({
    ...pairing,
    active: true,
    expiry: nowSeconds(context) + pairingExpiry,
    ...(peerMetadata && { peerMetadata }),
  })
}

/** Keeps a pairing until its proposal expires, because the pairing's key seals the response. */
export function extendPairing(
  { stores }: Context,
  topic: string,
  expiry: number,
): Promise<void> | undefined {
  const pairing = stores.pairings.get(topic)
  if (pairing && pairing.expiry < expiry) return stores.pairings.set({ ...pairing, expiry })
}

export async function onPairingPing(context: Context, { topic, id }: IncomingRequest) {
  if (!context.stores.pairings.has(topic)) return false
  respondInBackground(context, { topic, id, method: 'wc_pairingPing', answer: { result: true } })
  context.event('session_ping', { topic, id })
}

export async function onPairingDelete(context: Context, { topic }: IncomingRequest) {
  if (!context.stores.pairings.has(topic)) return false
  await deletePairing(context, topic)
}
