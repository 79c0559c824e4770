import { defaultStorage, type KeyValueStorage } from '../storage/storage.ts'
import type { KitInstance } from '../kit/Kit.ts'

/** How many addresses are kept. */
const maxRecipients = 50
/** Number of digits at either end that people compare. */
const comparedDigits = 4

/**
 * The addresses to which the visitor has sent on this site, newest first. Used
 * only to mark addresses as new and to find look-alikes, because another script
 * of the page could add addresses. Stored in `localStorage`, because a cookie
 * would send them to the server.
 */
export function readRecipients(
  kit: KitInstance,
  storage: KeyValueStorage = defaultStorage(),
): readonly string[] {
  try {
    const list: unknown = JSON.parse(storage.getItem(keyOf(kit)) ?? '[]')
    return Array.isArray(list)
      ? list.filter((item) => typeof item === 'string').slice(0, maxRecipients)
      : []
  } catch {
    return []
  }
}

/** Adds an address to the ones to which the visitor has sent. */
export function addRecipient(
  kit: KitInstance,
  address: string,
  storage: KeyValueStorage = defaultStorage(),
): void {
  const rest = readRecipients(kit, storage).filter((known) => known !== address)
  try {
    storage.setItem(keyOf(kit), JSON.stringify([address, ...rest].slice(0, maxRecipients)))
  } catch {
    // Without storage, the address is marked as new the next time.
  }
}

/**
 * Finds a known address that has the same first and last digits. Attackers
 * create look-alike addresses and place them in a visitor's history, so that
 * the visitor copies the wrong one.
 *
 * @see docs/threats.md#look-alike-addresses
 */
export function findLookAlike(address: string, known: readonly string[]): string | undefined {
  const ends = (text: string) => {
    const digits = text.toLowerCase().replace(/^0x/, '')
    return digits.slice(0, comparedDigits) + digits.slice(-comparedDigits)
  }
  const lower = address.toLowerCase()
  if (known.some((one) => one.toLowerCase() === lower)) return undefined
  return known.find((one) => ends(one) === ends(address))
}

const keyOf = (kit: KitInstance) => `${kit.options.storageKey}.recipients`
