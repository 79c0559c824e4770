import { useEffect, useRef, useState } from 'react'

import { limits } from '@gatefold/protocol'

import type { Token } from '../../../core/money/tokens.ts'
import { UserRejectedError } from '../../../core/kit/errors.ts'
import { useInstance } from '../../../react/context.ts'
import { useRefreshTokens } from '../../../react/queries.ts'

/** The state of a transfer, from the review to its confirmation. */
export type Sending =
  | { status: 'review' }
  | { status: 'rejected' }
  /** The wallet asks the visitor; `silent` after a minute without a response. */
  | { status: 'wallet'; isSilent: boolean }
  | { status: 'failed'; error: Error }
  /** In the network, not yet in a block; `isSlow` once it takes longer than usual. */
  | { status: 'pending'; hash: string; isSlow: boolean }
  | { status: 'confirmed'; hash: string }
  | { status: 'reverted'; hash: string; reason: string }

/** Sends a transfer, and follows it until it is in a block. */
export function useSendTransfer(): {
  sending: Sending
  send: (transfer: { token: Token; to: string; amount: bigint; gas: bigint | undefined }) => void
} {
  const kit = useInstance()
  const refresh = useRefreshTokens()
  const [sending, setSending] = useState<Sending>({ status: 'review' })
  const isMounted = useRef(true)
  useEffect(() => {
    isMounted.current = true
    return () => void (isMounted.current = false)
  }, [])

  const send: ReturnType<typeof useSendTransfer>['send'] = (transfer) => {
    const show = (next: Sending) => isMounted.current && setSending(next)
    const cancelSilence = kit.later(
      () => show({ status: 'wallet', isSilent: true }),
      limits.walletSilenceMs,
    )
    show({ status: 'wallet', isSilent: false })
    void (async () => {
      let hash: string
      try {
        const { sendTransfer } = await import('../../../core/money/transfer.ts')
        hash = await sendTransfer(kit, transfer)
      } catch (error) {
        show(
          error instanceof UserRejectedError
            ? { status: 'rejected' }
            : { status: 'failed', error: error as Error },
        )
        return
      } finally {
        cancelSilence()
      }
      show({ status: 'pending', hash, isSlow: false })
      const { addRecipient } = await import('../../../core/money/recipients.ts')
      addRecipient(kit, transfer.to)
      try {
        const { waitForReceipt } = await import('../../../core/account/sign.ts')
        const receipt = await waitForReceipt(kit, { hash })
        show(
          receipt.status === 'success'
            ? { status: 'confirmed', hash: receipt.hash }
            : { status: 'reverted', hash: receipt.hash, reason: receipt.reason ?? '' },
        )
        await refresh()
      } catch {
        // The network has the transaction; only its confirmation is unknown.
        show({ status: 'pending', hash, isSlow: true })
      }
    })()
  }
  return { sending, send }
}
