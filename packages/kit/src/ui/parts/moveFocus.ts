import type { KeyboardEvent } from 'react'

/**
 * Moves the focus between the links and buttons of a list or grid: arrow keys, Home, End.
 * Works on what is on screen, so that it needs no knowledge of columns or direction.
 * In a grid with `data-one-stop` the Tab key enters and leaves at one cell.
 */
export function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const list = event.currentTarget
  const items = [...list.querySelectorAll<HTMLElement>('a[href], button:not(:disabled)')]
  const from = items.indexOf(event.target as HTMLElement)
  const to = from < 0 ? undefined : target(event.key, items, from)
  if (!to) return
  event.preventDefault()
  if (list.dataset.oneStop !== undefined) {
    for (const item of items) item.tabIndex = -1
    to.tabIndex = 0
  }
  to.focus()
}

function target(key: string, items: readonly HTMLElement[], from: number): HTMLElement | undefined {
  if (key === 'Home') return items[0]
  if (key === 'End') return items.at(-1)
  const here = items[from]!.getBoundingClientRect()
  if (key === 'ArrowLeft' || key === 'ArrowRight') {
    const forward = (key === 'ArrowRight') === (getComputedStyle(items[from]!).direction === 'ltr')
    return items[from + (forward ? 1 : -1)]
  }
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return undefined
  const rest = key === 'ArrowDown' ? items.slice(from + 1) : items.slice(0, from).toReversed()
  const column = rest.find((item) => Math.abs(item.getBoundingClientRect().left - here.left) < 2)
  return column ?? (key === 'ArrowDown' && hasRowBelow(rest, here) ? rest.at(-1) : undefined)
}

/** The last row of a grid may be short: then its last cell is below every column. */
function hasRowBelow(rest: readonly HTMLElement[], here: DOMRect): boolean {
  const last = rest.at(-1)
  return last !== undefined && last.getBoundingClientRect().top > here.top
}
