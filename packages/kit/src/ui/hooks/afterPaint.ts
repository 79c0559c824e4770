/**
 * Calls back once the next frame has been drawn. A page in the background draws none: there it is
 * called when the visitor comes back.
 *
 * @returns what cancels it
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
