import type { FocusEvent, KeyboardEvent } from 'react'

/**
 * Moves the focus between the links and buttons of a list or grid on arrow keys, Home and End. Up and Down
 * use the positions on screen, so they work with any number of columns; Left and Right follow the writing
 * direction.
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
 * Makes the focused item the only Tab stop of its list (roving tabindex).
 *
 * @see https://www.w3.org/WAI/ARIA/apg/practices/keyboard-interface/#kbd_roving_tabindex
 */
export function makeOnlyTabStop(event: FocusEvent<HTMLElement>): void {
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

/** Whether there is a row below, which may be too short to have an item in the same column. */
function hasRowBelow(rest: readonly HTMLElement[], here: DOMRect): boolean {
  const last = rest.at(-1)
  return last !== undefined && last.getBoundingClientRect().top > here.top
}
