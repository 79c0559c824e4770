import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { limits } from '@gatefold/protocol'
import {
  DeviceLoginBody,
  EmailLoginBody,
  VerifyLoginBody,
  type DeviceLoginResponse,
  type EmailLoginResponse,
  type FrameLanguage,
  type LoginResponse,
} from '@gatefold/protocol/frame'
import { readHeader } from '../http/access.ts'
import { deviceLinkMail } from '../mail/templates.ts'
import type { StoredLogin } from '../storage/frame/codes.ts'
import {
  brandOf,
  checkCode,
  expiredCode,
  loginLanguage,
  sendCode,
  takeCodes,
  type CodeBinding,
} from './codes.ts'
import { FrameError } from './FrameError.ts'
import { hashToken, open, readProject } from './requests.ts'
import type { FrameService } from './service.ts'
import { logIn } from './sessions.ts'
import { frameTiming } from './timing.ts'
import { toDeviceName } from './toDeviceName.ts'

/** `POST /api/login/email` @see spec §4.12; docs/contracts/frame-api.md#login */
export function postEmailLogin(service: FrameService) {
  const { context, store, url } = service
  return open(
    service,
    EmailLoginBody,
    async ({ c, body, deviceId, ...call }): Promise<EmailLoginResponse> => {
      const { email, origin } = body
      const project = await readProject(service, body)
      await takeCodes(service, c, { emails: [email], deviceId })
      const now = context.now()
      const isKnown = await store.isConfirmedDevice(email, deviceId)
      const others = await store.listDeviceProjects(email, deviceId)
      const needsLink =
        (project.confirmDevices || (await confirmsDevices(service, others))) && !isKnown
      const link = randomBytes(32).toString('base64url')
      const seconds = needsLink ? limits.deviceLinkSeconds : limits.codeSeconds
      const login: StoredLogin = {
        id: randomBytes(16).toString('base64url'),
        device_id: deviceId,
        device_name: toDeviceName(readHeader(c, 'user-agent')),
        email,
        project_id: project.id,
        origin,
        link_hash: needsLink ? hashToken(link) : null,
        confirmed_at: null,
        code_sent_at: needsLink ? null : now,
        expires_at: now + seconds * 1000,
      }
      await store.replaceLogin(login)
      const language = await loginLanguage(service, { email, deviceId, ...call })
      if (needsLink)
        context.mailer.send(
          deviceLinkMail({
            to: email,
            brand: brandOf(project),
            origin: login.origin,
            language,
            device: login.device_name,
            link: `${url()}/device?token=${link}`,
          }),
        )
      else await sendLoginCode(service, login, language)
      return {
        action: needsLink ? 'VERIFY_DEVICE' : 'VERIFY_OTP',
        loginId: login.id,
        codeSeconds: limits.codeSeconds,
        resendSeconds: limits.codeResendSeconds,
      }
    },
  )
}

/**
 * Maximum number of requests that wait for a confirmation. Further requests are
 * answered immediately.
 */
const maxWaiting = 1_000

/** `POST /api/login/device` */
export function postDeviceLogin(service: FrameService) {
  const { context, stopping, store } = service
  const waiting = new Set<string>()
  const timing = { ...frameTiming, ...context.frameTiming }
  return open(
    service,
    DeviceLoginBody,
    async ({ c, body, deviceId, language }): Promise<DeviceLoginResponse> => {
      const deadline = performance.now() + timing.deviceWaitMs
      const signal = AbortSignal.any([stopping, c.req.raw.signal])
      for (;;) {
        const login = await store.findLogin(body.loginId, deviceId, context.now())
        if (!login) throw expiredCode()
        if (login.code_sent_at !== null) return { isConfirmed: true }
        if (login.confirmed_at !== null) {
          await sendFirstCode(service, login, language)
          return { isConfirmed: true }
        }
        if (performance.now() >= deadline || signal.aborted) return { isConfirmed: false }
        // Only one request per login waits, because each polls the database.
        if (waiting.has(login.id) || waiting.size >= maxWaiting) return { isConfirmed: false }
        waiting.add(login.id)
        await wait(timing.devicePollMs, undefined, { signal }).catch(() => {})
        waiting.delete(login.id)
      }
    },
  )
}

/** Mails the code of a login whose device was confirmed, once. */
async function sendFirstCode(service: FrameService, login: StoredLogin, language: FrameLanguage) {
  const { context, store } = service
  const now = context.now()
  const expiresAt = now + limits.codeSeconds * 1000
  if (!(await store.claimCode(login.id, { now, expiresAt }))) return
  const { email, device_id: deviceId } = login
  await sendLoginCode(service, login, await loginLanguage(service, { email, deviceId, language }))
}

async function sendLoginCode(service: FrameService, login: StoredLogin, language: FrameLanguage) {
  const { origin, device_name: device, project_id: projectId } = login
  const project = await service.context.projects.get(projectId)
  await sendCode(service, bindingOf(login), { project, origin, device, language })
}

/** `POST /api/login/verify` */
export function postVerifyLogin(service: FrameService) {
  const { context, store } = service
  return open(
    service,
    VerifyLoginBody,
    async ({ body, deviceId, language }): Promise<LoginResponse> => {
      const now = context.now()
      const login = await store.findLogin(body.loginId, deviceId, now)
      if (!login) throw expiredCode()
      await checkCode(service, bindingOf(login), body.code)
      await store.deleteLogin(login.id)
      const { email, device_name: device, origin } = login
      const known = await store.findUserByEmail(email)
      if (!known && (await store.findFormerOwner({ email, userId: undefined, now })))
        throw new FrameError(409, {
          field: 'email',
          description:
            'This address was changed to another one. To get it back, use the link in the mail about the change.',
          code: 'email_moved',
        })
      const { user, isNew } = await store.ensureUser(email, now)
      const isConfirmed =
        login.confirmed_at !== null || (await store.isConfirmedDevice(email, deviceId))
      const projects = await store.listUserProjects(user.id)
      return logIn(service, {
        user,
        isNew,
        deviceId,
        deviceName: device,
        confirmedAt: login.confirmed_at,
        needsCode: !isConfirmed && (await confirmsDevices(service, projects)),
        projectId: login.project_id,
        origin,
        language,
      })
    },
  )
}

/**
 * Whether one of the user's projects confirms devices. All projects of the
 * server have the same users, so a login through another project must not
 * bypass the confirmation. The first login of a device through such a project
 * mails no link, because a link would reveal who has an account. Its session
 * then requires a second login, for which the link is mailed.
 *
 * @see docs/threats.md#one-time-codes
 */
async function confirmsDevices({ context }: FrameService, projectIds: readonly string[]) {
  const projects = await Promise.all(projectIds.map(async (id) => context.projects.get(id)))
  return projects.some((project) => project?.confirmDevices)
}

function bindingOf(login: StoredLogin): CodeBinding {
  return {
    id: login.id,
    purpose: 'login',
    email: login.email,
    projectId: login.project_id,
    deviceId: login.device_id,
  }
}
