import { useEffect } from 'react'
import type { RefObject } from 'react'

import { isConnected } from '../core/connection/account.ts'
import { whenLoaded } from '../core/platform/whenIdle.ts'
import { useInstance } from './context.ts'

/**
 * Prefetches the modal once the page has loaded and `opener` is on screen. Does nothing if a wallet is
 * already connected, if the option `prefetch` is not 'idle', with Save-Data, or on a 2G or 3G connection.
 *
 * @param opener - the element that opens the modal; without one, prefetches as soon as the page has loaded
 */
export function useIdlePrefetch(opener?: RefObject<Element | null>): void {
  const kit = useInstance()
  useEffect(() => {
    if ((kit.options.prefetch ?? 'idle') !== 'idle' || hasLimitedConnection()) return
    let observer: IntersectionObserver | undefined
    const cancel = whenLoaded(() => {
      if (isConnected(kit.getState())) return
      const element = opener?.current
      if (!element) return kit.prefetch()
      observer = new IntersectionObserver((entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        observer?.disconnect()
        kit.prefetch()
      })
      observer.observe(element)
    })
    return () => {
      cancel()
      observer?.disconnect()
    }
  }, [kit, opener])
}

/**
 * Whether the visitor saves data or has a 2G or 3G connection.
 *
 * @see https://wicg.github.io/netinfo/, https://wicg.github.io/savedata/
 */
function hasLimitedConnection(): boolean {
  const { connection } = navigator as {
    connection?: { saveData?: boolean; effectiveType?: string }
  }
  return Boolean(connection?.saveData) || /[23]g/.test(connection?.effectiveType ?? '')
}
