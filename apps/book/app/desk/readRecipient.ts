import { isAddress } from 'viem/utils'
import type { Address } from '../wallet/wallet.ts'
import type { Read } from './parseAmount.ts'

/**
 * Reads to whom something is sent: an address, or a name that is looked up.
 *
 * @param findName - Brings the address of a name; undefined where there is none.
 */
export async function readRecipient(
  text: string,
  findName: (name: string) => Promise<Address | undefined>,
): Promise<Read<Address>> {
  const trimmed = text.trim()
  if (trimmed === '') return { problem: 'Message who to send it to.' }
  if (/^0x/i.test(trimmed)) return readAddress(trimmed)
  if (!/^[^\s.]+(\.[^\s.]+)+$/.test(trimmed)) {
    return { problem: 'An address starts with 0x, a name has a dot in it.' }
  }
  const found = await findName(trimmed).catch(() => null)
  if (found === null) return { problem: 'Names cannot be looked up right now. Use the address.' }
  return found ? { value: found } : { problem: `Nobody is called ${trimmed} on this network.` }
}

function readAddress(text: string): Read<Address> {
  const digits = text.length - 2
  if (digits < 40) {
    return { problem: 'This address is too short. It has 40 characters after 0x.' }
  }
  if (digits > 40) {
    return { problem: 'This address is too long. It has 40 characters after 0x.' }
  }
  if (isAddress(text)) return { value: text }
  const spelled = isAddress(text, { strict: false })
  return {
    problem: spelled
      ? 'This address has a slip in it: its capital letters do not add up. Copy it again.'
      : 'An address has only the digits 0 to 9 and the letters a to f after 0x.',
  }
}
