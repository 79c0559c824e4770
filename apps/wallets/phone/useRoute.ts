import { useSyncExternalStore } from 'react'

/** Where a person is in the wallet. Kept in the address, so that a reload and “back” work. */
export type Route =
  | { screen: 'home' | 'scan' | 'faults' }
  | { screen: 'session'; /** First characters of its topic. */ start: string }

/** How much of a topic stands in the address: enough to tell sessions apart, too little to use. */
const startLength = 8

export function useRoute(): Route {
  const hash = useSyncExternalStore(subscribe, () => window.location.hash)
  if (hash === '#scan' || hash === '#faults')
    return { screen: hash === '#scan' ? 'scan' : 'faults' }
  const start = /^#session-([0-9a-f]+)$/.exec(hash)?.[1]
  return start ? { screen: 'session', start } : { screen: 'home' }
}

/** Addresses within the wallet. */
export const routes = {
  scan: '#scan',
  faults: '#faults',
  session: (topic: string) => `#session-${topic.slice(0, startLength)}`,
}

/** Goes to a place in the wallet. */
export function go(hash: string): void {
  window.location.hash = hash
}

/** Goes home, whatever came before. */
export function goHome(): void {
  window.history.replaceState(null, '', '/')
  window.dispatchEvent(new HashChangeEvent('hashchange'))
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('hashchange', listener)
  return () => window.removeEventListener('hashchange', listener)
}
