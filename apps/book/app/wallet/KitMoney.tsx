import { GatewayError, ModalClosedError, type OpenParameters } from '@gatefold/kit'
import {
  useKitActivity,
  useKitIdentity,
  useKitNames,
  useKitNetwork,
  useKitOnramp,
  useKitPendingTransactions,
  useKitTokens,
  useModal,
} from '@gatefold/kit/react'
import type { ReactNode } from 'react'
import {
  MoneyContext,
  type Entry,
  type Latest,
  type Loadable,
  type Money,
  type MoneyView,
} from './money.ts'

/**
 * Implements the page's `Money` with the kit's hooks. Apart from KitWallet, no other component uses these hooks; this one is
 * a separate module, so that the page loads it only for a connected account.
 */
export function KitMoney({ children }: { children: ReactNode }) {
  const { open } = useModal()
  const identity = useKitIdentity()
  const names = useKitNames()
  const money: Money = {
    holdings: useHoldings(),
    latest: useLatest(),
    canBuy: useCanBuy(),
    zone: names.data?.zone,
    hasName: hasName(identity, names),
    open(view) {
      open(toParameters(view)).catch((error: unknown) => {
        // The visitor disconnected in the modal and closed it.
        if (!(error instanceof ModalClosedError)) throw error
      })
    },
  }
  return <MoneyContext value={money}>{children}</MoneyContext>
}

function useHoldings(): Money['holdings'] {
  return toLoadable(useKitTokens(), ({ tokens, currency, total, isPartial }) => ({
    holdings: tokens
      .filter(({ isSpam, units }) => !isSpam && units > 0n)
      .map(({ network, ...token }) => ({ ...token, network: network.name })),
    currency,
    total,
    isPartial,
  }))
}

function useLatest(): Money['latest'] {
  const { network } = useKitNetwork()
  const query = useKitActivity()
  const pending = useKitPendingTransactions()
  return toLoadable(query, ({ pages }): Latest => {
    const listed = pages.flatMap(({ activities }) => activities)
    const hashes = new Set(listed.map(({ hash }) => hash))
    // A completed transaction appears in the server's list only after a moment.
    const own = pending.filter(
      ({ hash, networkId, status }) =>
        networkId === network?.caipNetworkId &&
        !(hash && hashes.has(hash)) &&
        (status === 'pending' || status === 'confirmed' || status === 'failed'),
    )
    const entries = [...own, ...listed.filter(({ isSpam }) => !isSpam)].map(
      ({ id, type, status, time, transfers }): Entry => ({
        id,
        action: type,
        status: status === 'pending' || status === 'failed' ? status : 'confirmed',
        time,
        moves: transfers.map(({ direction, amount, name }) => ({ direction, amount, name })),
      }),
    )
    return { entries, isComplete: !query.hasNextPage }
  })
}

function useCanBuy(): boolean | undefined {
  const { network } = useKitNetwork()
  const { data, isError } = useKitOnramp()
  if (isError && !data) return false
  return data?.tokens.some((token) => token.network.caipNetworkId === network?.caipNetworkId)
}

function hasName(
  identity: ReturnType<typeof useKitIdentity>,
  names: ReturnType<typeof useKitNames>,
): boolean | undefined {
  if (identity.data?.name || (names.data && names.data.names.length > 0)) return true
  return identity.isPending || names.isPending ? undefined : false
}

type Query<data> = {
  data: data | undefined
  error: Error | null
  isError: boolean
  refetch: () => unknown
}

/** Data that was loaded once stays visible when a later request fails. */
function toLoadable<data, value>(
  { data, error, isError, refetch }: Query<data>,
  read: (data: data) => value,
): Loadable<value> {
  if (data !== undefined) return { status: 'known', value: read(data) }
  // A server without the role `money` has no such endpoint.
  if (error instanceof GatewayError && error.status === 404) return { status: 'missing' }
  if (isError) return { status: 'failed', retry: () => void refetch() }
  return { status: 'loading' }
}

function toParameters(view: MoneyView): OpenParameters {
  return 'id' in view ? { view: view.view, data: { id: view.id } } : { view: view.view }
}
