/** @jsxImportSource preact */
import { useState } from 'preact/hooks'
import { AskedBy } from '../parts/AskedBy.tsx'
import { Card } from '../parts/Card.tsx'
import { Problem } from '../parts/Problem.tsx'
import { frameText } from '../strings/frame.ts'
import { useText } from '../strings/useText.ts'
import { windowText } from '../strings/window.ts'
import type { ApprovalWindow } from './createApprovalWindow.ts'
import type { Pending } from './createApprovals.ts'

const cardText = { ...frameText, ...windowText }

/**
 * Opens the window in which the visitor approves the request. Shown if the
 * browser cannot detect whether the page covers the frame.
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
  const t = useText(cardText)
  const isOpen = approvalWindow.isOpen()

  return (
    <Card
      label={t('window.title')}
      site={site}
      corner={waiting > 0 && <span class="count">{t('frame.position', { n: waiting + 1 })}</span>}
      closeText={t('frame.reject')}
      onClose={() => pending.reject()}
    >
      <h1>{t('window.title')}</h1>
      <AskedBy origin={pending.origin} />
      <Problem text={isBlocked ? t('window.blocked') : undefined} />
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
        {t(isOpen ? 'window.show' : 'window.review')}
      </button>
      <p class="by">{t(isOpen ? 'window.open' : 'window.hint')}</p>
    </Card>
  )
}
