import type { KeyWrap } from '@gatefold/protocol/frame'
import type { Mail } from '../../mail/Mail.ts'
import { methodsMail, type MailSite } from '../../mail/templates.ts'
import type { StoredRecovery } from '../../storage/frame/sets.ts'
import type { StoredSession, StoredUser } from '../../storage/frame/users.ts'
import { brandOf } from '../codes.ts'
import type { FrameService } from '../service.ts'

type Actor = { user: StoredUser; session: Pick<StoredSession, 'origin' | 'project_id'> }

/** Mails a notice to a user; users without an address get none. */
export async function notify(
  { context }: FrameService,
  { user, session }: Actor,
  toMail: (mailing: MailSite & { to: string }) => Mail,
) {
  if (user.email === null) return
  const project = await context.projects.get(session.project_id)
  const { origin } = session
  context.mailer.send(toMail({ to: user.email, brand: brandOf(project), origin }))
}

/** Records and mails that the recovery methods have changed. */
export async function noteMethods(
  service: FrameService,
  actor: Actor & { deviceId: string },
  recovery: StoredRecovery,
) {
  const { context, store } = service
  const at = context.now()
  const device = await store.findDevice(actor.user.id, actor.deviceId)
  const { origin } = actor.session
  await store.addAudit({
    user_id: actor.user.id,
    at,
    event: 'recovery_changed',
    device_name: device?.name ?? null,
    origin,
  })
  const methods = namesOf(recovery)
  await notify(service, actor, (mailing) => methodsMail({ ...mailing, methods, at }))
}

/** The names of a user's recovery methods in mails. */
function namesOf({ wraps, escrow_id }: StoredRecovery): string[] {
  const parsed = JSON.parse(wraps) as KeyWrap[]
  return [
    ...(escrow_id === null ? [] : ['automatic recovery']),
    ...parsed.map((wrap) => (wrap.method === 'passkey' ? `passkey “${wrap.name}”` : 'password')),
  ]
}
