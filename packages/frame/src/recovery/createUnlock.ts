import type { FrameLanguage, KeyWrap } from '@gatefold/protocol/frame'
import type { Api } from '../api/createApi.ts'
import { createReceiver, toCheckDigits } from '../custody/handover.ts'
import type { Stretch } from '../custody/createStretch.ts'
import { assertPrf, readPasskey } from '../custody/passkeys.ts'
import {
  unwrapWithPasskey,
  unwrapWithPassword,
  type LockedKey,
  type RecoveryKey,
} from '../custody/wraps.ts'
import { WalletError } from '../wallet/WalletError.ts'

/** Gets the recovery key with a passkey of the visitor. */
export async function unlockWithPasskey({ recoveryId, userId, wraps }: LockedKey) {
  const passkeys = wraps.filter((wrap) => wrap.method === 'passkey')
  const used = await readPasskey(passkeys.map(({ credentialId }) => credentialId))
  const wrap = passkeys.find(({ credentialId }) => credentialId === used.credentialId)
  if (!wrap) throw new WalletError('This passkey belongs to another wallet.', 'frame.passkey_other')
  return unwrapWithPasskey({ id: recoveryId, userId }, wrap, assertPrf(used))
}

/** Gets the recovery key with the visitor's password. */
export async function unlockWithPassword(
  { recoveryId, userId, wraps }: LockedKey,
  password: string,
  stretch: Stretch,
): Promise<RecoveryKey> {
  const wrap = wraps.find((one) => one.method === 'password')
  if (!wrap) throw new WalletError('The wallet has no password.', 'frame.password_none')
  try {
    return await unwrapWithPassword({ id: recoveryId, userId }, wrap, password, stretch)
  } catch {
    throw new WalletError('Wrong password.', 'frame.password_wrong')
  }
}

/**
 * Asks a window of the frame's origin for the recovery key. Passkeys work
 * there, because it is not inside another page.
 *
 * @see docs/custody.md#pages
 */
export async function prepareWindow(options: {
  api: Api
  origin: string
  projectId: string
  language: FrameLanguage
}) {
  const { api, origin, projectId, language } = options
  const receiver = await createReceiver()
  const { handoverId, token } = await api.send('handover/start', {
    publicKey: receiver.publicKey,
  })
  const query = new URLSearchParams({ projectId, locale: language })
  // Not in the query, which servers log.
  const url = `${origin}/restore?${query}#${token}`
  return {
    url,
    digits: await toCheckDigits(receiver.publicKey),
    /** Waits until the window has sent the key. */
    async receive(
      { recoveryId, userId }: LockedKey,
      signal: AbortSignal,
    ): Promise<RecoveryKey | undefined> {
      while (!signal.aborted) {
        const { sealed } = await api.send('handover/take', { handoverId })
        if (sealed !== null) return { id: recoveryId, userId, bytes: await receiver.open(sealed) }
      }
      return undefined
    },
  }
}

/** Whether one of the wraps belongs to a given method. */
export function hasMethod(wraps: readonly KeyWrap[], method: KeyWrap['method']): boolean {
  return wraps.some((wrap) => wrap.method === method)
}
