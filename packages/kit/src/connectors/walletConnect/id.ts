/** The connector's id, the same as in wagmi. */
export const walletConnectId = 'walletConnect'
