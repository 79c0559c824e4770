import { isAddress, limits } from '@gatefold/protocol'
import {
  RecoveryBody,
  SetBody,
  setText,
  StageBody,
  type EscrowResponse,
  type KeyWrap,
  type RecoveryResponse,
  type ShareResponse,
  type StagedResponse,
} from '@gatefold/protocol/frame'
import type * as v from 'valibot'
import { keccak256, recoverAddress, stringToBytes } from 'viem'
import { recoveryMail } from '../mail/templates.ts'
import type { StoredSet } from '../storage/frame/sets.ts'
import { brandOf } from './codes.ts'
import type { Sealed } from './createKeys.ts'
import { FrameError, tooMany } from './FrameError.ts'
import { Empty, withFreshLogin, withNonce, type SessionCall } from './requests.ts'
import type { FrameService } from './service.ts'
import { findCurrentSet } from './user.ts'

const dayMs = 86_400_000

type SetWithShare = StoredSet & { key_id: string; sealed: string }

/** `POST /api/wallet/stage` @see docs/custody.md#shares */
export function postStage(service: FrameService) {
  const { context, escrow, keys, store } = service
  return withNonce(service, StageBody, async ({ body, deviceId, user }) => {
    const { setId, epoch, eip155, solana } = body
    if (!isAddress(eip155))
      throw new FrameError(400, { field: 'eip155', description: 'eip155 has a wrong checksum' })
    if (epoch !== user.epoch) throw changedEpoch()
    if (user.eip155 !== null && (user.eip155 !== eip155 || user.solana !== solana))
      throw existingWallet()
    await assertSigned(body)
    const now = context.now()
    const bound = [user.id, setId, epoch] as const
    const { keyId, sealed } = keys.seal('auth share', bound, body.authShare)
    const replaced = await store.stageSet(
      {
        id: setId,
        user_id: user.id,
        device_id: deviceId,
        epoch,
        eip155,
        solana,
        recovery_share: body.recoveryShare,
        wraps: JSON.stringify(body.wraps),
        is_automatic: body.recoveryKey === undefined ? 0 : 1,
        created_at: now,
        committed_at: null,
      },
      { set_id: setId, user_id: user.id, epoch, key_id: keyId, sealed },
    )
    if (!replaced)
      throw new FrameError(409, {
        field: 'setId',
        description: 'there is a set with this id',
        code: 'set_exists',
      })
    await escrow.delete(replaced)
    if (body.recoveryKey !== undefined) {
      const key = escrow.keys.seal('recovery key', bound, body.recoveryKey)
      await escrow.put({
        set_id: setId,
        user_id: user.id,
        epoch,
        key_id: key.keyId,
        sealed: key.sealed,
        created_at: now,
      })
    }
  })
}

/** Refuses a set that is not signed by the wallet's key: a login alone must not be enough to add one. */
async function assertSigned(set: v.InferOutput<typeof StageBody>) {
  const signer = await recoverAddress({
    hash: keccak256(stringToBytes(setText(set))),
    signature: set.signature as `0x${string}`,
  }).catch(() => undefined)
  if (signer !== set.eip155)
    throw new FrameError(403, {
      field: 'signature',
      description: 'the set is not signed by the key of the wallet',
      code: 'wrong_signature',
    })
}

/** `POST /api/wallet/staged` */
export function postStaged(service: FrameService) {
  const { store } = service
  return withNonce(service, SetBody, async ({ body, deviceId, user }): Promise<StagedResponse> => {
    const sets = await store.listSets(user.id)
    const set = sets.find(
      (it) => it.id === body.setId && it.device_id === deviceId && it.committed_at === null,
    )
    if (!set) throw missingSet()
    return {
      authShare: openShare(service, set),
      recoveryShare: set.recovery_share,
      wraps: JSON.parse(set.wraps) as KeyWrap[],
    }
  })
}

/** `POST /api/wallet/commit` */
export function postCommit(service: FrameService) {
  const { context, escrow, store } = service
  return withNonce(service, SetBody, async ({ body, deviceId, session, user }) => {
    const now = context.now()
    const { outcome, deleted } = await store.commitSet({
      userId: user.id,
      deviceId,
      setId: body.setId,
      now,
    })
    if (outcome === 'no_set') throw missingSet()
    if (outcome === 'wallet_exists') throw existingWallet()
    if (outcome === 'epoch_changed') throw changedEpoch()
    await escrow.delete(deleted)
    await store.addAudit({
      user_id: user.id,
      at: now,
      event: user.eip155 === null ? 'wallet_created' : 'shares_changed',
      device_name: await deviceName(service, user.id, deviceId),
      origin: session.origin,
    })
  })
}

