import { randomInt } from 'node:crypto'
import { limits } from '@gatefold/protocol'
import type { FrameLanguage } from '@gatefold/protocol/frame'
import { addressOf, type HttpContext } from '../http/access.ts'
import { codeMail, type CodeAction } from '../mail/templates.ts'
import { defaultProjectId, type Project } from '../storage/projects.ts'
import { FrameError, tooMany } from './FrameError.ts'
import type { FrameService } from './service.ts'

const hourMs = 3_600_000

/** Everything that a code is bound to; in any other context, the code is wrong. */
export type CodeBinding = {
  /** Id of the login or email change. */
  id: string
  purpose: CodeAction
  email: string
  projectId: string
  deviceId: string
}

/**
 * Counts a request for a code, for the client's address and for each email
 * address that gets one. Known and unknown addresses are counted in the same
 * way; only a device that has logged in with the address before is counted
 * separately.
 *
 * @throws {FrameError} 429 with the code `too_soon` or `too_many_codes`; 503 if the server cannot send mail.
 * @see spec §5.11.1; docs/threats.md#one-time-codes
 */
export async function takeCodes(
  service: FrameService,
  c: HttpContext,
  { emails, deviceId }: { emails: readonly string[]; deviceId: string },
): Promise<void> {
  const { context, keys, store } = service
  if (!context.mailer.isAvailable)
    throw new FrameError(503, {
      field: 'server',
      description: 'this server cannot send mail',
      code: 'mail_unavailable',
    })
  const now = context.now()
  const uses = [
    {
      key: `client ${keys.mac('limit client', addressOf(context, c))}`,
      max: limits.codesPerHourAndAddress,
      gapMs: 0,
    },
  ]
  for (const email of emails) {
    // The user's own devices have a separate limit, so that others cannot
    // exhaust it.
    const parts = (await store.hasDevice(email, deviceId)) ? [email, deviceId] : [email]
    uses.push({
      key: `codes ${keys.mac('limit email', ...parts)}`,
      max: limits.codesPerHour,
      gapMs: limits.codeResendSeconds * 1000,
    })
  }
  for (const use of uses) {
    const { waitMs, isGap } = await store.takeUse({ ...use, windowMs: hourMs, now })
    if (waitMs > 0) throw tooMany(isGap ? 'too_soon' : 'too_many_codes', waitMs)
  }
}

/**
 * The language of a mail about a login. A device that is new to the user does not choose it, because the user must be able
 * to read what the code is for.
 *
 * @param request.language - the language of the frame on that device.
 * @see docs/threats.md#one-time-codes
 */
export async function loginLanguage(
  { store }: FrameService,
  { email, deviceId, language }: { email: string; deviceId: string; language: FrameLanguage },
): Promise<FrameLanguage> {
  return (await store.findLanguage(email, deviceId)) ?? language
}

/** Creates a code, stores its HMAC, and mails it after the response. */
export async function sendCode(
  { context, keys, store }: FrameService,
  binding: CodeBinding,
  {
    project,
    ...mailing
  }: {
    project: Project | undefined
    origin: string
    /** Name of the device that requested the code. */
    device: string
    language: FrameLanguage
  },
): Promise<void> {
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const { id, purpose, deviceId, email } = binding
  await store.addCode({
    id,
    purpose,
    device_id: deviceId,
    hash: keys.mac('code', ...boundParts(binding), code),
    expires_at: context.now() + limits.codeSeconds * 1000,
  })
  context.mailer.send(
    codeMail({
      ...mailing,
      to: email,
      brand: brandOf(project),
      action: purpose,
      code,
    }),
  )
}

/**
 * Checks a code.
 *
 * @throws {FrameError} 400 with the code `code_wrong` or `code_expired`.
 */
export async function checkCode(
  { context, keys, store }: FrameService,
  binding: CodeBinding,
  code: string,
): Promise<void> {
  const { id, purpose, deviceId } = binding
  const hashes = keys.macs('code', ...boundParts(binding), code)
  const result = await store.tryCode({ id, purpose, deviceId, hashes, now: context.now() })
  if (!result) throw expiredCode()
  if (result.isRight) return
  const { triesLeft } = result
  throw new FrameError(400, {
    field: 'code',
    description: `Wrong code. ${triesLeft} ${triesLeft === 1 ? 'try' : 'tries'} left.`,
    code: 'code_wrong',
  })
}

const boundParts = ({ id, purpose, email, projectId, deviceId }: CodeBinding) =>
  [id, purpose, email, projectId, deviceId] as const

/** Also for a code that was used, replaced, or never existed, so that a client cannot distinguish them. */
export function expiredCode() {
  return new FrameError(400, {
    field: 'code',
    description: 'This code has expired. Request another one.',
    code: 'code_expired',
  })
}

/** The name in mails. */
export function brandOf(project: Project | undefined): string {
  return !project || project.id === defaultProjectId ? 'Gatefold' : project.name
}
