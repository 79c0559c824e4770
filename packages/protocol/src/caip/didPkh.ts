import { splitAddress } from './split.ts'

const prefix = 'did:pkh:'

/**
 * Splits the issuer of a CACAO: `did:pkh:` followed by a CAIP-10 account in any namespace.
 *
 * @returns `undefined` for any other string.
 * @see CAIP-74; https://github.com/w3c-ccg/did-pkh
 */
export function splitDidPkh(did: string): ReturnType<typeof splitAddress> {
  return did.startsWith(prefix) ? splitAddress(did.slice(prefix.length)) : undefined
}

/** Formats a CAIP-10 account as a `did:pkh`. */
export function formatDidPkh(account: string): string {
  return `${prefix}${account}`
}
