import { useEffect, useRef, useState } from 'react'

import { limits } from '@gatefold/protocol'

import { swap } from '../../../core/money/swap/swap.ts'
import type { SwapOrder, SwapStep } from '../../../core/money/swap/swap.ts'
import { showToast } from '../../../core/notifications/showToast.ts'
import { useInstance } from '../../../react/context.ts'
import { useRefreshTokens } from '../../../react/queries.ts'

/** A swap that the visitor has confirmed: its step, or how it ended. */
export type SwapRun = { order: SwapOrder } & (
  | {
      status: SwapStep
      hash: string | undefined
      hasApproved: boolean
      /** Whether the wallet has not responded for a minute. */
      isSilent: boolean
    }
  | { status: 'done'; hash: string }
  | {
      status: 'failed'
      error: unknown
      /** The transaction that was sent last, if one was. */
      hash: string | undefined
      /** Whether an approval was confirmed. */
      hasApproved: boolean
    }
)

/**
 * Runs a swap and follows it. It goes on if the visitor leaves the view; a toast then reports the result.
 *
 * @param texts - the toasts after a swap, and after a failure
 */
export function useSwapRun(texts: { done: string; failed: string }): {
  run: SwapRun | undefined
  start: (order: SwapOrder) => void
  reset: () => void
} {
  const kit = useInstance()
  const refreshTokens = useRefreshTokens()
  const [run, setRun] = useState<SwapRun>()
  const isMounted = useRef(false)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])

  async function follow(order: SwapOrder): Promise<void> {
    let hash: string | undefined
    let last: SwapStep | undefined
    let hasApproved = false
    let stopWaiting = () => {}
    const onStep = (status: SwapStep, sent?: string) => {
      stopWaiting()
      hash = sent
      hasApproved ||= last === 'approving'
      last = status
      setRun({ status, order, hash, hasApproved, isSilent: false })
      if (!sent)
        stopWaiting = kit.later(
          () => setRun((now) => (now?.status === status ? { ...now, isSilent: true } : now)),
          limits.walletSilenceMs,
        )
    }
    try {
      hash = await swap(kit, order, onStep)
      setRun({ status: 'done', order, hash })
      if (!isMounted.current) showToast(kit, 'success', texts.done)
    } catch (error) {
      setRun({ status: 'failed', order, error, hash, hasApproved })
      if (!isMounted.current) showToast(kit, 'error', texts.failed)
    } finally {
      stopWaiting()
    }
    if (hash) await refreshTokens()
  }

  return {
    run,
    start: (order) => void follow(order),
    reset: () => setRun(undefined),
  }
}
