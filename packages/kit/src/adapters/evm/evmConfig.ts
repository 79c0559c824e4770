import type { Config } from '@wagmi/core'

import { AdapterNotFoundError } from '../../core/kit/errors.ts'
import { instanceOf } from '../../core/kit/Kit.ts'
import type { Kit } from '../../core/kit/Kit.ts'
import type { EvmAdapter } from './context.ts'

/**
 * The wagmi config of an instance, for `<WagmiProvider config={…} reconnectOnMount={false}>` and
 * for wagmi's own actions.
 *
 * @throws {AdapterNotFoundError} the instance has no `evm()`
 * @example <WagmiProvider config={evmConfig(kit)} reconnectOnMount={false}>…</WagmiProvider>
 */
export function evmConfig(kit: Kit): Config {
  const adapter = instanceOf(kit).adapters.get('eip155') as Partial<EvmAdapter> | undefined
  if (!adapter?.config) throw new AdapterNotFoundError('eip155')
  return adapter.config
}
