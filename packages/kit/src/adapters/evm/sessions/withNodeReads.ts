import type { EIP1193Provider } from 'viem'

import { ProviderRpcError } from '../../../core/connection/ProviderRpcError.ts'
import { findNetwork } from '../connection/lookups.ts'
import type { Evm } from '../context.ts'

/** Methods that the wallet handles; the RPC endpoints handle all others. @see spec §6.3.1, §7.13 */
const walletMethods =
  /^(?:personal_\w+|wallet_\w+|net_version|eth_(?:sign\w*|sendTransaction|accounts|requestAccounts|chainId))$/

/** URLs that `fetch` cannot request, such as WebSocket URLs. URLs without a scheme are relative. */
const foreignScheme = /^(?!https?:)[a-z][a-z\d+.-]*:/i

/** Wraps a session's provider to send reads to the configured RPC endpoints. @see EIP-1193; spec §8.9.5–9 */
export function withNodeReads(evm: Evm, wallet: EIP1193Provider): EIP1193Provider {
  async function read(method: string, params: unknown): Promise<unknown> {
    const id = Number(await wallet.request({ method: 'eth_chainId' }))
    const network = findNetwork(evm, id)
    if (!network) throw new ProviderRpcError(4901, `JSON-RPC provider for eip155:${id} not found`)
    const isOwn = Boolean(evm.options.config ?? evm.options.transports?.[id])
    const urls = network.rpcUrls.default.http
    if (!isOwn && urls.length === 0)
      throw new ProviderRpcError(4901, `No RPC url provided for chainId: ${id}`)
    if (!isOwn && urls.every((url) => foreignScheme.test(url)))
      throw new ProviderRpcError(
        4901,
        `Provided URL is not compatible with HTTP connection: ${urls[0]}`,
      )
    return evm.config.getClient({ chainId: id }).request({ method, params } as never)
  }
  return {
    request: (async ({ method, params }: { method: string; params?: unknown }) =>
      walletMethods.test(method)
        ? wallet.request({ method, params } as never)
        : read(method, params)) as EIP1193Provider['request'],
    on: wallet.on.bind(wallet),
    removeListener: wallet.removeListener.bind(wallet),
  }
}
