import { randomBytes } from 'node:crypto'
import { ExportedBody, type ExportCodeResponse } from '@gatefold/protocol/frame'
import { exportedMail } from '../../mail/templates.ts'
import type { StoredSession, StoredUser } from '../../storage/frame/users.ts'
import { checkCode, expiredCode, sendCode, takeCodes, type CodeBinding } from '../codes.ts'
import { notify } from './notices.ts'
import { Empty, signedIn } from '../requests.ts'
import type { FrameService } from '../service.ts'

// The code of a login is not accepted for an export, so a visitor who was
// tricked into passing on such a code does not lose the key.

/** `POST /api/export/code` @see docs/custody.md#backup */
export function postExportCode(service: FrameService) {
  const { context } = service
  return signedIn(service, Empty, async ({ c, deviceId, session, user, language }) => {
    const confirmId = randomBytes(16).toString('base64url')
    if (user.email === null) return { confirmId } satisfies ExportCodeResponse
    await takeCodes(service, c, { emails: [user.email], deviceId })
    const project = await context.projects.get(session.project_id)
    await sendCode(service, bindingOf(confirmId, user.email, session), {
      project,
      // The wallet is exported on a page of the frame, even if the session belongs to another page.
      origin: service.url(),
      device: (await service.store.findDevice(user.id, deviceId))?.name ?? 'Browser',
      language: user.language ?? language,
    })
    return { confirmId } satisfies ExportCodeResponse
  })
}

/** `POST /api/audit/export`: records that the key leaves the frame, and notifies the user. */
export function postExported(service: FrameService) {
  const { context, store } = service
  return signedIn(service, ExportedBody, async ({ body, deviceId, session, user, language }) => {
    await checkExport(service, { body, session, user })
    const at = context.now()
    const { form } = body
    await store.addAudit({
      user_id: user.id,
      at,
      event: form === 'phrase' ? 'phrase_shown' : 'backup_saved',
      device_name: (await store.findDevice(user.id, deviceId))?.name ?? null,
      origin: session.origin,
    })
    await notify(service, { user, session, language }, (mailing) =>
      exportedMail({ ...mailing, form, at }),
    )
  })
}

/** A user without an address confirms with a passkey in the frame. */
async function checkExport(
  service: FrameService,
  call: {
    body: { confirmId?: string | undefined; code?: string | undefined }
    session: StoredSession
    user: StoredUser
  },
) {
  const { body, session, user } = call
  if (user.email === null) return
  if (body.confirmId === undefined || body.code === undefined) throw expiredCode()
  await checkCode(service, bindingOf(body.confirmId, user.email, session), body.code)
}

function bindingOf(id: string, email: string, session: StoredSession): CodeBinding {
  const { device_id: deviceId, project_id: projectId } = session
  return { id, purpose: 'export', email, projectId, deviceId }
}
