import type { Kit } from '../kit/Kit.ts'
import { walletConnectId } from './WalletConnect.ts'
import type { WalletConnect } from './WalletConnect.ts'

/** What reaches wallets on other devices; nothing where the site has a connector of its own for them. */
export function walletConnectOf(kit: Kit): WalletConnect | undefined {
  const isTheirs = kit
    .getState()
    .connectors.some(({ id, type }) => id === walletConnectId && type !== 'WALLET_CONNECT')
  return isTheirs ? undefined : kit.walletConnect
}
