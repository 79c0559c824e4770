import { useCallback, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react'

import { Style } from '../../parts/Style.tsx'
import { useRootProps } from '../../hooks/useRootProps.ts'
import { useText } from '../../hooks/useText.ts'
import { embeddedText } from '../../strings/embedded.ts'
import css from '../../styles/embedded.css?inline'
import { useEmbedded } from './useEmbedded.ts'

/**
 * The box over which the secure frame is shown. The frame follows the box, also while the card moves or shakes.
 *
 * @see docs/views.md#approvetransaction; spec §2.9, §4.14
 */
export function ApproveTransaction() {
  const t = useText(embeddedText)
  const embedded = useEmbedded()
  const { 'data-theme': mode } = useRootProps()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => embedded.client.current()?.setTheme(mode), [embedded, mode])
  const height = useSyncExternalStore(
    useCallback(
      (listener) => embedded.client.current()?.watchCard(listener) ?? (() => {}),
      [embedded],
    ),
    () => embedded.client.current()?.cardHeight(),
    () => undefined,
  )
  useLayoutEffect(() => {
    const { client } = embedded
    let shown: DOMRect | undefined
    let request = 0
    const follow = () => {
      const { current } = box
      const rect = current?.getBoundingClientRect()
      if (current && rect && !isSame(rect, shown)) {
        shown = rect
        const radius = getComputedStyle(current).borderEndEndRadius
        client.current()?.place({ ...toBox(rect), radius })
      }
      request = requestAnimationFrame(follow)
    }
    follow()
    client.current()?.focus()
    return () => {
      cancelAnimationFrame(request)
      client.current()?.place(undefined)
    }
  }, [embedded])
  return (
    <>
      <Style css={css} />
      <div
        className="gf-frame"
        ref={box}
        style={height === undefined ? undefined : { '--gf-frame-height': `${height}px` }}
      >
        <p className="gf-hidden" role="status">
          {t('embedded.approveHint')}
        </p>
      </div>
    </>
  )
}

/** In place of the back button: the request has to be answered or closed. */
export function NoLeading() {
  return <span />
}

function toBox({ left, top, width, height }: DOMRect) {
  return { left, top, width, height }
}

function isSame(a: DOMRect, b: DOMRect | undefined): boolean {
  return (
    b !== undefined &&
    a.left === b.left &&
    a.top === b.top &&
    a.width === b.width &&
    a.height === b.height
  )
}
