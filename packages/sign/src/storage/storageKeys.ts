/**
 * Returns the storage keys of official clients, so that a site that switches to this client keeps its sessions.
 *
 * @param prefix - `storagePrefix`, which separates several clients on one origin
 * @see docs/contracts/relay.md#client-storage; spec §7.15.2
 */
export function storageKeys(prefix?: string) {
  const custom = prefix ? `:${prefix}` : ''
  return {
    core: (name: string) => `wc@2:core:0.3${custom}//${name}`,
    auth: (name: string) => `wc@1.5:auth:0.3${custom}//${name}`,
    client: (name: string) => `wc@2:client:0.3${custom}//${name}`,
  }
}
