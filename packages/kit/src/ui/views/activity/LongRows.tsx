import { useLayoutEffect, useState } from 'react'
import type { ReactNode } from 'react'

import type { RowItem } from '../../parts/List.tsx'

/** Number of rows that are rendered, or replaced by a spacer, together. */
const chunkRows = 20
/**
 * How far beyond the visible area rows are rendered, in px. The rows at both
 * ends of a chunk decide whether it is rendered; a chunk's height must
 * therefore be less than twice this distance.
 */
const margin = 900

/**
 * The rows of a list with thousands of items: only those near the visible area
 * of the surrounding `Scroll` are in the document. The others are replaced by
 * spacers of the same height. Rows may have different heights. The chunk that
 * contains the focus and the chunks beside it are rendered too, so that an
 * arrow key that is held down never reaches a spacer.
 *
 * @param props.before - number of rows above this list in the same scroll area.
 *   The first two chunks are rendered immediately, the others when they are
 *   near the visible area
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
  return starts.map((start, index) => (
    <Chunk
      key={start}
      index={index}
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
  index: number
  isNear: boolean
  children: (item: item, index: number, ref: RowItem['ref']) => ReactNode
}) {
  const { items, index } = props
  const last = items.length - 1
  const [{ isRendered, height }, setState] = useState<{
    isRendered: boolean
    /** The height of the rendered rows in px; undefined before they were rendered. */
    height?: number
  }>({ isRendered: props.isNear })
  // The rows at both ends, or the spacer. State rather than refs, because the
  // observer depends on them.
  const [start, setStart] = useState<HTMLLIElement | null>(null)
  const [lastRow, setEnd] = useState<HTMLLIElement | null>(null)
  const end = lastRow ?? start
  // Not a passive effect: keys may be pressed between a change of the document and passive effects.
  useLayoutEffect(() => {
    const list = start?.parentElement
    if (!list || !end) return
    const near = new Set<Element>()
    // Before the first report it is not known whether rendered rows are near.
    let isReported = false
    const update = () => {
      const isWanted = near.size > 0 || isBesideFocus(list, index) || (isRendered && !isReported)
      if (isWanted === isRendered) return
      if (isWanted) return setState((state) => ({ ...state, isRendered: true }))
      const { top } = start.getBoundingClientRect()
      setState({ isRendered: false, height: end.getBoundingClientRect().bottom - top })
    }
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries)
          if (isIntersecting) near.add(target)
          else near.delete(target)
        isReported = true
        update()
      },
      { root: start.closest('.gf-scroll'), rootMargin: `${margin}px 0px` },
    )
    observer.observe(start)
    observer.observe(end)
    list.addEventListener('focusin', update)
    update()
    return () => {
      observer.disconnect()
      list.removeEventListener('focusin', update)
    }
  }, [index, isRendered, start, end])
  if (!isRendered)
    return (
      <li
        ref={setStart}
        aria-hidden
        style={{ blockSize: height ?? `calc(var(--gf-row) * ${items.length})` }}
      />
    )
  return items.map((item, at) =>
    props.children(item, at, at === 0 ? setStart : at === last ? setEnd : undefined),
  )
}

/** Whether the focus is in a row of a chunk, or of the chunk before or after it. */
function isBesideFocus(list: Element, index: number): boolean {
  const row = document.activeElement?.closest('li')
  if (!row || row.parentElement !== list) return false
  const focused = Math.floor((Number(row.ariaPosInSet) - 1) / chunkRows)
  return Math.abs(focused - index) <= 1
}
