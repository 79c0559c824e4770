/** Whether the device is a phone or tablet, to choose between app links and QR codes. */
export function isMobile(): boolean {
  if (typeof window === 'undefined') return false
  return (
    window.matchMedia?.('(pointer:coarse)').matches ||
    /Android|webOS|iPhone|iPad|iPod|BlackBerry|Opera Mini/u.test(navigator.userAgent)
  )
}
