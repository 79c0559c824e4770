/**
 * Calls `run` once the page has loaded and the browser is idle, so that it delays neither loading nor
 * input.
 *
 * @returns a function that cancels it
 * @see https://w3c.github.io/requestidlecallback/
 */
export function whenIdle(run: () => void): () => void {
  let canceled = false
  const unlessCanceled = () => {
    if (!canceled) run()
  }
  const schedule = () => {
    // Safari has no requestIdleCallback.
    if ('requestIdleCallback' in window) requestIdleCallback(unlessCanceled)
    else setTimeout(unlessCanceled, 100)
  }
  if (document.readyState === 'complete') schedule()
  else addEventListener('load', schedule, { once: true })
  return () => {
    canceled = true
    removeEventListener('load', schedule)
  }
}
