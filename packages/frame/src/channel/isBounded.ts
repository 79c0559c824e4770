import { limits } from '@gatefold/protocol'

/**
 * Whether a message is small enough to be examined: at most `frameMessageLength` characters and
 * `frameMessageDepth` levels. Stops at the limit, so that the time does not depend on what a page sends.
 *
 * @see docs/threats.md#frame-messages
 */
export function isBounded(value: unknown): boolean {
  let left = limits.frameMessageLength
  function visit(item: unknown, depth: number): boolean {
    left -= typeof item === 'string' ? item.length : 1
    if (left < 0 || depth > limits.frameMessageDepth) return false
    if (typeof item !== 'object' || item === null) return true
    const proto: unknown = Object.getPrototypeOf(item)
    // A structured clone can also be a Map, an ArrayBuffer or a Blob, which no message contains.
    if (proto !== Object.prototype && proto !== Array.prototype) return false
    for (const [key, child] of Object.entries(item)) {
      left -= key.length
      if (!visit(child, depth + 1)) return false
    }
    return true
  }
  return visit(value, 0)
}
