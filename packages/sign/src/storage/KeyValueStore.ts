/** Where a client keeps what outlives a reload. Values are JSON texts. */
export type KeyValueStore = {
  getItem(key: string): Promise<string | undefined>
  setItem(key: string, value: string): Promise<void>
  removeItem(key: string): Promise<void>
  getKeys(): Promise<readonly string[]>
}
