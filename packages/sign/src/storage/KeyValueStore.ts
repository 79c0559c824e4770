/** A client's persistent storage. Values are JSON strings. */
export type KeyValueStore = {
  getItem(key: string): Promise<string | undefined>
  setItem(key: string, value: string): Promise<void>
  removeItem(key: string): Promise<void>
  getKeys(): Promise<readonly string[]>
}
