import type { Adapter, AdapterPayload } from 'oidc-provider'

/** Creates the in-memory store of a local OpenID provider. */
export function createMemoryAdapter(): (kind: string) => Adapter {
  const entries = new Map<string, AdapterPayload>()
  return (kind) => {
    const keyOf = (id: string) => `${kind} ${id}`
    const find = (matches: (key: string, payload: AdapterPayload) => boolean) =>
      [...entries].find(([key, payload]) => matches(key, payload))?.[1]
    return {
      async upsert(id, payload) {
        entries.set(keyOf(id), payload)
      },
      find: async (id) => entries.get(keyOf(id)),
      findByUid: async (uid) =>
        find((key, payload) => key.startsWith(`${kind} `) && payload.uid === uid),
      findByUserCode: async () => undefined,
      async consume(id) {
        const payload = entries.get(keyOf(id))
        if (payload) payload.consumed = Math.floor(Date.now() / 1000)
      },
      async destroy(id) {
        entries.delete(keyOf(id))
      },
      async revokeByGrantId(grantId) {
        for (const [key, payload] of entries) if (payload.grantId === grantId) entries.delete(key)
      },
    }
  }
}
