/**
 * Calls `run` once the page has loaded.
 *
 * @returns a function that cancels it
 */
export function whenLoaded(run: () => void): () => void {
  if (document.readyState === 'complete') run()
  else addEventListener('load', run, { once: true })
  return () => removeEventListener('load', run)
}

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
  const cancel = whenLoaded(() => {
    // Safari has no requestIdleCallback.
    if ('requestIdleCallback' in window) requestIdleCallback(unlessCanceled)
    else setTimeout(unlessCanceled, 100)
  })
  return () => {
    canceled = true
    cancel()
  }
}
