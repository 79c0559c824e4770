import type { KeyWrap } from './api.ts'

/**
 * The text whose Keccak-256 hash the wallet's EVM key signs for the recovery methods. A device encrypts a new recovery
 * key, and its own recovery share, only for public keys under this signature. Otherwise, an attacker who can change the
 * database could add a key.
 *
 * @param methods.version - the version of these methods.
 * @param methods.publicKey - the public key of the recovery key.
 * @param methods.wrapsHash - SHA-256 of {@link wrapsText}, base64url.
 * @see docs/contracts/frame-api.md#wallet
 */
export function methodsText({
  recoveryId,
  version,
  publicKey,
  isAutomatic,
  wrapsHash,
}: {
  recoveryId: string
  version: number
  publicKey: string | null
  isAutomatic: boolean
  wrapsHash: string
}): string {
  const automatic = isAutomatic ? 'automatic' : 'not automatic'
  return ['gatefold recovery methods', recoveryId, version, publicKey, automatic, wrapsHash].join(
    '\n',
  )
}

/** The text of the wraps in {@link methodsText}, one per line. */
export function wrapsText(wraps: readonly KeyWrap[]): string {
  return wraps
    .map((wrap) => {
      const id = wrap.method === 'passkey' ? wrap.credentialId : wrap.salt
      return [wrap.method, id, wrap.publicKey ?? ''].join(' ')
    })
    .join('\n')
}
