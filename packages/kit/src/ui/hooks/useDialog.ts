import { useEffect, useLayoutEffect } from 'react'
import type { RefObject } from 'react'

/**
 * Makes the card a dialog: focus moves in, stays in on Tab and goes back when it closes; Escape asks
 * to leave; the page behind does not scroll.
 *
 * Nothing outside is made inert or hidden, and focus that goes elsewhere is left alone: a wallet's
 * own window or a secure frame may stand over the card and has to be usable.
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
      // After the commit: React puts the focus back where it was when a commit began.
      queueMicrotask(() => {
        // Back to where the visitor was, unless the focus has gone somewhere by itself.
        const mine = isLost() || current?.contains(document.activeElement)
        if (mine && opener instanceof HTMLElement && opener.isConnected)
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
      } else if (event.key === 'Tab') keepInside(event, current)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [card, enabled, onEscape])
}

/** Whether nothing has the focus: its element was taken off the page. */
function isLost(): boolean {
  const { activeElement, body } = document
  return !activeElement || activeElement === body
}

function keepInside(event: KeyboardEvent, card: HTMLElement): void {
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

/** The dialogs of a document share its scrollbar: the first one locks, the last one unlocks. */
const lock = { count: 0, overflow: '', gutter: '' }

/**
 * Stops the page from scrolling and keeps the scrollbar's place free, so that nothing moves.
 *
 * @returns what lets it scroll again
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
