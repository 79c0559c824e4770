import type { Pending } from './createApprovals.ts'
import type { Statement } from './Statement.ts'

// Messages between the frame and the window in which a visitor approves. Both have the origin of the frame.

/** From the frame: what the window shows. */
export type ApprovalMessage = {
  type: 'gatefold-approval'
  /**
   * Incremented whenever the content changes, so that an answer applies only to
   * the content that was shown.
   */
  revision: number
  origin: string
  waiting: number
  statement: Statement | undefined
  change: Pending['change']
  theme: string | null
}

/** From the window: it has loaded, or the visitor has decided or chosen an amount. */
export type WindowMessage =
  | { type: 'gatefold-ready' }
  | { type: 'gatefold-answer'; revision: number; answer: 'approve' | 'reject' }
  | {
      type: 'gatefold-answer'
      revision: number
      answer: 'limit'
      call: number
      amount: bigint | undefined
    }

/**
 * Whether a message has the given type. The caller must have checked the
 * sender.
 */
export function hasType<Message extends ApprovalMessage | WindowMessage>(
  data: unknown,
  type: Message['type'],
): data is Message {
  return (data as { type?: unknown } | null)?.type === type
}
