import { useEffect, useState } from 'react'

/** The modules that have loaded, by their function. */
const loaded = new WeakMap<() => Promise<unknown>, unknown>()

/**
 * Loads a module once it is needed; undefined until it is loaded, and kept when
 * it is no longer needed. Components that mount later have the module in their
 * first render. A failed load is retried the next time the module is needed.
 *
 * @param load - a constant of the module: it identifies what it loads
 */
export function useLazyModule<module>(
  needed: boolean,
  load: () => Promise<module>,
): module | undefined {
  const known = loaded.get(load) as module | undefined
  const [, setCount] = useState(0)
  const [wasNeeded, setNeeded] = useState(needed)
  if (needed && !wasNeeded) setNeeded(true)
  useEffect(() => {
    if (!needed || known) return
    let isMounted = true
    load().then(
      (module) => {
        loaded.set(load, module)
        if (isMounted) setCount((count) => count + 1)
      },
      () => {},
    )
    return () => {
      isMounted = false
    }
  }, [needed, load, known])
  return wasNeeded ? known : undefined
}
