/** The id of the connector. Spelled as wagmi spells it. */
export const walletConnectId = 'walletConnect'
