/** @jsxImportSource preact */
import { useState } from 'preact/hooks'
import { Card } from '../parts/Card.tsx'
import { Problem } from '../parts/Problem.tsx'
import type { ApprovalWindow } from './createApprovalWindow.ts'
import type { Pending } from './createApprovals.ts'

/**
 * Leads to the window in which the request is approved, where the browser cannot tell whether the page covers the frame.
 *
 * @see docs/threats.md#clickjacking
 */
export function WindowCard(props: {
  pending: Pending
  waiting: number
  site: string
  approvalWindow: ApprovalWindow
}) {
  const { pending, waiting, site, approvalWindow } = props
  const [isBlocked, setBlocked] = useState(false)
  const [, redraw] = useState({})
  const isOpen = approvalWindow.isOpen()

  return (
    <Card
      label="Approve in a window"
      site={site}
      corner={waiting > 0 && <span class="count">1 of {waiting + 1}</span>}
      closeText="Reject"
      onClose={() => pending.reject()}
    >
      <h1>Approve in a window</h1>
      <p class="by">
        asked by <b dir="ltr">{new URL(pending.origin).host}</b>
      </p>
      <Problem
        text={
          isBlocked
            ? 'The browser blocked the window. Allow pop-ups for this page, then try again.'
            : undefined
        }
      />
      <button
        type="button"
        class="accent"
        onClick={() => {
          if (isOpen) return approvalWindow.focus()
          const wasOpened = approvalWindow.open()
          setBlocked(!wasOpened)
          redraw({})
        }}
      >
        {isOpen ? 'Show the window' : 'Review the request'}
      </button>
      <p class="by">
        {isOpen
          ? 'Go on in the window that has opened. If you close it, the request is rejected.'
          : 'This browser can’t tell whether the page hides parts of the wallet. Nothing can cover a window of its own.'}
      </p>
    </Card>
  )
}
