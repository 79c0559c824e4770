import { useEffect, useState } from 'react'

/**
 * Loads a module once it is needed; undefined until it is loaded. A failed load is retried the next time
 * the module is needed.
 *
 * @param load - must be referentially stable: until the module is loaded, each new function starts a load
 */
export function useLazyModule<module>(
  needed: boolean,
  load: () => Promise<module>,
): module | undefined {
  const [module, setModule] = useState<module>()
  useEffect(() => {
    if (needed && !module)
      load().then(
        (loaded) => setModule(() => loaded),
        () => {},
      )
  }, [needed, load, module])
  return module
}
