import { useState } from 'react'

/**
 * The last valid value, for a view that stays on screen during its exit animation.
 *
 * @param value - must be referentially stable
 * @param live - whether `value` is valid; if not, the last valid value is returned
 */
export function useLastValue<value>(value: value, live: boolean): value {
  const [last, setLast] = useState(value)
  if (live && last !== value) setLast(value)
  return live ? value : last
}
