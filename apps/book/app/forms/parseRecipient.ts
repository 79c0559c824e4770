import { isAddress } from 'viem/utils'
import type { Address } from '../wallet/wallet.ts'
import type { Parsed } from './parseAmount.ts'

/**
 * Parses a recipient: an address, or a name to resolve.
 *
 * @param findName - Resolves a name; undefined if it has no address.
 */
export async function parseRecipient(
  text: string,
  findName: (name: string) => Promise<Address | undefined>,
): Promise<Parsed<Address>> {
  const trimmed = text.trim()
  if (trimmed === '') return { problem: 'Enter an address or a name.' }
  if (/^0x/i.test(trimmed)) return parseAddress(trimmed)
  if (!/^[^\s.]+(\.[^\s.]+)+$/.test(trimmed)) {
    return { problem: 'Enter an address that starts with 0x, or a name such as mira.eth.' }
  }
  const found = await findName(trimmed).catch(() => null)
  if (found === null)
    return { problem: 'Couldn’t look up this name. Try again, or use an address.' }
  return found
    ? { value: found }
    : { problem: `There’s no address for ${trimmed} on this network.` }
}

function parseAddress(text: string): Parsed<Address> {
  const digits = text.length - 2
  if (digits < 40) {
    return { problem: 'This address is too short. It needs 40 characters after 0x.' }
  }
  if (digits > 40) {
    return { problem: 'This address is too long. It needs 40 characters after 0x.' }
  }
  if (isAddress(text)) return { value: text }
  const isHexAddress = isAddress(text, { strict: false })
  return {
    problem: isHexAddress
      ? 'This address has a typo: its checksum doesn’t match. Copy it again.'
      : 'An address can only contain 0–9 and a–f after 0x.',
  }
}
