import { walletConnect } from '../connectors/walletConnect/walletConnect.ts'
import { createKit } from '../core/kit/createKit.ts'
import type { Kit } from '../core/kit/Kit.ts'
import type { GatefoldOptions } from '../core/kit/options.ts'

/**
 * Creates a Gatefold instance. This sends no requests and loads no code, except to restore a previously
 * connected wallet or to resume a pending connection.
 *
 * @throws {OptionsError} for invalid options; the message names the option
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
    loadGateway: async (parameters) => {
      const module = await import('../clients/gateway.ts')
      return module.createGatewayClient(parameters)
    },
    connectors: [walletConnect],
  }).kit
}
