import { hash } from 'node:crypto'
import { wrapsText, type FrameUser, type KeyWrap } from '@gatefold/protocol/frame'
import type { StoredSession, StoredUser } from '../storage/frame/users.ts'
import type { StoredSet } from '../storage/frame/sets.ts'
import type { FrameService } from './service.ts'

/** A user in the form that the frame reads. */
export async function toUser(
  { store }: FrameService,
  user: StoredUser,
  session: Pick<StoredSession, 'device_id' | 'needs_code'>,
): Promise<FrameUser> {
  const { id, email, epoch, eip155, solana, smart_account_kind: kind } = user
  const { smart_account_owner: owner } = user
  const sets = eip155 === null ? [] : await store.listSets(id)
  const set = findCurrentSet(sets, user, session.device_id)
  const recovery = eip155 === null ? undefined : await store.findRecovery(id)
  const wraps = recovery ? (JSON.parse(recovery.wraps) as KeyWrap[]) : []
  return {
    id,
    email,
    userName: user.user_name,
    epoch,
    needsCode: session.needs_code === 1 && !set,
    wallet:
      eip155 === null || solana === null
        ? null
        : {
            eip155,
            solana,
            smartAccount: kind === null || owner === null ? null : { kind, owner },
            setId: set?.id ?? null,
          },
    recovery: recovery
      ? {
          recoveryId: recovery.recovery_id,
          version: recovery.version,
          isAutomatic: recovery.escrow_id !== null,
          publicKey: recovery.public_key,
          wrapsHash: hashWraps(wraps),
          signature: recovery.signature,
          // Without a recovery method, a copy of the key decrypts nothing.
          isOutdated:
            recovery.is_outdated === 1 && (wraps.length > 0 || recovery.escrow_id !== null),
          passkeys: wraps.filter(({ method }) => method === 'passkey').length,
          hasPassword: wraps.some(({ method }) => method === 'password'),
        }
      : null,
  }
}

/** SHA-256 of the text of the wraps, base64url. */
export function hashWraps(wraps: readonly KeyWrap[]): string {
  return hash('sha256', wrapsText(wraps), 'base64url')
}

/** A device's committed set of the current epoch. */
export function findCurrentSet<Set extends StoredSet>(
  sets: readonly Set[],
  { epoch }: Pick<StoredUser, 'epoch'>,
  deviceId: string,
): Set | undefined {
  return sets.find(
    (set) => set.device_id === deviceId && set.committed_at !== null && set.epoch === epoch,
  )
}
