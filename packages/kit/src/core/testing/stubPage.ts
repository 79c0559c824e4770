import { vi } from 'vitest'

/**
 * Replaces the page's `document` and the events of its window.
 *
 * @returns the window's events
 */
export function stubPage(readyState: DocumentReadyState): EventTarget {
  const events = new EventTarget()
  vi.stubGlobal('document', { readyState })
  vi.stubGlobal('addEventListener', events.addEventListener.bind(events))
  vi.stubGlobal('removeEventListener', events.removeEventListener.bind(events))
  return events
}
