import { useEffect, useState } from 'react'

/**
 * Returns the value once it has stopped changing for a while. @param delayMs -
 * in ms
 */
export function useDebounced<value>(value: value, delayMs: number): value {
  const [debounced, setDebounced] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return debounced
}
