// This file has no imports. With an error class, Rolldown would split the protocol client into three files,
// all of which a page loads at once.

/**
 * Splits a CAIP-2 id of any namespace.
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
 * Splits a CAIP-10 account of any namespace.
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
