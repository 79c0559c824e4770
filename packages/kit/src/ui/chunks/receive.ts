/** The lazy chunk of the views to receive tokens. */
export { WalletCompatibleNetworks } from '../views/receive/WalletCompatibleNetworks.tsx'
export { WalletReceive } from '../views/receive/WalletReceive.tsx'
