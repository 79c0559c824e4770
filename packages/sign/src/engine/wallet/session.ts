import { findUnsatisfied } from '../../namespaces.ts'
import { assertNamespaces } from '../../validation/namespaces.ts'
import { nonConforming } from '../../validation/messages.ts'
import { getSession } from '../session/checks.ts'
import { type Context, nowSeconds } from '../Context.ts'
import type { Command } from '../Engine.ts'
import { sessionLifetime } from '../transport/methods.ts'
import { sendRequest } from '../transport/send.ts'

/** Updates the session's namespaces. Applied locally before the app acknowledges. @see spec §5.12.6 */
export async function update(
  context: Context,
  { id, topic, namespaces }: Extract<Command, { type: 'update' }>,
): Promise<void> {
  const session = await getSession(context, topic)
  assertNamespaces(namespaces, 'update()')
  const unsatisfied = findUnsatisfied(session.requiredNamespaces, namespaces, 'update()')
  if (unsatisfied) throw nonConforming(unsatisfied)
  await context.stores.sessions.set({ ...session, namespaces })
  try {
    const params = { namespaces }
    await sendRequest(context, { id, topic, method: 'wc_sessionUpdate', params, keep: true })
  } catch (error) {
    const now = context.stores.sessions.get(topic)
    // Rolls back, unless a later update has replaced it.
    if (now?.namespaces === namespaces)
      await context.stores.sessions.set({ ...now, namespaces: session.namespaces })
    throw error
  }
}

/** Extends a session by seven days from now. */
export async function extend(
  context: Context,
  { id, topic }: Extract<Command, { type: 'extend' }>,
): Promise<void> {
  // Stored first, because the relay may send this client its own request.
  await context.stores.sessions.set({ ...(await getSession(context, topic)), lastExtendId: id })
  await sendRequest(context, { id, topic, method: 'wc_sessionExtend', params: {} })
  // Read again, because the session may have been updated or deleted in the meantime.
  const session = context.stores.sessions.get(topic)
  const expiry = nowSeconds(context) + sessionLifetime
  if (session) await context.stores.sessions.set({ ...session, expiry })
}
