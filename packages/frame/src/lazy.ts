/** Creates a value on first use. If that fails, the next use tries again. */
export function lazy<Value>(create: () => Promise<Value>): () => Promise<Value> {
  let created: Promise<Value> | undefined
  return () => {
    const value = (created ??= create())
    value.catch(() => (created = undefined))
    return value
  }
}
