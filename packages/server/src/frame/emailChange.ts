import { randomBytes } from 'node:crypto'
import { limits } from '@gatefold/protocol'
import {
  EmailChangeBody,
  EmailChangeCodeBody,
  type EmailChangeResponse,
  type FrameUser,
} from '@gatefold/protocol/frame'
import { emailChangedMail } from '../mail/templates.ts'
import type { StoredChange } from '../storage/frame/emails.ts'
import { brandOf, checkCode, expiredCode, sendCode, takeCodes, type CodeBinding } from './codes.ts'
import { FrameError } from './FrameError.ts'
import { hashToken, readProject, signedIn, type SessionCall } from './requests.ts'
import type { FrameService } from './service.ts'
import { toUser } from './user.ts'

const codeMs = limits.codeSeconds * 1000

/** `POST /api/email/change` @see spec §4.12; docs/contracts/frame-api.md#email-change */
export function postEmailChange(service: FrameService) {
  const { context, store } = service
  return signedIn(service, EmailChangeBody, async (call): Promise<EmailChangeResponse> => {
    const { body, c, deviceId, user } = call
    const project = await readProject(service, body)
    if (body.email === user.email)
      throw new FrameError(400, { field: 'email', description: 'This is your address already.' })
    // Both addresses are counted now, so that the second mail is not refused after the first code was used.
    const emails = [...(user.email === null ? [] : [user.email]), body.email]
    await takeCodes(service, c, { emails, deviceId })
    const change: StoredChange = {
      id: randomBytes(16).toString('base64url'),
      user_id: user.id,
      device_id: deviceId,
      project_id: project.id,
      origin: body.origin,
      old_email: user.email,
      new_email: body.email,
      is_primary_verified: user.email === null ? 1 : 0,
      expires_at: context.now() + codeMs,
    }
    await store.replaceChange(change)
    const step = user.email === null ? 'email-secondary' : 'email-primary'
    await sendStep(service, call, change, step)
    return {
      action: user.email === null ? 'VERIFY_SECONDARY_OTP' : 'VERIFY_PRIMARY_OTP',
      changeId: change.id,
    }
  })
}

/** `POST /api/email/verify-primary` */
export function postVerifyPrimary(service: FrameService) {
  const { context, store } = service
  return signedIn(service, EmailChangeCodeBody, async (call): Promise<EmailChangeResponse> => {
    const change = await readChange(service, call)
    await checkCode(service, bindingOf(change, 'email-primary'), call.body.code)
    await store.verifyPrimary(change.id, context.now() + codeMs)
    await sendStep(service, call, change, 'email-secondary')
    return { action: 'VERIFY_SECONDARY_OTP', changeId: change.id }
  })
}

/** `POST /api/email/verify-secondary` */
export function postVerifySecondary(service: FrameService) {
  const { context, store, url } = service
  return signedIn(service, EmailChangeCodeBody, async (call): Promise<FrameUser> => {
    const { body, deviceId, language, session, user } = call
    const change = await readChange(service, call)
    if (change.is_primary_verified !== 1) throw expiredCode()
    await checkCode(service, bindingOf(change, 'email-secondary'), body.code)
    const now = context.now()
    const link = randomBytes(32).toString('base64url')
    const { new_email: email, old_email: oldEmail, origin } = change
    const formerOwner = await store.findFormerOwner({ email, userId: user.id, now })
    const outcome =
      formerOwner === undefined
        ? await store.applyChange(
            change,
            oldEmail === null
              ? undefined
              : {
                  hash: hashToken(link),
                  user_id: user.id,
                  old_email: oldEmail,
                  new_email: email,
                  project_id: change.project_id,
                  origin,
                  created_at: now,
                  expires_at: now + limits.emailUndoSeconds * 1000,
                },
          )
        : 'taken'
    if (outcome === 'outdated') throw expiredCode()
    if (outcome === 'taken')
      throw new FrameError(409, {
        field: 'email',
        description: 'Another account has this address.',
        code: 'email_taken',
      })
    const device = (await store.findDevice(user.id, deviceId))?.name ?? null
    await store.addAudit({
      user_id: user.id,
      at: now,
      event: 'email_changed',
      device_name: device,
      origin: session.origin,
    })
    if (oldEmail !== null) {
      const project = await context.projects.get(change.project_id)
      context.mailer.send(
        emailChangedMail({
          to: oldEmail,
          brand: brandOf(project),
          origin,
          language: user.language ?? language,
          newEmail: email,
          link: `${url()}/email/undo?token=${link}`,
        }),
      )
    }
    return toUser(service, { ...user, email }, session)
  })
}

/** Mails the code of a step. */
async function sendStep(
  service: FrameService,
  { user, language }: SessionCall<unknown>,
  change: StoredChange,
  step: EmailStep,
) {
  const { context, store } = service
  await sendCode(service, bindingOf(change, step), {
    project: await context.projects.get(change.project_id),
    origin: change.origin,
    device: (await store.findDevice(user.id, change.device_id))?.name ?? 'Browser',
    language: user.language ?? language,
  })
}

async function readChange(
  { context, store }: FrameService,
  { body, deviceId, user }: SessionCall<{ changeId: string }>,
): Promise<StoredChange> {
  const change = await store.findChange({
    id: body.changeId,
    userId: user.id,
    deviceId,
    now: context.now(),
  })
  if (!change) throw expiredCode()
  return change
}

type EmailStep = 'email-primary' | 'email-secondary'

function bindingOf(change: StoredChange, step: EmailStep): CodeBinding {
  return {
    id: change.id,
    purpose: step,
    email: step === 'email-primary' ? change.old_email! : change.new_email,
    projectId: change.project_id,
    deviceId: change.device_id,
  }
}
