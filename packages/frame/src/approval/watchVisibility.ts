import { limits } from '@gatefold/protocol'

/** Smallest size, in CSS pixels, at which an approval can be read. */
export const minWidth = 280
export const minHeight = 240
/** An approval counts as fully visible from this share on; rounding takes the rest. */
const minRatio = 0.99

/** Whether the browser can detect that something covers the frame (IntersectionObserver v2). */
export function canWatchVisibility(): boolean {
  return 'isVisible' in IntersectionObserverEntry.prototype
}

/**
 * Watches whether an element is fully visible to the visitor: not covered, faded, transformed, filtered, too small or
 * outside the window, also by the page that embeds the frame. Reports `true` once that has held for
 * `approvalRestMs`, and `false` at once.
 *
 * A browser that cannot detect it never reports `true`: the visitor approves in a window there.
 *
 * @returns a function that stops watching.
 * @see docs/threats.md#clickjacking
 */
export function watchVisibility(
  element: Element,
  report: (isVisible: boolean) => void,
): () => void {
  report(false)
  if (!canWatchVisibility()) return () => {}
  let timer: ReturnType<typeof setTimeout> | undefined
  let isUncovered = false
  let isVisible = false

  function update() {
    const { width, height } = element.getBoundingClientRect()
    const next = isUncovered && width >= minWidth && height >= minHeight
    if (next === isVisible) return
    isVisible = next
    clearTimeout(timer)
    report(false)
    if (next) timer = setTimeout(() => report(true), limits.approvalRestMs)
  }
  const observer = new IntersectionObserver(
    (entries) => {
      const entry = entries.at(-1)! as IntersectionObserverEntry & { isVisible: boolean }
      isUncovered = entry.isVisible && entry.intersectionRatio >= minRatio
      update()
    },
    // `trackVisibility` needs a delay of at least 100 ms.
    {
      threshold: [0, 0.5, minRatio, 1],
      trackVisibility: true,
      delay: 100,
    } as IntersectionObserverInit,
  )
  // The other observer reports no change of the size alone.
  const sizes = new ResizeObserver(update)
  observer.observe(element)
  sizes.observe(element)
  return () => {
    clearTimeout(timer)
    observer.disconnect()
    sizes.disconnect()
  }
}
