import type { KitInstance } from '../kit/Kit.ts'
import { showToast } from '../notifications/showToast.ts'
import { toastOf } from '../notifications/toasts.ts'
import { reset } from './navigate.ts'

/**
 * Shows the result of a connection. Goes back to the list of connected wallets if the visitor came from
 * there, shows Account in embedded mode, and otherwise closes the modal.
 *
 * @param parameters.wallet - the wallet's name
 * @param parameters.fromWallets - whether the visitor came from the list of connected wallets
 */
export function showConnected(
  kit: KitInstance,
  parameters: { wallet: string; fromWallets: boolean },
): void {
  const { wallet, fromWallets } = parameters
  if (fromWallets) {
    reset(kit, { name: 'ProfileWallets' })
    showToast(kit, 'success', toastOf('toast.connected', { wallet }))
  } else if (kit.getState().view.embedded) reset(kit, { name: 'Account' })
  else kit.close()
}
