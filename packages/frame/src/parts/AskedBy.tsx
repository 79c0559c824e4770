/** @jsxImportSource preact */
import { frameText } from '../strings/frame.ts'
import { useText } from '../strings/useText.ts'
import { Rich } from './Rich.tsx'

/** Names the site that asks. */
export function AskedBy({ origin }: { origin: string }) {
  const t = useText(frameText)
  const { host } = new URL(origin)
  return (
    <p class="by">
      <Rich text={t('frame.askedBy')} values={{ site: <b dir="ltr">{host}</b> }} />
    </p>
  )
}
