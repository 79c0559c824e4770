/** The lazy chunk of the WalletConnect client, loaded to connect, or to restore a session or an earlier proposal. */
export { createClient } from '../createClient.ts'
