import { limits } from '@gatefold/protocol'

import { getCapabilities } from '../../account/sign.ts'
import { instanceOf } from '../../kit/Kit.ts'
import type { Kit } from '../../kit/Kit.ts'
import type { Network } from '../../networks/Network.ts'

/**
 * Whether the connected wallet executes batches atomically. An approval and the
 * call that needs it then require one confirmation, and no approval is left if
 * the call fails. False for a wallet that would first have to upgrade the
 * account (`ready`), that does not respond in time, or that does not support
 * the request.
 *
 * @see EIP-5792, `wallet_getCapabilities`
 */
export async function canBatch(kit: Kit, network: Network): Promise<boolean> {
  let cancel = () => {}
  const late = new Promise<undefined>((resolve) => {
    cancel = instanceOf(kit).later(() => resolve(undefined), limits.walletCapabilitiesMs)
  })
  try {
    const reading = getCapabilities(kit, { namespace: network.chainNamespace })
    return isAtomic(await Promise.race([reading, late]), network)
  } catch {
    // Wallets without EIP-5792 reject the request in many ways.
    return false
  } finally {
    cancel()
  }
}

/** The capabilities of chain 0 are those of every chain. */
function isAtomic(capabilities: Record<string, unknown> | undefined, { id }: Network): boolean {
  return Object.entries(capabilities ?? {}).some(([chainId, value]) => {
    if (Number(chainId) !== Number(id) && Number(chainId) !== 0) return false
    const { atomic } = (value ?? {}) as { atomic?: { status?: unknown } | null }
    return atomic?.status === 'supported'
  })
}
