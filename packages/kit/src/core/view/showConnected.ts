import type { Kit } from '../kit/Kit.ts'
import { toastOf } from '../notifications/toasts.ts'
import { reset } from './navigate.ts'

/**
 * Where the modal goes once a wallet has connected: back to the list of wallets it was started from,
 * to the account where it stands in the page, else away.
 *
 * @param parameters.wallet - what the wallet is called
 * @param parameters.fromWallets - whether the visitor came from the list of linked wallets
 */
export function showConnected(
  kit: Kit,
  parameters: { wallet: string; fromWallets: boolean },
): void {
  const { wallet, fromWallets } = parameters
  if (fromWallets) {
    reset(kit, { name: 'ProfileWallets' })
    kit.toast('success', toastOf('toast.connected', { wallet }))
  } else if (kit.getState().view.embedded) reset(kit, { name: 'Account' })
  else kit.close()
}
