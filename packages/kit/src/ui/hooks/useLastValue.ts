import { useState } from 'react'

/**
 * The last value that counted, for a view that is still on screen after what it shows has gone.
 *
 * @param value - the same one while nothing has changed
 * @param live - whether it counts now
 */
export function useLastValue<value>(value: value, live: boolean): value {
  const [kept, setKept] = useState(value)
  if (live && kept !== value) setKept(value)
  return live ? value : kept
}
