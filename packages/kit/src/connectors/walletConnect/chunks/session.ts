/** The lazy chunk of the WalletConnect client, loaded for a new pairing or a stored session. */
export { createClient } from '../createClient.ts'
