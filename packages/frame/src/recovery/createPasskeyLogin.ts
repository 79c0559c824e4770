import type { PasskeyLoginBody, RecoveryMethod } from '@gatefold/protocol/frame'
import { ApiError } from '../api/ApiError.ts'
import type { Api } from '../api/createApi.ts'
import { createPasskey, discardPasskey, PasskeyError, readPasskey } from '../custody/passkeys.ts'
import { unwrapWithPasskey, wrapWithPasskey } from '../custody/wraps.ts'
import type { Wallet } from '../wallet/createWallet.ts'
import { toPasskeyName } from './toPasskeyName.ts'

type Context = {
  api: Api
  wallet: Wallet
  projectId: string
  /** The page that embeds the frame, or the frame's own origin. */
  origin: string
  /** The recovery methods that the project offers. */
  methods: readonly RecoveryMethod[]
}

/**
 * Creates the login with a passkey, which also opens the wallet if the passkey has a PRF: it unlocks the recovery key.
 *
 * If no passkey with a PRF can be used, the next attempt asks for one without it. That attempt needs another tap of the
 * visitor, because browsers allow one passkey per tap in a document that another page embeds.
 *
 * @returns a function that logs in.
 * @see docs/custody.md#passkey-login
 */
export function createPasskeyLogin(context: Context): (options: {
  /** Creates a passkey and a wallet. */
  isNew: boolean
  /** Cancels the login, unless it has already started a session. */
  signal?: AbortSignal
}) => Promise<{ hasPrf: boolean }> {
  let usesPrf = true
  return async (options) => {
    try {
      return await logIn(context, { ...options, usesPrf })
    } catch (error) {
      const isMissing = error instanceof PasskeyError && error.code === 'frame.passkey_prf'
      const isUseful = !options.isNew || hasOtherMethod(context)
      if (!isMissing || !isUseful || !usesPrf) throw error
      usesPrf = false
      throw new PasskeyError('frame.passkey_retry', error)
    }
  }
}

async function logIn(
  context: Context,
  { isNew, usesPrf, signal }: { isNew: boolean; usesPrf: boolean; signal?: AbortSignal },
): Promise<{ hasPrf: boolean }> {
  const { api, wallet, projectId, origin } = context
  const { challenge, userId } = await api.open('passkey/challenge', { projectId, origin })
  const created = isNew
    ? await createPasskey({
        userId,
        userName: toUserName(new Date()),
        challenge,
        usesPrf,
        signal,
      })
    : undefined
  const passkey = created ?? (await readPasskey([], { challenge, usesPrf, signal }))
  const { credentialId, prf } = passkey
  // The wallet would be lost with the storage of this browser.
  if (isNew && !prf && !hasOtherMethod(context)) {
    await discardPasskey(credentialId)
    throw new PasskeyError('frame.passkey_prf')
  }
  const body = { projectId, origin, passkey: toSigned(created?.created ?? passkey.response) }
  const { session, user } = await api.open('login/passkey', body).catch(async (error: unknown) => {
    // Without an answer, the server may have registered the passkey.
    const isRefused = error instanceof ApiError && error.status >= 400 && error.status < 500
    if (isNew && isRefused) await discardPasskey(credentialId)
    throw error
  })
  signal?.throwIfAborted()
  await api.setSession(session)
  if (!prf) {
    await wallet.prepare(user)
    return { hasPrf: false }
  }
  const named = { credentialId, prf, name: toPasskeyName(navigator.userAgent) }
  await wallet.prepare(user, async (key) => [await wrapWithPasskey(key, named, Date.now())])
  const methods = (await wallet.locked())?.methods
  const wrap = methods?.wraps.find(
    (one) => one.method === 'passkey' && one.credentialId === credentialId,
  )
  // Otherwise, another method restores the wallet before the first approval.
  if (methods && wrap?.method === 'passkey')
    await wallet.unlock(
      await unwrapWithPasskey({ id: methods.recoveryId, userId: user.id }, wrap, prf),
    )
  return { hasPrf: true }
}

const hasOtherMethod = ({ methods }: Context) => methods.some((method) => method !== 'passkey')

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
