import { createEmbedded } from '../connectors/embeddedWallet/embedded.ts'
import type { ConnectorFactory } from '../core/connection/Connector.ts'

export { FrameError } from '../connectors/embeddedWallet/FrameError.ts'
export { updateEmail } from '../connectors/embeddedWallet/updateEmail.ts'
export type {
  SolanaAccount,
  SolanaAccounts,
  SolanaFeatures,
  SolanaMessageInput,
  SolanaMessageOutput,
  SolanaSendInput,
  SolanaSendOptions,
  SolanaTransactionInput,
  SolanaWallet,
} from '../connectors/embeddedWallet/SolanaWallet.ts'

/**
 * Creates the connector of email and social logins, whose wallets are in the secure frame at `endpoints.frame`.
 *
 * @example
 * import { createGatefold } from '@gatefold/kit'
 * import { embedded } from '@gatefold/kit/embedded'
 * import { mainnet } from 'viem/chains'
 *
 * createGatefold({
 *   connectors: [embedded()],
 *   endpoints: { frame: 'https://frame.my.site', gateway: 'https://gate.my.site' },
 *   metadata: { name: 'My site', description: 'What it does', url: 'https://my.site', icons: [] },
 *   networks: [mainnet],
 * })
 */
export function embedded(): ConnectorFactory {
  return (context) =>
    createEmbedded(context, async () => (await import('./chunks/embeddedViews.ts')).embeddedViews)
}
