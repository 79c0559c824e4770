import { walletConnect } from '../connectors/walletConnect/walletConnect.ts'
import { createKit } from '../core/kit/createKit.ts'
import type { Kit } from '../core/kit/Kit.ts'
import type { GatefoldOptions } from '../core/kit/options.ts'

/**
 * Makes a Gatefold instance. No network is touched and nothing is loaded before the visitor acts,
 * but for restoring a wallet that was connected before.
 *
 * @throws {OptionsError} when an option cannot work; the message names it
 * @example
 * const kit = createGatefold({
 *   metadata: { name: 'Book of Ethereum', description: '…', url: 'https://book.example', icons: [] },
 *   networks: [mainnet],
 *   adapters: [evm()],
 * })
 * const account = await kit.open()
 */
export function createGatefold(options: GatefoldOptions): Kit {
  return createKit(options, {
    loadGateway: async (parameters) =>
      (await import('../clients/gateway.ts')).createGatewayClient(parameters),
    connectors: [walletConnect],
  })
}
