import { splitAddress } from './split.ts'

const prefix = 'did:pkh:'

/**
 * Splits the issuer of a CACAO, `did:pkh:` and a CAIP-10 account of any namespace.
 *
 * @returns `undefined` for other texts.
 * @see CAIP-74; https://github.com/w3c-ccg/did-pkh
 */
export function splitDidPkh(did: string): ReturnType<typeof splitAddress> {
  return did.startsWith(prefix) ? splitAddress(did.slice(prefix.length)) : undefined
}

/** `did:pkh:` and a CAIP-10 account. */
export function formatDidPkh(account: string): string {
  return `${prefix}${account}`
}