/** `POST /api/wallet/share` */
export function postShare(service: FrameService) {
  const { store } = service
  return withNonce(service, Empty, async ({ deviceId, user }): Promise<ShareResponse> => {
    const set = findCurrentSet(await store.listSets(user.id), user, deviceId)
    if (!set) throw missingSet()
    return { setId: set.id, epoch: set.epoch, authShare: openShare(service, set) }
  })
}

/** `POST /api/wallet/recovery` */
export function postRecovery(service: FrameService) {
  const { store } = service
  return withFreshLogin(service, RecoveryBody, async (call): Promise<RecoveryResponse> => {
    const { body, deviceId, user } = call
    const sets = await store.listSets(user.id)
    if (findCurrentSet(sets, user, deviceId))
      throw new FrameError(409, {
        field: 'setId',
        description: 'this device has a set of shares',
        code: 'set_exists',
      })
    const set = sets.find(
      ({ id, committed_at }) => committed_at !== null && !body.skip.includes(id),
    )
    if (!set) throw missingSet()
    await takeRecovery(service, call, 'recovery')
    return {
      setId: set.id,
      epoch: set.epoch,
      authShare: openShare(service, set),
      recoveryShare: set.recovery_share,
      wraps: JSON.parse(set.wraps) as KeyWrap[],
      isAutomatic: set.is_automatic === 1,
    }
  })
}

/** `POST /api/wallet/escrow` */
export function postEscrow(service: FrameService) {
  const { escrow, store } = service
  return withFreshLogin(service, SetBody, async (call): Promise<EscrowResponse> => {
    const { body, user } = call
    const sets = await store.listSets(user.id)
    const set = sets.find(({ id, committed_at }) => id === body.setId && committed_at !== null)
    const key = set && (await escrow.find(set.id, user.id))
    if (!key)
      throw new FrameError(404, {
        field: 'setId',
        description: 'there is no recovery key for this set',
        code: 'no_recovery_key',
      })
    await takeRecovery(service, call, 'escrow')
    const bound = [user.id, set.id, key.epoch] as const
    return { recoveryKey: escrow.keys.open('recovery key', bound, toSealed(key)) }
  })
}

/** Counts the release of shares to another device, and notifies the user. */
async function takeRecovery(
  { context, store }: FrameService,
  { deviceId, session, user }: SessionCall<unknown>,
  event: 'recovery' | 'escrow',
) {
  const now = context.now()
  const { waitMs } = await store.takeUse({
    key: `${event} ${user.id}`,
    max: limits.recoveriesPerDay,
    windowMs: dayMs,
    gapMs: 0,
    now,
  })
  if (waitMs > 0) throw tooMany('too_many_recoveries', waitMs)
  const device = (await store.findDevice(user.id, deviceId))?.name ?? null
  const { origin } = session
  await store.addAudit({ user_id: user.id, at: now, event, device_name: device, origin })
  if (user.email === null) return
  const project = await context.projects.get(session.project_id)
  context.mailer.send(
    recoveryMail({
      to: user.email,
      brand: brandOf(project),
      origin,
      device: device ?? 'Browser',
      at: now,
    }),
  )
}

async function deviceName({ store }: FrameService, userId: string, deviceId: string) {
  return (await store.findDevice(userId, deviceId))?.name ?? null
}

function openShare({ keys }: FrameService, set: SetWithShare): string {
  return keys.open('auth share', [set.user_id, set.id, set.epoch], toSealed(set))
}

const toSealed = ({ key_id, sealed }: { key_id: string; sealed: string }): Sealed => ({
  keyId: key_id,
  sealed,
})

function missingSet() {
  return new FrameError(404, {
    field: 'setId',
    description: 'there is no such set of shares',
    code: 'no_set',
  })
}

function existingWallet() {
  return new FrameError(409, {
    field: 'eip155',
    description: 'the user has a wallet with other addresses',
    code: 'wallet_exists',
  })
}

function changedEpoch() {
  return new FrameError(409, {
    field: 'epoch',
    description: 'the user has signed out everywhere since',
    code: 'epoch_changed',
  })
}
