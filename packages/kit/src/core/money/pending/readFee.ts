import { capability } from '../../connection/Adapter.ts'
import { instanceOf } from '../../kit/Kit.ts'
import type { Kit } from '../../kit/Kit.ts'
import type { Network } from '../../networks/Network.ts'
import { fromUnits } from '../decimal.ts'

/**
 * The fee that an account paid for a transaction in a block, in whole units of the native currency, as a decimal number;
 * undefined if another account paid it, or the network does not know the transaction.
 *
 * @throws {UnsupportedOperationError} the chain family cannot read transactions
 */
export async function readFee(
  kit: Kit,
  { hash, network, account }: { hash: string; network: Network; account: string },
): Promise<string | undefined> {
  const adapter = instanceOf(kit).adapters.get(network.chainNamespace)
  if (!adapter) return undefined
  const pending = await capability(adapter, 'pending', 'readTransaction')
  const state = await pending.readTransaction({ hash, network, address: account })
  return 'fee' in state && state.fee !== undefined
    ? fromUnits(state.fee, network.nativeCurrency.decimals)
    : undefined
}
