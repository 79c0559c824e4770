import type { FrameUser } from '@gatefold/protocol/frame'
import type { StoredUser } from '../storage/frame/users.ts'
import type { StoredSet } from '../storage/frame/sets.ts'
import type { FrameService } from './service.ts'

/** A user in the form that the frame reads. */
export async function toUser(
  { store }: FrameService,
  user: StoredUser,
  deviceId: string,
): Promise<FrameUser> {
  const { id, email, epoch, eip155, solana } = user
  const sets = eip155 === null ? [] : await store.listSets(id)
  return {
    id,
    email,
    userName: user.user_name,
    epoch,
    wallet:
      eip155 === null || solana === null
        ? null
        : { eip155, solana, setId: findCurrentSet(sets, user, deviceId)?.id ?? null },
  }
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
