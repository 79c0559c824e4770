import { RevokeDeviceBody, type AuditEntry, type FrameDevice } from '@gatefold/protocol/frame'
import { deviceRemovedMail } from '../mail/templates.ts'
import type { RevokedDevice } from '../storage/frame/sets.ts'
import { FrameError } from './FrameError.ts'
import { notify, type Actor } from './recovery/notices.ts'
import { Empty, signedIn } from './requests.ts'
import type { FrameService } from './service.ts'
import { toUser } from './user.ts'

/**
 * `POST /api/user`. Stores the language of the frame for later mails if the device has the wallet: on any other device,
 * somebody else could choose one that the user cannot read.
 */
export function postUser(service: FrameService) {
  return signedIn(service, Empty, async ({ session, user, language }) => {
    const found = await toUser(service, user, session)
    const isOwner = found.wallet?.setId != null
    if (isOwner && user.language !== language) await service.store.setLanguage(user.id, language)
    return found
  })
}

/** `POST /api/devices` */
export function postDevices({ store, ...service }: FrameService) {
  return signedIn({ store, ...service }, Empty, async ({ deviceId, user }) => {
    const devices = await store.listDevices(user.id)
    return {
      devices: devices.map(
        ({ id, name, origin, created_at: createdAt, last_used_at: lastUsedAt }): FrameDevice => ({
          id,
          name,
          origin,
          createdAt,
          lastUsedAt,
          isThis: id === deviceId,
        }),
      ),
    }
  })
}

/** `POST /api/devices/revoke` */
export function postRevokeDevice(service: FrameService) {
  return signedIn(service, RevokeDeviceBody, async ({ body, session, user, language }) => {
    const outcome = await removeDevice(service, { ...body, session, user, language })
    if (outcome === 'no_device')
      throw new FrameError(404, { field: 'deviceId', description: 'there is no such device' })
    if (outcome === 'last_set')
      throw new FrameError(409, {
        field: 'deviceId',
        description:
          'no other device has the wallet with the current recovery key; open or restore it on another device first',
        code: 'last_set',
      })
  })
}

/** Removes a device of a user, and notifies the user. @param linkHash - the mailed link that does it */
export async function removeDevice(
  service: FrameService,
  { deviceId, user, session, language, linkHash }: Actor & { deviceId: string; linkHash?: string },
): Promise<RevokedDevice> {
  const { context, escrow, store } = service
  const at = context.now()
  const event = { userId: user.id, deviceId, at, origin: session.origin, linkHash }
  const { outcome, name, deleted } = await store.revokeDevice(event)
  if (outcome !== 'revoked') return outcome
  await notify(service, { user, session, language }, (mailing) =>
    deviceRemovedMail({ ...mailing, device: name ?? 'Browser', at }),
  )
  // The device is removed even if these keys of its unfinished sets remain; the next commit deletes them.
  await escrow.delete(deleted).catch((error: unknown) => {
    context.log.warn({ err: error }, 'recovery keys of a removed device were not deleted')
  })
  return outcome
}

/** `POST /api/audit` */
export function postAudit(service: FrameService) {
  return signedIn(service, Empty, async ({ user }) => {
    const entries = await service.store.listAudit(user.id)
    return {
      entries: entries.map(({ at, event, device_name: deviceName, origin }): AuditEntry => ({
        at,
        event,
        deviceName,
        origin,
      })),
    }
  })
}
