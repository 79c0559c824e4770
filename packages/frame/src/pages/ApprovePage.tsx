/** @jsxImportSource preact */
import { useState } from 'preact/hooks'
import { ApprovalCard } from '../approval/ApprovalCard.tsx'
import { watchWindow } from '../approval/watchWindow.ts'
import { hasType, type ApprovalMessage, type WindowMessage } from '../approval/windowMessages.ts'
import { Place } from '../parts/Place.tsx'
import { useOnce } from '../parts/useOnce.ts'
import { useText } from '../strings/useText.ts'
import { windowText } from '../strings/window.ts'

/**
 * Shows the request of the frame that opened this window, and returns the
 * answer only to that frame.
 *
 * @param props.site - origin of the frame, and of this window.
 * @see docs/threats.md#clickjacking
 */
export function ApprovePage({ site }: { site: string }) {
  const opener = window.opener as Window | null
  const t = useText(windowText)
  const [shown, setShown] = useState<ApprovalMessage>()
  const send = (message: WindowMessage) => opener?.postMessage(message, site)

  useOnce(() => {
    const receive = ({ source, origin, data }: MessageEvent) => {
      if (!opener || source !== opener || origin !== site) return
      if (!hasType<ApprovalMessage>(data, 'gatefold-approval')) return
      if (data.theme !== null) document.documentElement.setAttribute('data-theme', data.theme)
      // Unchanged content keeps its identity, so that the card does not
      // restart.
      setShown((before) =>
        before?.revision === data.revision ? { ...data, statement: before.statement } : data,
      )
    }
    addEventListener('message', receive)
    send({ type: 'gatefold-ready' })
    return () => removeEventListener('message', receive)
  })

  if (!shown)
    return (
      <main class="page">
        <section class="sheet">
          <Place site={site} />
          <h1>{t(opener ? 'window.loading' : 'window.lost')}</h1>
          {!opener && <p>{t('window.lostHint')}</p>}
        </section>
      </main>
    )
  const { revision, origin, statement, change, waiting } = shown
  const answer = (text: 'approve' | 'reject') => () =>
    send({ type: 'gatefold-answer', revision, answer: text })
  return (
    <main class="window">
      <ApprovalCard
        pending={{
          id: revision,
          origin,
          statement,
          change,
          limit: (call, amount) =>
            send({ type: 'gatefold-answer', revision, answer: 'limit', call, amount }),
          approve: answer('approve'),
          reject: answer('reject'),
        }}
        waiting={waiting}
        site={site}
        watch={watchWindow}
      />
    </main>
  )
}
