/** Whether the visitor holds a phone or tablet; decides between deep links and codes. */
export function isMobile(): boolean {
  if (typeof window === 'undefined') return false
  return (
    window.matchMedia?.('(pointer:coarse)').matches ||
    /Android|webOS|iPhone|iPad|iPod|BlackBerry|Opera Mini/u.test(navigator.userAgent)
  )
}
