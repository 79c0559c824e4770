import { CaipAddress } from '@gatefold/protocol'
import { useEffect, useRef } from 'react'

import { getAccount } from '../../../core/connection/account.ts'
import { followOrder, isEnded } from '../../../core/money/onramp/followOrder.ts'
import { forgetOrder } from '../../../core/money/onramp/orders.ts'
import type { OnrampOrder } from '../../../core/money/onramp/onramp.ts'
import type { KitInstance } from '../../../core/kit/Kit.ts'
import { showToast } from '../../../core/notifications/showToast.ts'
import { featureNamespaces } from '../../../data/featureNamespaces.ts'
import { useInstance, useKitContext } from '../../../react/context.ts'
import { queryKey } from '../../../react/queryKey.ts'

/** Stops following an order, by order id. */
const followed = new WeakMap<KitInstance, Map<string, () => void>>()

/**
 * Returns a function that follows an order in the background, after the visitor
 * has left its view. A toast reports the outcome, and the new balances are
 * loaded.
 *
 * @param text - the text of the toast
 */
export function useFollowOrder(text: (order: OnrampOrder) => string): (id: string) => void {
  const kit = useInstance()
  const refreshBalances = useRefreshBalances()
  return (id) => {
    stopFollowing(kit, id)
    const stop = followOrder(kit, id, (order) => {
      showToast(kit, order.status === 'paid' ? 'success' : 'error', text(order))
      if (order.status === 'paid') void refreshBalances(order)
    })
    followed.set(kit, (followed.get(kit) ?? new Map<string, () => void>()).set(id, stop))
  }
}

/**
 * Used by the view of an order: removes the stored order once its outcome is on
 * screen, then loads the new balances. If the visitor leaves earlier, follows
 * the order in the background.
 */
export function useOrderReport(
  id: string,
  order: OnrampOrder | undefined,
  isGone: boolean,
  text: (order: OnrampOrder) => string,
): void {
  const kit = useInstance()
  const refreshBalances = useRefreshBalances()
  const follow = useFollowOrder(text)
  const latest = useRef({ order, follow, refreshBalances })
  useEffect(() => {
    latest.current = { order, follow, refreshBalances }
  })
  useEffect(() => {
    stopFollowing(kit, id)
    return () => {
      const { current } = latest
      if (!current.order || !isEnded(current.order)) current.follow(id)
    }
  }, [kit, id])

  const status = order?.status
  useEffect(() => {
    const { current } = latest
    if (status === 'paid') void current.refreshBalances(current.order!)
    if (isGone || status === 'paid' || status === 'failed' || status === 'expired')
      forgetOrder(kit, id)
  }, [kit, id, status, isGone])
}

function stopFollowing(kit: KitInstance, id: string): void {
  const known = followed.get(kit)
  known?.get(id)?.()
  known?.delete(id)
}

/**
 * Returns a function that refetches the balances of an order's account,
 * bypassing the gateway's cache for tokens. After a failure, the balances stay
 * unchanged.
 */
function useRefreshBalances(): (order: OnrampOrder) => Promise<void> {
  const { kit, queryClient } = useKitContext()
  return async ({ account }) => {
    const { namespace, address } = CaipAddress.safeParse(account) ?? {}
    const active = getAccount(kit.getState(), namespace)
    if (!active || active.address.toLowerCase() !== address?.toLowerCase()) return
    void queryClient.invalidateQueries({ queryKey: queryKey(kit, 'balance') })
    if (!featureNamespaces.tokens.includes(active.namespace)) return
    const { getTokens } = await import('../../../core/money/tokens.ts')
    const { currency } = kit.getState().preferences
    const list = await getTokens(kit, {
      namespace: active.namespace,
      currency,
      refresh: true,
    }).catch(() => undefined)
    const key = queryKey(kit, 'tokens', active.namespace, active.address, currency)
    if (list) queryClient.setQueryData(key, list)
  }
}
