import { RevokeDeviceBody, type AuditEntry, type FrameDevice } from '@gatefold/protocol/frame'
import { deviceRemovedMail } from '../mail/templates.ts'
import { FrameError } from './FrameError.ts'
import { notify } from './recovery/notices.ts'
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
  const { context, escrow, store } = service
  return signedIn(service, RevokeDeviceBody, async ({ body, session, user, language }) => {
    const device = await store.findDevice(user.id, body.deviceId)
    const { outcome, deleted } = await store.revokeDevice(user.id, body.deviceId)
    if (outcome === 'no_device')
      throw new FrameError(404, { field: 'deviceId', description: 'there is no such device' })
    if (outcome === 'last_set')
      throw new FrameError(409, {
        field: 'deviceId',
        description:
          'no other device has the wallet with the current recovery key; open or restore it on another device first',
        code: 'last_set',
      })
    await escrow.delete(deleted)
    await store.addAudit({
      user_id: user.id,
      at: context.now(),
      event: 'device_removed',
      device_name: device?.name ?? null,
      origin: session.origin,
    })
    await notify(service, { user, session, language }, (mailing) =>
      deviceRemovedMail({ ...mailing, device: device?.name ?? 'Browser', at: context.now() }),
    )
  })
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
