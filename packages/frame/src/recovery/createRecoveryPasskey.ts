import type { FrameUser, KeyWrap } from '@gatefold/protocol/frame'
import { assertPrf, createPasskey, discardPasskey } from '../custody/passkeys.ts'
import { wrapWithPasskey, type RecoveryKey } from '../custody/wraps.ts'
import { toPasskeyName } from './toPasskeyName.ts'

/**
 * Creates a passkey that restores the wallet of a user.
 *
 * @throws {PasskeyError} if the passkey has no PRF: without one, it could not restore the wallet.
 * @param wraps - the current wraps; their passkeys are not offered again.
 * @returns the function that wraps the recovery key with it.
 */
export async function createRecoveryPasskey(
  { id, email, userName }: FrameUser,
  wraps: readonly KeyWrap[] = [],
): Promise<(key: RecoveryKey) => Promise<KeyWrap>> {
  const passkey = await createPasskey({
    userId: id,
    userName: email ?? userName ?? 'Wallet',
    excluded: wraps.flatMap((wrap) => (wrap.method === 'passkey' ? [wrap.credentialId] : [])),
  })
  const { credentialId } = passkey
  if (!passkey.prf) await discardPasskey(credentialId)
  const named = {
    credentialId,
    prf: assertPrf(passkey),
    name: toPasskeyName(navigator.userAgent),
  }
  return (key) => wrapWithPasskey(key, named, Date.now())
}
