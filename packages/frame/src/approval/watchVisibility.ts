import { limits } from '@gatefold/protocol'

/** Smallest size, in CSS pixels, at which an approval can be read. */
export const minWidth = 280
export const minHeight = 240
/**
 * The intersection ratio from which an approval counts as fully visible. Less
 * than 1, because of rounding.
 */
const minRatio = 0.99

/** Whether the browser can detect that something covers the frame (IntersectionObserver v2). */
export function canWatchVisibility(): boolean {
  return 'isVisible' in IntersectionObserverEntry.prototype
}

/**
 * Watches whether an element is fully visible to the visitor: not covered,
 * faded, transformed, filtered, too small or outside the window, whether by the
 * frame or by the page that embeds it. Reports `true` after the element has
 * been visible for `approvalRestMs`, and `false` immediately. A browser that
 * cannot detect this never reports `true`; its visitors approve in a window.
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
  // The other observer does not report a change that affects only the size.
  const sizes = new ResizeObserver(update)
  observer.observe(element)
  sizes.observe(element)
  return () => {
    clearTimeout(timer)
    observer.disconnect()
    sizes.disconnect()
  }
}
