import { type Hex, isHash } from 'viem'
import { isRecord } from './chainRpc.ts'

/** The part of `localStorage` that the wallet uses. */
export type WalletStorage = Pick<Storage, 'getItem' | 'setItem'>

/** The wallet state that survives a reload. */
export type PersistedState = {
  /** When each origin received its permission, Unix time in ms. */
  origins: Record<string, number>
  /** Index of the selected account. */
  account: number
  /** Current chain id; `undefined` means the first configured one. */
  chainId: number | undefined
  /** The transactions of the latest atomic batches, by their ids; newest last. */
  batches: Record<string, { chainId: number; hash: Hex }>
}

/**
 * Restores the state from `storage`, and writes it on each `save`.
 *
 * Without a key or a storage, the state is only in memory. Stored values that cannot be parsed are
 * replaced by defaults.
 */
export function persistState(options: {
  key: string | undefined
  storage: WalletStorage | undefined
}): { state: PersistedState; save: () => void } {
  const { key, storage } = options
  const state: PersistedState = { origins: {}, account: 0, chainId: undefined, batches: {} }
  if (key && storage) Object.assign(state, parse(read(storage, key)))
  const save = () => {
    if (!key || !storage) return
    try {
      storage.setItem(key, JSON.stringify({ version: 1, ...state }))
    } catch {
      // The storage is full or blocked: the permission lasts until the page is closed.
    }
  }
  return { state, save }
}

function read(storage: WalletStorage, key: string): string | null {
  try {
    return storage.getItem(key)
  } catch {
    return null
  }
}

function parse(text: string | null): Partial<PersistedState> {
  let value: unknown
  try {
    value = JSON.parse(text ?? 'null')
  } catch {
    return {}
  }
  if (!isRecord(value) || value.version !== 1 || !isRecord(value.origins)) return {}
  const origins: Record<string, number> = {}
  for (const [origin, since] of Object.entries(value.origins)) {
    if (typeof since === 'number') origins[origin] = since
  }
  const batches: PersistedState['batches'] = {}
  for (const [id, batch] of Object.entries(isRecord(value.batches) ? value.batches : {})) {
    if (!isRecord(batch) || !Number.isInteger(batch.chainId)) continue
    if (typeof batch.hash !== 'string' || !isHash(batch.hash)) continue
    batches[id] = { chainId: batch.chainId as number, hash: batch.hash }
  }
  return {
    batches,
    origins,
    account: Number.isInteger(value.account) ? (value.account as number) : 0,
    chainId: Number.isInteger(value.chainId) ? (value.chainId as number) : undefined,
  }
}
