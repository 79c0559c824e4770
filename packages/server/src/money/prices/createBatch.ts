type Batch<Value> = { keys: Set<string>; loaded: Promise<ReadonlyMap<string, Value>> }

/**
 * Creates a function that loads the value of a key. Keys that are requested in the same turn of the event loop are loaded
 * together, at most `size` at once.
 *
 * @param load - returns the values that it found. If it throws, so do all requests of its keys.
 */
export function createBatch<Value>(
  size: number,
  load: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): (key: string) => Promise<Value | undefined> {
  let next: Batch<Value> | undefined

  function open(): Batch<Value> {
    const keys = new Set<string>()
    const loaded = new Promise<void>((resolve) => void setImmediate(resolve)).then(async () => {
      if (next?.keys === keys) next = undefined
      return load([...keys])
    })
    return { keys, loaded }
  }

  return async (key) => {
    if (!next || next.keys.size >= size) next = open()
    next.keys.add(key)
    return (await next.loaded).get(key)
  }
}
