/** The lazy chunk of the receive views. */
export { WalletCompatibleNetworks } from '../views/receive/WalletCompatibleNetworks.tsx'
export { WalletReceive } from '../views/receive/WalletReceive.tsx'
