import { useEffect, useState } from 'react'

/**
 * A module that is loaded when it is needed; undefined until then. A failed load is retried the next
 * time that it is needed.
 *
 * @param load - declared outside the component, since another function loads again
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
