import type { PasskeyLoginBody } from '@gatefold/protocol/frame'
import type { Api } from '../api/createApi.ts'
import { createPasskey, readPasskey, type UsedPasskey } from '../custody/passkeys.ts'
import { unwrapWithPasskey, wrapWithPasskey } from '../custody/wraps.ts'
import type { Wallet } from '../wallet/createWallet.ts'
import { WalletError } from '../wallet/WalletError.ts'
import { toPasskeyName } from './toPasskeyName.ts'

/**
 * Logs in with a passkey, which also opens the wallet: its PRF unlocks the recovery key.
 *
 * @param options.origin - the page that embeds the frame, or the frame's own origin.
 * @param options.isNew - creates a passkey and a wallet.
 * @param options.signal - cancels the login, unless it has already started a
 *   session.
 * @see docs/custody.md#passkey-login
 */
export async function loginWithPasskey(options: {
  api: Api
  wallet: Wallet
  projectId: string
  origin: string
  isNew: boolean
  signal?: AbortSignal
}): Promise<void> {
  const { api, wallet, projectId, origin, isNew, signal } = options
  const { challenge, userId } = await api.open('passkey/challenge', { projectId, origin })
  const created = isNew
    ? await createPasskey({ userId, userName: toUserName(new Date()), challenge, signal })
    : undefined
  const passkey = created ?? (await readPasskey([], challenge, signal))
  const { session, user } = await api.open('login/passkey', {
    projectId,
    origin,
    passkey: toSigned(created?.created ?? passkey.response),
  })
  signal?.throwIfAborted()
  await api.setSession(session)
  await wallet.prepare(user, async (key) => [
    await wrapWithPasskey(key, toNamed(passkey), Date.now()),
  ])
  const methods = (await wallet.locked())?.methods
  if (!methods) return
  const wrap = methods.wraps.find(
    (one) => one.method === 'passkey' && one.credentialId === passkey.credentialId,
  )
  if (wrap?.method !== 'passkey')
    throw new WalletError(
      'This passkey logs you in, but another method restores the wallet.',
      'frame.passkey_login',
    )
  await wallet.unlock(
    await unwrapWithPasskey({ id: methods.recoveryId, userId: user.id }, wrap, passkey.prf),
  )
}

const toNamed = (passkey: UsedPasskey) => ({
  ...passkey,
  name: toPasskeyName(navigator.userAgent),
})

/** The name in the list of passkeys, which distinguishes several wallets. */
function toUserName(at: Date): string {
  return `Wallet of ${at.toISOString().slice(0, 10)}`
}

/**
 * The response that the server checks. It omits the extension results: the
 * output of the PRF unlocks the wallet.
 */
function toSigned(credential: PublicKeyCredential): PasskeyLoginBody['passkey'] {
  const { id, rawId, response } = credential.toJSON() as PasskeyLoginBody['passkey']
  return {
    id,
    rawId,
    type: 'public-key',
    response,
    clientExtensionResults: {},
  } as PasskeyLoginBody['passkey']
}
