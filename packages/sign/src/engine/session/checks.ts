import { familyOf } from '../../namespaces.ts'
import type { Namespaces, Session } from '../../Session.ts'
import { isText } from '../../validation/shapes.ts'
import { expired, missingOrInvalid, noMatchingKey, inspect } from '../../validation/messages.ts'
import { type Context, nowSeconds } from '../Context.ts'
import { deleteSession } from '../state/remove.ts'
import type { StoredPairing } from '../state/schemas.ts'

/**
 * Returns the session with this topic.
 *
 * @throws {ValidationError | ExpiredError} if there is no such session, or if it has expired or has no key
 * @see spec §5.12.5
 */
export async function getSession(context: Context, topic: unknown): Promise<Session> {
  if (!isText(topic)) throw missingOrInvalid(`session topic should be a string: ${inspect(topic)}`)
  context.recentlyDeleted.assertNotDeleted(topic)
  const session = context.stores.sessions.get(topic)
  if (!session) throw noMatchingKey(`session topic doesn't exist: ${topic}`)
  if (session.expiry <= nowSeconds(context)) {
    await deleteSession(context, topic)
    context.event('session_expire', { topic })
    throw expired(`session topic: ${topic}`)
  }
  if (!context.keys.has(topic)) {
    await deleteSession(context, topic)
    throw missingOrInvalid(`session topic does not exist in keychain: ${topic}`)
  }
  return session
}

/** @see spec §5.12.1 */
export function getPairing(context: Context, topic: unknown): StoredPairing {
  if (!isText(topic)) throw missingOrInvalid(`pairing topic should be a string: ${inspect(topic)}`)
  const pairing = context.stores.pairings.get(topic)
  if (!pairing) throw noMatchingKey(`pairing topic doesn't exist: ${topic}`)
  if (pairing.expiry <= nowSeconds(context)) throw expired(`pairing topic: ${topic}`)
  return pairing
}

/** Whether this client is the wallet. */
export function isWallet(session: Session): boolean {
  // For a session created by `authenticate`, official wallets store the app as the controller; but only the
  // wallet stores the signed authorizations.
  return session.controller === session.self.publicKey || session.authentication !== undefined
}

/** Whether all approved namespaces were proposed. A proposal without namespaces allows any. */
export function isWithinProposal(
  proposed: { requiredNamespaces: object; optionalNamespaces: object },
  approved: Namespaces,
): boolean {
  const families = new Set(
    [...Object.keys(proposed.requiredNamespaces), ...Object.keys(proposed.optionalNamespaces)].map(
      familyOf,
    ),
  )
  return families.size === 0 || Object.keys(approved).every((key) => families.has(familyOf(key)))
}

/** @throws {ValidationError} if the reason has no code or no message */
export function assertReason(reason: unknown, method: string): void {
  const { code, message } = (reason ?? {}) as Record<string, unknown>
  if (typeof code !== 'number' || code === 0 || Number.isNaN(code) || !isText(message))
    throw missingOrInvalid(`${method} reason: ${inspect(reason)}`)
}
