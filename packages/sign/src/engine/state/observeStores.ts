import type { Collection } from '../../storage/createCollection.ts'
import type { Stores } from './stores.ts'

type Observer = {
  /** Called after each change. */
  onChange: () => void
  /** If true, changes are ignored: failures while the relayer closes must not delete stored state. */
  isClosed: () => boolean
}

/** Wraps stores to report changes. */
export function observeStores(stores: Stores, observer: Observer): Stores {
  return {
    ...stores,
    sessions: observeCollection(stores.sessions, observer),
    proposals: observeCollection(stores.proposals, observer),
    requests: observeCollection(stores.requests, observer),
    authRequests: observeCollection(stores.authRequests, observer),
    pairings: observeCollection(stores.pairings, observer),
    records: observeCollection(stores.records, observer),
  }
}

function observeCollection<id extends string | number, value>(
  collection: Collection<id, value>,
  { onChange, isClosed }: Observer,
): Collection<id, value> {
  return {
    ...collection,
    set(value) {
      if (isClosed()) return Promise.resolve()
      const stored = collection.set(value)
      onChange()
      return stored
    },
    delete(...ids) {
      if (isClosed() || !ids.some((id) => collection.has(id))) return Promise.resolve()
      const stored = collection.delete(...ids)
      onChange()
      return stored
    },
  }
}
