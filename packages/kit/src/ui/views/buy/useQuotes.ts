import { useEffect, useState } from 'react'

import { limits } from '@gatefold/protocol'

import type { OnrampQuotes, OnrampRequest } from '../../../core/money/onramp/onramp.ts'
import { useKitOnrampQuotes } from '../../../react/onramp.ts'
import { useDebounced } from '../../../react/useDebounced.ts'

/** The providers' prices for exactly this purchase, refreshed while a component uses them. */
export function useQuotes(request: OnrampRequest | undefined): {
  /** Undefined until they are known, and once they have expired. */
  quotes: OnrampQuotes | undefined
  isFailed: boolean
  /** Seconds until they are refreshed; undefined without quotes. */
  seconds: number | undefined
  refresh: () => void
} {
  const wanted = useDebounced(request?.amount, limits.quoteDelayMs)
  const isCurrent = Boolean(request) && wanted === request?.amount
  const { data, dataUpdatedAt, isError, refetch } = useKitOnrampQuotes(
    isCurrent ? request : undefined,
  )
  const now = Math.max(useNow(), dataUpdatedAt)
  const isFresh = data && now - dataUpdatedAt < limits.onrampQuoteMs
  const left = dataUpdatedAt + limits.onrampRefreshMs - now
  return {
    quotes: isCurrent && isFresh ? data : undefined,
    isFailed: isCurrent && isError && !isFresh,
    seconds: isFresh ? Math.max(0, Math.ceil(left / 1_000)) : undefined,
    refresh: () => void refetch(),
  }
}

/** The time, updated every second. */
function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
