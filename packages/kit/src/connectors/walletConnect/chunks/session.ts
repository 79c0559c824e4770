/** The lazy chunk of the WalletConnect client: loaded for a pairing or a remembered session. */
export { createClient } from '../createClient.ts'
