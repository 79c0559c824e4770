/** The lazy chunk of the views in which a transfer is entered. */
export { WalletSend } from '../views/send/WalletSend.tsx'
export { WalletSendSelectToken } from '../views/send/WalletSendSelectToken.tsx'
