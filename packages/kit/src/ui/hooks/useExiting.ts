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
  // Computed in the first pass too, because other state of the caller may depend on it.
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
