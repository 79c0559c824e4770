import { limits } from '@gatefold/protocol'
import {
  methodsText,
  RecoveryBody,
  SetBody,
  setText,
  StageBody,
  type EscrowResponse,
  type KeyWrap,
  type MethodsResponse,
  type RecoveryResponse,
  type ShareResponse,
  type StagedResponse,
} from '@gatefold/protocol/frame'
import type * as v from 'valibot'
import { getAddress, keccak256, recoverAddress, stringToBytes } from 'viem'
import { recoveryMail } from '../mail/templates.ts'
import type { StoredRecovery, StoredSet } from '../storage/frame/sets.ts'
import type { StoredSession } from '../storage/frame/users.ts'
import type { Sealed } from './createKeys.ts'
import { FrameError, tooMany } from './FrameError.ts'
import { noteMethods, notify } from './recovery/notices.ts'
import { Empty, withFreshLogin, withNonce, type SessionCall } from './requests.ts'
import type { FrameService } from './service.ts'
import { findCurrentSet, hashWraps } from './user.ts'

const dayMs = 86_400_000

type SetWithShare = StoredSet & { key_id: string; sealed: string }

/** `POST /api/wallet/stage` @see docs/custody.md#shares */
export function postStage(service: FrameService) {
  const { context, escrow, keys, store } = service
  return withNonce(service, StageBody, async ({ body, deviceId, session, user }) => {
    const { setId, epoch, eip155, solana, smartAccount, wraps, recoveryKey } = body
    if (wraps === undefined && recoveryKey !== undefined)
      throw new FrameError(400, {
        field: 'recoveryKey',
        description: 'recoveryKey needs wraps, because it changes the methods',
      })
    const isKept = async () => (await store.findRecovery(user.id))?.escrow_id != null
    if (
      recoveryKey !== undefined &&
      !(await offersAutomatic(service, session)) &&
      !(await isKept())
    )
      throw new FrameError(403, {
        field: 'recoveryKey',
        description: 'the project does not offer automatic recovery',
        code: 'not_offered',
      })
    assertChecksum('eip155', eip155)
    assertChecksum('smartAccount.owner', smartAccount.owner)
    if (epoch !== user.epoch) throw changedEpoch()
    if (user.eip155 !== null && (user.eip155 !== eip155 || user.solana !== solana))
      throw existingWallet()
    const { smart_account_kind: kind, smart_account_owner: owner } = user
    if (owner !== null && (owner !== smartAccount.owner || kind !== smartAccount.kind))
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
        smart_account_kind: smartAccount.kind,
        smart_account_owner: smartAccount.owner,
        recovery_share: body.recoveryShare,
        recovery_public_key: body.recoveryPublicKey,
        methods_signature: body.methodsSignature ?? null,
        wraps: JSON.stringify(wraps ?? []),
        is_automatic: recoveryKey === undefined ? 0 : 1,
        recovery_id: body.recoveryId ?? setId,
        replaces_version: wraps === undefined ? null : body.version,
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
    if (recoveryKey !== undefined) {
      const key = escrow.keys.seal('recovery key', bound, recoveryKey)
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

/** Refuses an address without the checksum of EIP-55: clients compare addresses as texts. */
function assertChecksum(field: string, address: string) {
  if (getAddress(address) !== address)
    throw new FrameError(400, { field, description: `${field} has a wrong checksum` })
}

/** Whether the project of a session offers automatic recovery, with which the server can restore a wallet. */
async function offersAutomatic({ context }: FrameService, session: StoredSession) {
  const project = await context.projects.get(session.project_id)
  return project?.recovery.includes('automatic') ?? false
}

/**
 * Refuses a set, or recovery methods, that are not signed by the wallet's key: a login alone must not be enough to add
 * them, and devices refuse methods without the signature.
 */
async function assertSigned(set: v.InferOutput<typeof StageBody>) {
  const { eip155, wraps, recoveryId = set.setId, recoveryPublicKey: publicKey } = set
  await assertSigner('signature', eip155, setText(set), set.signature)
  if (wraps === undefined) return
  const isAutomatic = set.recoveryKey !== undefined
  const version = set.version + 1
  const methods = { recoveryId, version, publicKey, isAutomatic, wrapsHash: hashWraps(wraps) }
  await assertSigner('methodsSignature', eip155, methodsText(methods), set.methodsSignature)
}

async function assertSigner(
  field: 'signature' | 'methodsSignature',
  address: string,
  text: string,
  signature: string | undefined,
) {
  const signer = await recoverAddress({
    hash: keccak256(stringToBytes(text)),
    signature: (signature ?? '0x') as `0x${string}`,
  }).catch(() => undefined)
  if (signer !== address)
    throw new FrameError(403, {
      field,
      description: `the ${field} is not of the key of the wallet`,
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
      wraps: set.replaces_version === null ? null : (JSON.parse(set.wraps) as KeyWrap[]),
    }
  })
}

/** `POST /api/wallet/commit` */
export function postCommit(service: FrameService) {
  const { context, escrow, store } = service
  return withNonce(service, SetBody, async ({ body, deviceId, session, user, language }) => {
    const now = context.now()
    const staged = (await store.listSets(user.id)).find(({ id }) => id === body.setId)
    // A repeated commit of another device can delete the key that this change
    // has stored.
    const isChange = staged?.committed_at === null && (staged.replaces_version ?? 0) > 0
    if (isChange && staged.is_automatic && !(await escrow.find(staged.id, user.id)))
      throw changedRecovery()
    const { outcome, set, replaced } = await store.commitSet({
      userId: user.id,
      deviceId,
      setId: body.setId,
      now,
    })
    if (outcome === 'no_set') throw missingSet()
    if (outcome === 'wallet_exists') throw existingWallet()
    if (outcome === 'epoch_changed') throw changedEpoch()
    if (outcome === 'recovery_changed') throw changedRecovery()
    if (set?.replaces_version != null) {
      // Also in a repeated commit, because the key of a removed method must not
      // stay stored.
      const current = await store.findRecovery(user.id)
      await escrow.deleteOthers(user.id, current?.escrow_id ?? null)
      if (replaced && current)
        await noteMethods(
          service,
          { user, session, deviceId, language },
          { before: replaced, recovery: current },
        )
    }
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
    const recovery = await store.findRecovery(user.id)
    const set = sets.find(
      ({ id, committed_at, recovery_id }) =>
        committed_at !== null && recovery_id === recovery?.recovery_id && !body.skip.includes(id),
    )
    if (!set || !recovery) throw missingSet()
    await takeRecovery(service, call, 'recovery')
    return {
      setId: set.id,
      epoch: set.epoch,
      authShare: openShare(service, set),
      recoveryShare: set.recovery_share,
      recoveryPublicKey: set.recovery_public_key,
      ...toMethods(recovery),
    }
  })
}

export function toMethods({
  recovery_id,
  version,
  wraps,
  escrow_id,
  public_key,
  signature,
}: StoredRecovery): MethodsResponse {
  return {
    recoveryId: recovery_id,
    version,
    wraps: JSON.parse(wraps) as KeyWrap[],
    isAutomatic: escrow_id !== null,
    publicKey: public_key,
    signature,
  }
}

/** `POST /api/wallet/methods`: for a change of the methods, which needs the recovery key. */
export function postMethods(service: FrameService) {
  const { store } = service
  return withFreshLogin(service, Empty, async ({ user }): Promise<MethodsResponse> => {
    const recovery = await store.findRecovery(user.id)
    if (!recovery) throw missingSet()
    return toMethods(recovery)
  })
}

/** `POST /api/wallet/escrow` */
export function postEscrow(service: FrameService) {
  const { escrow, store } = service
  return withFreshLogin(service, Empty, async (call): Promise<EscrowResponse> => {
    const { user } = call
    const id = (await store.findRecovery(user.id))?.escrow_id
    const key = id ? await escrow.find(id, user.id) : undefined
    if (!key)
      throw new FrameError(404, {
        field: 'recoveryKey',
        description: 'the wallet has no automatic recovery',
        code: 'no_recovery_key',
      })
    await takeRecovery(service, call, 'escrow')
    const bound = [user.id, key.set_id, key.epoch] as const
    return { recoveryKey: escrow.keys.open('recovery key', bound, toSealed(key)) }
  })
}

/** Counts the release of shares to another device, and notifies the user. */
async function takeRecovery(
  service: FrameService,
  { deviceId, session, user, language }: SessionCall<unknown>,
  event: 'recovery' | 'escrow',
) {
  const { context, store } = service
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
  // If the device has the wallet, this is a change of the methods, and the
  // commit sends the notice.
  if (findCurrentSet(await store.listSets(user.id), user, deviceId)) return
  // A restore releases the shares and the recovery key, and can try several
  // sets; only one mail is sent.
  const notice = await store.takeUse({
    key: `recovery notice ${user.id} ${deviceId}`,
    max: 1,
    windowMs: limits.freshLoginSeconds * 1000,
    gapMs: 0,
    now,
  })
  if (notice.waitMs > 0) return
  await notify(service, { user, session, language }, (mailing) =>
    recoveryMail({ ...mailing, device: device ?? 'Browser', at: now }),
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

function changedRecovery() {
  return new FrameError(409, {
    field: 'version',
    description: 'the recovery methods were changed on another device; try again',
    code: 'recovery_changed',
  })
}

function changedEpoch() {
  return new FrameError(409, {
    field: 'epoch',
    description: 'the user has signed out everywhere since',
    code: 'epoch_changed',
  })
}
