import type { KeyValueStore } from './KeyValueStore.ts'

const versionKey = 'wc_storage_version'
/** @see spec §9.10.3 */
const version = 1

/**
 * The keys of official clients. Other scripts of the page may use keys that contain the same words, such as wagmi’s
 * `wagmi.walletConnect.requestedChains`.
 */
const ownKey = /^(wc@|WALLETCONNECT_(CLIENT_ID|DEEPLINK_CHOICE|LINK_MODE_APPS)$)/

/**
 * Moves entries that older official clients stored in localStorage to the new store, once. Entries that the new store
 * already has are newer, so they are kept. An entry is removed from localStorage only after it was stored. An entry
 * that may belong to another script is copied, and also stays in localStorage.
 *
 * @see spec §7.15.1
 */
export async function migrateLocalStorage(from: Storage, to: KeyValueStore): Promise<void> {
  if (Number(await to.getItem(versionKey)) >= version) return
  const keys = Object.keys(from).filter((key) => /wc@|walletconnect|wc_|wallet_connect/i.test(key))
  for (const key of keys) {
    const value = from.getItem(key)
    if (value !== null && (await to.getItem(key)) === undefined) await to.setItem(key, value)
  }
  await to.setItem(versionKey, String(version))
  for (const key of keys) if (ownKey.test(key)) from.removeItem(key)
}
