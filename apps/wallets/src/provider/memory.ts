import { isRecord } from './chainRpc.ts'

/** The part of `localStorage` that the wallet uses. */
export type WalletStorage = Pick<Storage, 'getItem' | 'setItem'>

/** What a wallet remembers from one page load to the next. */
export type Memory = {
  /** When each origin was let in, Unix time in ms. */
  origins: Record<string, number>
  /** Index of the account in use. */
  account: number
  /** Chain id in use; `undefined` means the first configured. */
  chainId: number | undefined
}

/**
 * The wallet's memory, written through to `storage` at each `save`.
 *
 * Without a key or a storage it lasts as long as the object. What cannot be read starts afresh:
 * a demo wallet that refuses to load helps nobody.
 */
export function createMemory(options: {
  key: string | undefined
  storage: WalletStorage | undefined
}): { state: Memory; save: () => void } {
  const { key, storage } = options
  const state: Memory = { origins: {}, account: 0, chainId: undefined }
  if (key && storage) Object.assign(state, parse(read(storage, key)))
  const save = () => {
    if (!key || !storage) return
    try {
      storage.setItem(key, JSON.stringify({ version: 1, ...state }))
    } catch {
      // Storage full or forbidden: the permission then lasts for this page only.
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

function parse(text: string | null): Partial<Memory> {
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
  return {
    origins,
    account: Number.isInteger(value.account) ? (value.account as number) : 0,
    chainId: Number.isInteger(value.chainId) ? (value.chainId as number) : undefined,
  }
}
