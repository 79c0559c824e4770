import { formatUnits } from 'viem'

import type { Balance } from '../../core/connection/Adapter.ts'
import { NetworkNotFoundError } from '../../core/kit/requestErrors.ts'
import type { Network } from '../../core/networks/Network.ts'
import type { Evm } from './context.ts'

/**
 * The balance of the native currency or of a token. On failure, returns '0.00' ETH, as the specification
 * requires, with `error` set to distinguish an unreachable chain from an empty account.
 *
 * @see spec §3.9.2, §8.11.3
 */
export async function getBalance(
  evm: Evm,
  parameters: { address: string; network: Network; token?: string | undefined },
): Promise<Balance> {
  const { address, network, token } = parameters
  try {
    const { config } = evm
    const chainId = Number(network.id)
    if (!config.chains.some(({ id }) => id === chainId))
      throw new NetworkNotFoundError({ networkId: chainId })
    if (token) {
      const { readTokenBalance } = await import('./chunks/tokenBalance.ts')
      return await readTokenBalance(config.getClient({ chainId }), { address, token })
    }
    // viem's `getBalance` also supports batching, which adds 10 KB.
    const hex = await config
      .getClient({ chainId })
      .request({ method: 'eth_getBalance', params: [address as `0x${string}`, 'latest'] })
    const value = BigInt(hex)
    const { symbol, decimals } = network.nativeCurrency
    return { balance: formatUnits(value, decimals), symbol, value, decimals }
  } catch (error) {
    return { balance: '0.00', symbol: 'ETH', value: 0n, decimals: 18, error }
  }
}
