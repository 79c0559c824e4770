import { limits } from '@gatefold/protocol'

import type { PendingTransaction } from '../../../core/money/pending/PendingTransaction.ts'
import type { Token } from '../../../core/money/tokens.ts'
import { UserRejectedError } from '../../../core/kit/errors.ts'
import { WrongHashError } from '../../../core/kit/requestErrors.ts'
import { showToast } from '../../../core/notifications/showToast.ts'
import { useInstance, useKitState } from '../../../react/context.ts'
import { useEntryValue } from '../../hooks/useEntryState.ts'
import type { EntryValue } from '../../hooks/useEntryState.ts'

/** The state of a transfer, from the review to its confirmation. */
export type Sending =
  | { status: 'review' }
  | { status: 'rejected' }
  /** The wallet did not return the transaction, which may have been sent. */
  | { status: 'unknown' }
  /** The wallet asks the visitor; `silent` after a minute without a response. */
  | { status: 'wallet'; isSilent: boolean }
  | { status: 'failed'; error: Error }
  /** In the network; `isSlow` once it takes longer than usual. */
  | { status: 'submitted'; transaction: PendingTransaction; isSlow: boolean }

const notSent = (): EntryValue<Sending> => ({
  value: { status: 'review' },
  listeners: new Set(),
})

/**
 * Sends a transfer. The core follows its transaction, even after the visitor
 * has left the view; if the transaction was not sent, a toast says so.
 *
 * @param texts - the toasts for a transfer that was not sent, or that may have
 *   been sent
 */
export function useSendTransfer(texts: { failed: string; unknown: string }): {
  sending: Sending
  send: (transfer: { token: Token; to: string; amount: bigint; gas: bigint | undefined }) => void
  /** Back to the review. */
  review: () => void
} {
  const kit = useInstance()
  const pending = useKitState((state) => state.pending)
  const [sending, show, isShown] = useEntryValue(notSent)

  const send: ReturnType<typeof useSendTransfer>['send'] = (transfer) => {
    const cancelSilence = kit.later(
      () => show({ status: 'wallet', isSilent: true }),
      limits.walletSilenceMs,
    )
    show({ status: 'wallet', isSilent: false })
    void (async () => {
      try {
        const { submitTransfer } = await import('../../../core/money/transfer.ts')
        const transaction = await submitTransfer(kit, transfer, isShown)
        show({ status: 'submitted', transaction, isSlow: false })
        kit.later(
          () =>
            show((now) =>
              now.status === 'submitted' && now.transaction === transaction
                ? { ...now, isSlow: true }
                : now,
            ),
          limits.sendConfirmationTimeoutMs,
        )
      } catch (error) {
        const isUnknown = error instanceof WrongHashError
        if (isUnknown) show({ status: 'unknown' })
        else if (error instanceof UserRejectedError) show({ status: 'rejected' })
        else show({ status: 'failed', error: error as Error })
        if (!isShown()) showToast(kit, 'error', isUnknown ? texts.unknown : texts.failed)
      } finally {
        cancelSilence()
      }
    })()
  }
  const review = () => show({ status: 'review' })
  if (sending.status !== 'submitted') return { sending, send, review }
  const { id } = sending.transaction
  const transaction = pending.find((one) => one.id === id) ?? sending.transaction
  return { sending: { ...sending, transaction }, send, review }
}
