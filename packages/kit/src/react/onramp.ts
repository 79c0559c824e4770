import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query'
import { limits } from '@gatefold/protocol'

import type {
  createOnrampOrder,
  OnrampOrder,
  OnrampQuotes,
  OnrampRequest,
} from '../core/money/onramp/onramp.ts'
import { useInstance } from './context.ts'
import { useAction } from './mutations.ts'
import { useKitQuery } from './queries.ts'

// A separate module, so that pages without these hooks do not load it.

const onramp = () => import('../core/money/onramp/onramp.ts')

/**
 * The providers' prices for a purchase, best first. While a component uses them, they are requested again every 15 s.
 *
 * @param request - the purchase; undefined while it is not complete
 * @example
 * const { data } = useKitOnrampQuotes({ token, currency: 'USD', amount: '250', method: 'card' })
 * return data?.quotes.map(({ id, providerName, receives }) => <p key={id}>{providerName}: {receives}</p>)
 */
export function useKitOnrampQuotes(
  request: OnrampRequest | undefined,
): UseQueryResult<OnrampQuotes> {
  const kit = useInstance()
  return useKitQuery({
    name: 'onrampQuotes',
    key: request ? [request.token.id, request.currency, request.amount, request.method] : [],
    enabled: Boolean(request && kit.options.endpoints.gateway),
    staleTime: limits.onrampRefreshMs,
    retryDelayMs: limits.onrampRefreshMs,
    refreshMs: limits.onrampRefreshMs,
    load: (_, signal) => onramp().then((run) => run.getOnrampQuotes(kit, { ...request!, signal })),
  })
}

/**
 * Creates an order with the terms of a quote, for the active account. The
 * visitor pays at the order's `url`. Open the window for it in the click
 * handler, because browsers block windows that open after a request.
 *
 * @example
 * const { mutateAsync: order } = useKitCreateOnrampOrder()
 * const { id, url } = await order({ quote })
 */
export function useKitCreateOnrampOrder(): UseMutationResult<
  OnrampOrder & { url: string },
  Error,
  createOnrampOrder.Parameters
> {
  return useAction((kit, parameters) =>
    onramp().then((run) => run.createOnrampOrder(kit, parameters)),
  )
}

/**
 * An order and its outcome. While a component uses it, it is requested again every 3 s until it is paid or has failed.
 *
 * @param id - the order's id; undefined while there is none
 * @example
 * const { data } = useKitOnrampOrder(id)
 * if (data?.status === 'paid') return <p>{data.received} {data.symbol}</p>
 */
export function useKitOnrampOrder(id: string | undefined): UseQueryResult<OnrampOrder> {
  const kit = useInstance()
  return useKitQuery({
    name: 'onrampOrder',
    key: [id],
    enabled: Boolean(id && kit.options.endpoints.gateway),
    staleTime: 0,
    retryDelayMs: limits.onrampPollMs,
    refreshMs: nextPollMs,
    load: (_, signal) => onramp().then((run) => run.getOnrampOrder(kit, { id: id!, signal })),
  })
}

/** Time until an order is read again, in ms; undefined once its outcome is known. */
function nextPollMs(order: OnrampOrder | undefined): number | undefined {
  if (order?.status === 'paid' || order?.status === 'failed') return undefined
  return order?.status === 'expired' ? limits.onrampExpiredPollMs : limits.onrampPollMs
}
