import type { FrameUser, RecoveryMethod } from '@gatefold/protocol/frame'
import { maySeePasskeys } from '../custody/passkeys.ts'
import type { Store } from '../store/createStore.ts'
import type { Screens } from './createScreens.ts'

/** How many accounts of this device are remembered. */
const maxUsers = 20

/**
 * Offers a passkey to a user whose wallet has only automatic recovery. Each
 * account is asked once per device; the settings offer the same.
 *
 * @param options.methods - the recovery methods that the project offers.
 * @see docs/custody.md#recovery-methods
 */
export async function offerPasskey(options: {
  user: FrameUser
  methods: readonly RecoveryMethod[]
  store: Store
  screens: Screens
}): Promise<void> {
  const { user, methods, store, screens } = options
  const { recovery, email, userName } = user
  // Without either, the user logs in with a passkey. Since that is not a recovery method, it has no PRF.
  if (email === null && userName === null) return
  const isAlone = recovery?.isAutomatic && recovery.passkeys === 0 && !recovery.hasPassword
  if (!isAlone || !methods.includes('passkey') || !(await maySeePasskeys())) return
  const asked = (await store.get<string[]>('offers')) ?? []
  if (asked.includes(user.id)) return
  // Stored before the card is shown, so that a reload does not ask again.
  await store.set('offers', [...asked, user.id].slice(-maxUsers))
  await screens.show({ name: 'offer', user })
}
