/**
 * Where official clients keep what they store, so that a page that moves to this client keeps its
 * sessions and keys.
 *
 * @param prefix - `storagePrefix`, keeps several clients of one origin apart
 * @see contracts/relay.md 5; spec §7.15.2
 */
export function storageKeys(prefix?: string) {
  const custom = prefix ? `:${prefix}` : ''
  return {
    core: (name: string) => `wc@2:core:0.3${custom}//${name}`,
    auth: (name: string) => `wc@1.5:auth:0.3${custom}//${name}`,
    client: (name: string) => `wc@2:client:0.3${custom}//${name}`,
  }
}
