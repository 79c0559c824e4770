import type { FrameLanguage, KeyWrap } from '@gatefold/protocol/frame'
import type { Mail } from '../../mail/Mail.ts'
import { methodsMail, type MailedMethod, type Mailing } from '../../mail/templates.ts'
import type { StoredRecovery } from '../../storage/frame/sets.ts'
import type { StoredSession, StoredUser } from '../../storage/frame/users.ts'
import { brandOf } from '../codes.ts'
import type { FrameService } from '../service.ts'

/** Who causes a notice. */
export type Actor = {
  user: StoredUser
  session: Pick<StoredSession, 'origin' | 'project_id'>
  /** The language of the frame, for a user whose language is not stored. */
  language: FrameLanguage
}

/** Mails a notice to a user; users without an address get none. */
export async function notify(
  { context }: FrameService,
  { user, session, language }: Actor,
  toMail: (mailing: Mailing) => Mail,
) {
  if (user.email === null) return
  const project = await context.projects.get(session.project_id)
  const { origin } = session
  context.mailer.send(
    toMail({
      to: user.email,
      brand: brandOf(project),
      origin,
      language: user.language ?? language,
    }),
  )
}

/**
 * Records that the recovery methods have changed, and notifies the user. A
 * recovery key that is replaced without another change is only recorded.
 */
export async function noteMethods(
  service: FrameService,
  actor: Actor & { deviceId: string },
  { before, recovery }: { before: StoredRecovery; recovery: StoredRecovery },
) {
  const { context, store } = service
  const at = context.now()
  const device = await store.findDevice(actor.user.id, actor.deviceId)
  const { origin } = actor.session
  const hasSameMethods = idsOf(before) === idsOf(recovery)
  await store.addAudit({
    user_id: actor.user.id,
    at,
    event: hasSameMethods ? 'recovery_key_changed' : 'recovery_changed',
    device_name: device?.name ?? null,
    origin,
  })
  if (hasSameMethods) return
  const methods = methodsOf(recovery)
  await notify(service, actor, (mailing) => methodsMail({ ...mailing, methods, at }))
}

/** Identifies the methods, without the keys that they wrap. */
function idsOf({ wraps, escrow_id }: StoredRecovery): string {
  const parsed = JSON.parse(wraps) as KeyWrap[]
  const ids = parsed.map((wrap) => (wrap.method === 'passkey' ? wrap.credentialId : wrap.salt))
  return JSON.stringify([escrow_id !== null, ...ids.toSorted()])
}

/** A user's recovery methods, as mails list them. */
function methodsOf({ wraps, escrow_id }: StoredRecovery): MailedMethod[] {
  const parsed = JSON.parse(wraps) as KeyWrap[]
  return [...(escrow_id === null ? [] : [{ method: 'automatic' } as const]), ...parsed]
}
