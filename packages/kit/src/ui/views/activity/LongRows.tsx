import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'

import type { RowItem } from '../../parts/List.tsx'

/** Rows that are rendered, or replaced by a space, together. */
const chunkRows = 20
/**
 * How far beyond the visible area rows are rendered, in px. The rows at both ends of a chunk decide whether it is rendered;
 * a chunk must therefore be lower than twice this distance.
 */
const margin = 900

/**
 * The rows of a list with thousands of items: only those near the visible area of the surrounding `Scroll` are in the
 * document. The others are spaces of the same height. Rows may have different heights. A chunk that contains the focus
 * stays.
 *
 * @param props.before - number of rows above this list in the same scroll area. The first two chunks are rendered at once,
 * the others when they are near the visible area
 * @param props.children - renders an item; passes `item` on to its `Row`
 */
export function LongRows<item>(props: {
  items: readonly item[]
  before: number
  children: (item: item, row: RowItem) => ReactNode
}) {
  const { items, before } = props
  const starts = Array.from(
    { length: Math.ceil(items.length / chunkRows) },
    (_, index) => index * chunkRows,
  )
  return starts.map((start) => (
    <Chunk
      key={start}
      items={items.slice(start, start + chunkRows)}
      isNear={before + start < 2 * chunkRows}
    >
      {(item, index, ref) =>
        props.children(item, {
          ref,
          'aria-posinset': start + index + 1,
          'aria-setsize': items.length,
        })
      }
    </Chunk>
  ))
}

function Chunk<item>(props: {
  items: readonly item[]
  isNear: boolean
  children: (item: item, index: number, ref: RowItem['ref']) => ReactNode
}) {
  const { items } = props
  const last = items.length - 1
  const [isRendered, setRendered] = useState(props.isNear)
  /** The height of the rendered rows in px; undefined before they were rendered. */
  const height = useRef<number>(undefined)
  const start = useRef<HTMLLIElement>(null)
  const end = useRef<HTMLLIElement>(null)
  useEffect(() => {
    const ends = [start.current, end.current].filter((element) => element !== null)
    const near = new Set<Element>()
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries)
          if (isIntersecting) near.add(target)
          else near.delete(target)
        if (!isRendered) return near.size > 0 ? setRendered(true) : undefined
        const [first, final] = [start.current, end.current]
        if (near.size > 0 || !first || !final || hasFocus(first, final)) return
        height.current = final.getBoundingClientRect().bottom - first.getBoundingClientRect().top
        setRendered(false)
      },
      { root: start.current?.closest('.gf-scroll') ?? null, rootMargin: `${margin}px 0px` },
    )
    for (const element of ends) observer.observe(element)
    return () => observer.disconnect()
  }, [isRendered, last])
  if (!isRendered)
    return (
      <li
        ref={(element) => void (start.current = end.current = element)}
        aria-hidden
        style={{
          blockSize: height.current ?? `calc(var(--gf-row) * ${items.length})`,
        }}
      />
    )
  return items.map((item, index) =>
    props.children(
      item,
      index,
      index === 0 || index === last
        ? (element) => {
            if (index === 0) start.current = element
            if (index === last) end.current = element
          }
        : undefined,
    ),
  )
}

/** Whether the focus is in one of the siblings from `first` to `final`. */
function hasFocus(first: Element, final: Element): boolean {
  const focused = document.activeElement?.closest('li')
  if (!focused || focused.parentElement !== first.parentElement) return false
  const follows = Node.DOCUMENT_POSITION_FOLLOWING
  const isBefore = focused.compareDocumentPosition(first) & follows
  const isAfter = final.compareDocumentPosition(focused) & follows
  return !isBefore && !isAfter
}
