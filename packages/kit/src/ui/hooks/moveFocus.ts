import type { FocusEvent, KeyboardEvent } from 'react'

/**
 * Moves the focus between the links and buttons of a list or grid: arrow keys, Home, End.
 * Works on what is on screen, so that it needs no knowledge of columns or direction.
 */
export function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const list = event.currentTarget
  const items = [...list.querySelectorAll<HTMLElement>('a[href], button:not(:disabled)')]
  const from = items.indexOf(event.target as HTMLElement)
  const to = from < 0 ? undefined : target(event.key, items, from)
  if (!to) return
  event.preventDefault()
  to.focus()
}

/**
 * Makes the cell that has the focus the only one the Tab key stops at, so that a grid of hundreds is
 * passed in one step.
 */
export function keepOneStop(event: FocusEvent<HTMLElement>): void {
  const { currentTarget, target } = event
  if (target === currentTarget) return
  for (const item of currentTarget.querySelectorAll<HTMLElement>('[tabindex="0"]'))
    item.tabIndex = -1
  target.tabIndex = 0
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
