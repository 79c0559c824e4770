import { useEffect, useLayoutEffect, useRef } from 'react'
import type { CSSProperties, ReactNode } from 'react'

/**
 * A part of a view that scrolls by itself; a fade at its lower edge marks that there is more.
 *
 * @param props.max - height in units from which it scrolls
 * @param props.fixed - it has that height also with little in it, so that a search moves nothing
 * @param props.place - where it was scrolled to, in px; kept up to date, so that it can be given again
 */
export function Scroll(props: {
  max: number
  fixed?: boolean
  place?: { top: number }
  children: ReactNode
}) {
  const { place } = props
  const box = useRef<HTMLDivElement>(null)
  const mark = () => {
    const { current } = box
    if (!current) return
    const more = current.scrollHeight - current.clientHeight - current.scrollTop > 1
    current.parentElement?.toggleAttribute('data-more', more)
  }
  useLayoutEffect(() => {
    if (box.current && place) box.current.scrollTop = place.top
  }, [place])
  useEffect(() => {
    const { current } = box
    if (!current) return
    mark()
    const sizes = new ResizeObserver(mark)
    for (const element of [current, ...current.children]) sizes.observe(element)
    return () => sizes.disconnect()
  }, [])
  return (
    <div className="gf-fade">
      <div
        className="gf-scroll"
        ref={box}
        onScroll={({ currentTarget }) => {
          mark()
          if (place) place.top = currentTarget.scrollTop
        }}
        data-fixed={props.fixed ? '' : undefined}
        style={{ '--gf-max': props.max } as CSSProperties}
      >
        <div>{props.children}</div>
      </div>
    </div>
  )
}
