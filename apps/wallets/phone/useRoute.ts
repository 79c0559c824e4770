import { useSyncExternalStore } from 'react'

/** The current screen, stored in the URL hash so that reloading and going back work. */
export type Route =
  | { screen: 'home' | 'scan' | 'faults' }
  | { screen: 'session'; /** First characters of the session's topic. */ start: string }

/** Length of the topic prefix in the URL. It identifies a session without exposing the whole topic. */
const startLength = 8

export function useRoute(): Route {
  const hash = useSyncExternalStore(subscribe, () => window.location.hash)
  if (hash === '#scan' || hash === '#faults')
    return { screen: hash === '#scan' ? 'scan' : 'faults' }
  const start = /^#session-([0-9a-f]+)$/.exec(hash)?.[1]
  return start ? { screen: 'session', start } : { screen: 'home' }
}

/** URL hashes of the screens. */
export const routes = {
  scan: '#scan',
  faults: '#faults',
  session: (topic: string) => `#session-${topic.slice(0, startLength)}`,
}

/** Navigates to a screen. */
export function go(hash: string): void {
  window.location.hash = hash
}

/** Navigates home without adding a history entry. */
export function goHome(): void {
  window.history.replaceState(null, '', '/')
  window.dispatchEvent(new HashChangeEvent('hashchange'))
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('hashchange', listener)
  return () => window.removeEventListener('hashchange', listener)
}
