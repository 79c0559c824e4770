import { useEffect, useRef } from 'react'
import type { RefObject } from 'react'

/**
 * Requests the next page of a list when its end is within 400 px of the visible area.
 *
 * @param parameters.isPaused - while a page is loading, and after one failed
 * @param parameters.pages - number of pages so far. After an empty page, the
 *   end of the list stays visible; only the changed number triggers the next
 *   request.
 * @returns a ref for the element at the end of the list
 */
export function useNextPage<element extends HTMLElement>(parameters: {
  isPaused: boolean
  pages: number
  onVisible: () => void
}): RefObject<element | null> {
  const { isPaused, pages, onVisible } = parameters
  const end = useRef<element>(null)
  const latest = useRef(onVisible)
  useEffect(() => {
    latest.current = onVisible
  })
  useEffect(() => {
    const { current } = end
    if (!current || isPaused) return
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && latest.current(),
      { root: current.closest('.gf-scroll'), rootMargin: '400px' },
    )
    observer.observe(current)
    return () => observer.disconnect()
  }, [isPaused, pages])
  return end
}
