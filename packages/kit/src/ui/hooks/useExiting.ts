import { useEffect, useState } from 'react'

/**
 * Keeps the previous value for the duration of its exit animation.
 *
 * @param value - compared by identity
 * @param delayMs - duration of the exit animation
 * @returns the previous value during its exit animation, otherwise undefined
 */
export function useExiting<value>(value: value | undefined, delayMs: number): value | undefined {
  const [last, setLast] = useState(value)
  const [exiting, setExiting] = useState<value>()
  // Also correct in the render that sets the state, because the caller may derive other state from it.
  const current = value === last ? exiting : last
  if (value !== last) {
    setLast(value)
    setExiting(last)
  }
  useEffect(() => {
    if (exiting === undefined) return
    const timer = setTimeout(() => setExiting(undefined), delayMs)
    return () => clearTimeout(timer)
  }, [exiting, delayMs])
  return current === value ? undefined : current
}
