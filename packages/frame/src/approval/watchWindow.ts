import { limits } from '@gatefold/protocol'
import { minHeight, minWidth } from './watchVisibility.ts'

/**
 * Watches whether this window is visible, focused and large enough. Reports
 * `true` after this has been so for `approvalRestMs`, so that a click meant for
 * the page below approves nothing, and `false` immediately.
 *
 * @returns a function that stops watching.
 * @see docs/threats.md#clickjacking
 */
export function watchWindow(_element: Element, report: (isVisible: boolean) => void): () => void {
  const stop = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined

  function update() {
    clearTimeout(timer)
    report(false)
    const isLarge = innerWidth >= minWidth && innerHeight >= minHeight
    if (document.visibilityState === 'visible' && document.hasFocus() && isLarge)
      timer = setTimeout(() => report(true), limits.approvalRestMs)
  }
  for (const name of ['focus', 'blur', 'resize']) addEventListener(name, update, stop)
  document.addEventListener('visibilitychange', update, stop)
  update()
  return () => {
    clearTimeout(timer)
    stop.abort()
  }
}
