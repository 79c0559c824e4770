import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { CSSProperties, ReactNode } from 'react'

/**
 * A part of a view that scrolls by itself; a fade at its lower edge marks that there is more.
 *
 * @param props.max - height in units from which it scrolls
 * @param props.fixed - it has that height also with little in it, so that a search moves nothing
 * @param props.top - where it begins, in px from its top
 * @param props.onScroll - is told where it stands, in px, so that it can begin there again
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
  const mark = () => {
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
    mark()
    const sizes = new ResizeObserver(mark)
    for (const element of [current, ...current.children]) sizes.observe(element)
    return () => sizes.disconnect()
  }, [])
  return (
    <div className="gf-scroll-fade">
      <div
        className="gf-scroll"
        ref={box}
        onScroll={({ currentTarget }) => {
          mark()
          props.onScroll?.(currentTarget.scrollTop)
        }}
        data-fixed={props.fixed ? '' : undefined}
        style={{ '--gf-max': props.max } as CSSProperties}
      >
        <div>{props.children}</div>
      </div>
    </div>
  )
}
