import { limits } from '@gatefold/protocol'

import type { KitInstance } from '../../kit/Kit.ts'
import { GatewayError } from '../../kit/requestErrors.ts'
import { getOnrampOrder } from './onramp.ts'
import type { OnrampOrder } from './onramp.ts'

/**
 * Polls an order in the background until it is paid, has failed, has expired or
 * no longer exists.
 *
 * @param onEnd - called with an order that is paid or has failed
 * @returns a function that stops it
 */
export function followOrder(
  kit: KitInstance,
  id: string,
  onEnd: (order: OnrampOrder) => void,
): () => void {
  let isStopped = false
  let cancel = () => {}
  const again = () => {
    cancel = kit.later(() => void read(), limits.onrampPollMs)
  }
  const read = async () => {
    try {
      const order = await getOnrampOrder(kit, { id })
      if (isStopped) return
      if (isEnded(order)) onEnd(order)
      else if (order.status !== 'expired') again()
    } catch (error) {
      const isGone = error instanceof GatewayError && error.status === 404
      if (!isStopped && !isGone) again()
    }
  }
  again()
  return () => {
    isStopped = true
    cancel()
  }
}

/** Whether an order is paid or has failed. */
export function isEnded({ status }: OnrampOrder): boolean {
  return status === 'paid' || status === 'failed'
}
