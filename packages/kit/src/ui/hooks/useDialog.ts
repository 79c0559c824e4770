import { useEffect, useLayoutEffect } from 'react'
import type { RefObject } from 'react'

/**
 * Turns the card into a dialog. Moves the focus into it, traps Tab, calls `onEscape` on Escape and
 * locks the scroll position of the page. Restores the focus on close.
 *
 * Elements outside the card are not made inert, and focus may move there,
 * because a wallet's window or the secure frame may be above the card and must
 * stay usable.
 */
export function useDialog(
  card: RefObject<HTMLElement | null>,
  parameters: { onEscape: () => void; enabled: boolean },
): void {
  const { onEscape, enabled } = parameters

  useLayoutEffect(() => {
    if (!enabled) return
    const { current } = card
    const opener = document.activeElement
    current?.focus({ preventScroll: true })
    const unlock = lockScroll()
    return () => {
      unlock()
      // Waits until the commit is complete, because React restores the previous focus during the commit.
      queueMicrotask(() => {
        // Restores the focus, unless it has moved elsewhere in the meantime.
        const shouldRestore = isLost() || current?.contains(document.activeElement)
        if (shouldRestore && opener instanceof HTMLElement && opener.isConnected)
          opener.focus({ preventScroll: true })
      })
    }
  }, [card, enabled])

  useEffect(() => {
    if (!enabled) return
    const onKey = (event: KeyboardEvent) => {
      const { current } = card
      if (!current || event.defaultPrevented || event.isComposing) return
      const inside = current.contains(document.activeElement)
      if (!inside && !isLost()) return
      if (event.key === 'Escape') {
        event.preventDefault()
        onEscape()
      } else if (event.key === 'Tab') trapTab(event, current)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [card, enabled, onEscape])
}

/** Whether no element has the focus, for example because the focused element was removed. */
function isLost(): boolean {
  const { activeElement, body } = document
  return !activeElement || activeElement === body
}

function trapTab(event: KeyboardEvent, card: HTMLElement): void {
  const stops = [
    ...card.querySelectorAll<HTMLElement>('a[href], button, input, [tabindex]'),
  ].filter(
    (element) =>
      element.tabIndex >= 0 &&
      !element.matches(':disabled, [inert] *') &&
      element.getClientRects().length > 0,
  )
  const first = stops[0] ?? card
  const last = stops.at(-1) ?? card
  const { activeElement } = document
  const edge = event.shiftKey ? first : last
  if (activeElement !== edge && activeElement !== card && card.contains(activeElement)) return
  if (activeElement === card && !event.shiftKey && stops.length > 0) return
  event.preventDefault()
  ;(event.shiftKey ? last : first).focus()
}

/** Shared by all dialogs of the document: opening the first one locks, closing the last one unlocks. */
const lock = { count: 0, overflow: '', gutter: '' }

/**
 * Stops the page from scrolling and reserves the width of the scrollbar, so that the layout does not shift.
 *
 * @returns a function that unlocks
 */
function lockScroll(): () => void {
  const { documentElement: root } = document
  const { style } = root
  if (lock.count++ === 0) {
    lock.overflow = style.overflow
    lock.gutter = style.scrollbarGutter
    if (window.innerWidth > root.clientWidth) style.scrollbarGutter = 'stable'
    style.overflow = 'hidden'
  }
  return () => {
    if (--lock.count > 0) return
    style.overflow = lock.overflow
    style.scrollbarGutter = lock.gutter
  }
}
