import { useEffect, useState } from 'react'

/**
 * Keeps what has just been replaced for as long as its farewell takes.
 *
 * @param value - compared by identity; undefined is nothing
 * @param delayMs - how long the old one stays
 * @returns the old value while it leaves, else undefined
 */
export function useExiting<value>(value: value | undefined, delayMs: number): value | undefined {
  const [last, setLast] = useState(value)
  const [leaving, setLeaving] = useState<value>()
  if (value !== last) {
    setLast(value)
    setLeaving(last)
  }
  useEffect(() => {
    if (leaving === undefined) return
    const timer = setTimeout(() => setLeaving(undefined), delayMs)
    return () => clearTimeout(timer)
  }, [leaving, delayMs])
  return leaving === value ? undefined : leaving
}
