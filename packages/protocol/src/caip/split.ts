// This file must not import anything. If it imported an error class, Rolldown would split the protocol
// client into three files that a page always loads together.

/**
 * Splits a CAIP-2 id in any namespace.
 *
 * @returns `undefined` unless there are exactly two parts.
 */
export function splitNetworkId(
  value: string,
): { namespace: string; reference: string } | undefined {
  const [namespace, reference, ...rest] = value.split(':')
  return namespace && reference && rest.length === 0 ? { namespace, reference } : undefined
}

/**
 * Splits a CAIP-10 account in any namespace.
 *
 * @returns `undefined` unless there are exactly three parts.
 */
export function splitAddress(
  value: string,
): { namespace: string; reference: string; address: string } | undefined {
  const [namespace, reference, address, ...rest] = value.split(':')
  return namespace && reference && address && rest.length === 0
    ? { namespace, reference, address }
    : undefined
}
