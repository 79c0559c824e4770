import type { Collection } from '../storage/createCollection.ts'
import type { Stores } from './stores.ts'

/** The same stores; `onChange` is called after each change of any. */
export function observe(stores: Stores, onChange: () => void): Stores {
  return {
    ...stores,
    sessions: observed(stores.sessions, onChange),
    proposals: observed(stores.proposals, onChange),
    requests: observed(stores.requests, onChange),
    authRequests: observed(stores.authRequests, onChange),
    pairings: observed(stores.pairings, onChange),
    records: observed(stores.records, onChange),
  }
}

function observed<id extends string | number, value>(
  collection: Collection<id, value>,
  onChange: () => void,
): Collection<id, value> {
  return {
    ...collection,
    set(value) {
      const stored = collection.set(value)
      onChange()
      return stored
    },
    delete(...ids) {
      if (!ids.some((id) => collection.has(id))) return Promise.resolve()
      const stored = collection.delete(...ids)
      onChange()
      return stored
    },
  }
}
