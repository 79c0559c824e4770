/**
 * Calls `run` after the next frame has been painted. Background pages do not paint: there, `run` is
 * called once the page is visible again.
 *
 * @returns a function that cancels the call
 */
export function afterPaint(run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(run)
  })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}
