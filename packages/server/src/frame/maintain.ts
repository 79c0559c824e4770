import type { FrameService } from './service.ts'

const dayMs = 86_400_000

/**
 * Deletes expired rows. Re-encrypts shares and escrowed recovery keys that are not encrypted under the first key.
 */
export async function maintain(service: FrameService): Promise<void> {
  const { context, escrow, store } = service
  const now = context.now()
  await store.deleteExpired({ now, auditBefore: now - 365 * dayMs })
  await store.deleteExpiredHandovers(now)
  await escrow.delete(await store.deleteStagedSets(now - dayMs))
  await renewShares(service)
  await renewEscrow(service)
  await settleSponsored(service)
}

/** Credits back the unused cost of sponsored operations. */
async function settleSponsored(service: FrameService): Promise<void> {
  const { config, log } = service.context
  for (const [chain, { paymaster }] of Object.entries(config.smartAccounts)) {
    if (!paymaster) continue
    // Loaded lazily, because it imports viem, which nothing else in the frame
    // needs.
    const { settleOperations } = await import('./sponsor/settle.ts')
    await settleOperations(service, chain).catch((error: unknown) => {
      log.warn({ err: error, chain }, 'reading the cost of sponsored operations failed')
    })
  }
}

/**
 * A process that still has only the previous key could not decrypt these
 * shares; therefore, operators first add a new key to all processes.
 */
async function renewShares({ keys, store }: FrameService): Promise<void> {
  const [first] = keys.ids
  for (;;) {
    const shares = await store.listSharesOfOtherKeys(first!)
    if (shares.length === 0) return store.keepKeyId(first!)
    for (const share of shares) {
      const bound = [share.user_id, share.set_id, share.epoch] as const
      const text = keys.open('auth share', bound, { keyId: share.key_id, sealed: share.sealed })
      const { keyId, sealed } = keys.seal('auth share', bound, text)
      await store.renewShare(share, { key_id: keyId, sealed })
    }
  }
}

/** The same for the recovery keys in the escrow store, which has its own key. */
async function renewEscrow({ escrow }: FrameService): Promise<void> {
  const [first] = escrow.keys.ids
  if ((await escrow.listKeyIds()).every((id) => id === first)) return
  for (;;) {
    const rows = await escrow.listOtherKeys(first!)
    if (rows.length === 0) return
    for (const row of rows) {
      const bound = [row.user_id, row.set_id, row.epoch] as const
      const text = escrow.keys.open('recovery key', bound, {
        keyId: row.key_id,
        sealed: row.sealed,
      })
      const { keyId, sealed } = escrow.keys.seal('recovery key', bound, text)
      await escrow.renew(row, { key_id: keyId, sealed })
    }
  }
}
