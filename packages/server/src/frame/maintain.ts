import type { FrameService } from './service.ts'

const dayMs = 86_400_000

/** Deletes what has expired, and encrypts shares under the first key that are encrypted under another one. */
export async function maintain(service: FrameService): Promise<void> {
  const { context, escrow, store } = service
  const now = context.now()
  await store.deleteExpired({ now, auditBefore: now - 365 * dayMs })
  await store.deleteExpiredHandovers(now)
  await escrow.delete(await store.deleteStagedSets(now - dayMs))
  await renewShares(service)
}

/** A process that has only the previous key yet could not decrypt them: a new key is added to all processes first. */
async function renewShares({ keys, store }: FrameService): Promise<void> {
  const [first] = keys.ids
  for (;;) {
    const shares = await store.listSharesOfOtherKeys(first!)
    if (shares.length === 0) return store.keepKeyId(first!)
    for (const share of shares) {
      const bound = [share.user_id, share.set_id, share.epoch] as const
      const text = keys.open('auth share', bound, { keyId: share.key_id, sealed: share.sealed })
      const { keyId, sealed } = keys.seal('auth share', bound, text)
      await store.replaceShare({ ...share, key_id: keyId, sealed })
    }
  }
}
