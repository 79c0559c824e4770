/**
 * Whether the device has no network connection. False in Node, whose
 * `navigator` has no `onLine`.
 */
export function isOffline(): boolean {
  return typeof navigator === 'object' && 'onLine' in navigator && !navigator.onLine
}
