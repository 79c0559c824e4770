/** Creates a value once, and again if that failed. */
export function lazy<Value>(create: () => Promise<Value>): () => Promise<Value> {
  let created: Promise<Value> | undefined
  return () => {
    const value = (created ??= create())
    value.catch(() => (created = undefined))
    return value
  }
}
