import { limits } from '@gatefold/protocol'

import { swap } from '../../../core/money/swap/swap.ts'
import type { SwapOrder, SwapStep } from '../../../core/money/swap/swap.ts'
import { WrongHashError } from '../../../core/kit/requestErrors.ts'
import { showToast } from '../../../core/notifications/showToast.ts'
import { useInstance } from '../../../react/context.ts'
import { useEntryValue } from '../../hooks/useEntryState.ts'
import type { EntryValue } from '../../hooks/useEntryState.ts'

/** What the network has confirmed before the swap: a removed or a new approval. */
export type Confirmed = Extract<SwapStep, 'resetting' | 'approving'> | undefined

/** A swap that the visitor has confirmed: its step, or how it ended. */
export type SwapRun = { order: SwapOrder } & (
  | {
      status: SwapStep
      hash: string | undefined
      confirmed: Confirmed
      /** Whether the wallet has not responded for a minute. */
      isSilent: boolean
    }
  | { status: 'done'; hash: string }
  | {
      status: 'failed'
      error: unknown
      /** The transaction that was sent last, if any. */
      hash: string | undefined
      confirmed: Confirmed
    }
)

const noRun = (): EntryValue<SwapRun | undefined> => ({ value: undefined, listeners: new Set() })

/**
 * Runs a swap. It continues if the visitor leaves the view; toasts then report
 * its transactions, and a failure between them.
 *
 * @param texts - the toasts for such a failure: one if nothing was sent, one if something may have been sent
 */
export function useSwapRun(texts: { failed: string; unknown: string }): {
  run: SwapRun | undefined
  start: (order: SwapOrder) => void
  reset: () => void
} {
  const kit = useInstance()
  const [run, setRun, isShown] = useEntryValue(noRun)

  async function start(order: SwapOrder): Promise<void> {
    let hash: string | undefined
    let last: SwapStep | undefined
    let confirmed: Confirmed
    let stopWaiting = () => {}
    const onStep = (status: SwapStep, sent?: string) => {
      stopWaiting()
      hash = sent
      if (last === 'resetting' || last === 'approving') confirmed = last
      last = status
      setRun({ status, order, hash, confirmed, isSilent: false })
      if (isAsked(status))
        stopWaiting = kit.later(
          () => setRun((now) => (now?.status === status ? { ...now, isSilent: true } : now)),
          limits.walletSilenceMs,
        )
    }
    try {
      hash = await swap(kit, order, { onStep, isShown })
      setRun({ status: 'done', order, hash })
    } catch (error) {
      setRun({ status: 'failed', order, error, hash, confirmed })
      // The toasts of what was submitted report its end.
      if (!isShown() && (!last || isAsked(last)))
        showToast(kit, 'error', error instanceof WrongHashError ? texts.unknown : texts.failed)
    } finally {
      stopWaiting()
    }
  }

  return {
    run,
    start: (order) => void start(order),
    reset: () => setRun(undefined),
  }
}

/** Whether a step waits for the wallet, and not for the network. */
export function isAsked(step: SwapStep): boolean {
  return step !== 'resetting' && step !== 'approving' && step !== 'swapping'
}
