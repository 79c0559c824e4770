/**
 * Splits an address into groups of four characters, which people can compare. The first group also has the
 * remainder, so that it is the longest.
 *
 * @example addressGroups('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266') // ['0xf39F', 'd6e5', '1aad', …, '2266']
 */
export function addressGroups(address: string): readonly string[] {
  const start = 4 + (address.length % 4)
  return [address.slice(0, start), ...(address.slice(start).match(/.{4}/gs) ?? [])]
}
