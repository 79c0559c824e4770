import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'

/**
 * A scrollable area with a fade at its lower edge while there is more content below.
 *
 * @param props.max - maximum height in units
 * @param props.fixed - keeps the maximum height even with little content, to avoid layout shift while
 * searching
 * @param props.top - initial scroll position in px
 * @param props.onScroll - called with the scroll position in px, so that it can be restored later
 */
export function Scroll(props: {
  max: number
  fixed?: boolean
  top?: number
  onScroll?: (top: number) => void
  children: ReactNode
}) {
  const [start] = useState(props.top)
  const box = useRef<HTMLDivElement>(null)
  const updateFade = () => {
    const { current } = box
    if (!current) return
    const more = current.scrollHeight - current.clientHeight - current.scrollTop > 1
    current.parentElement?.toggleAttribute('data-more', more)
  }
  useLayoutEffect(() => {
    if (box.current && start) box.current.scrollTop = start
  }, [start])
  useEffect(() => {
    const { current } = box
    if (!current) return
    // The observer also calls `updateFade` before the first paint, without forcing a layout.
    const sizes = new ResizeObserver(updateFade)
    for (const element of [current, ...current.children]) sizes.observe(element)
    return () => sizes.disconnect()
  }, [])
  return (
    <div className="gf-scroll-fade">
      <div
        className="gf-scroll"
        ref={box}
        onScroll={({ currentTarget }) => {
          updateFade()
          props.onScroll?.(currentTarget.scrollTop)
        }}
        data-fixed={props.fixed ? '' : undefined}
        style={{ '--gf-max': props.max }}
      >
        <div>{props.children}</div>
      </div>
    </div>
  )
}
