import * as v from 'valibot'
import type { KeyValueStore } from './KeyValueStore.ts'
import { createDocument } from './createDocument.ts'

/** Stored values by id, cached in memory in insertion order. */
export type Collection<id extends string | number, value> = {
  get(id: id): value | undefined
  has(id: id): boolean
  /** Returns a new list after each change. */
  values(): readonly value[]
  /** Adds or replaces a value, in memory immediately. Resolves when the value is stored. */
  set(value: value): Promise<void>
  delete(...ids: id[]): Promise<void>
}

/**
 * Loads a collection, which is stored as one JSON array, as in official clients.
 *
 * @param options.onDamaged - called for each entry that was dropped because it does not match `schema`, or once
 * if the stored value is not an array
 * @example
 * createCollection({ store, key: keys.client('session'), schema: StoredSession, idOf: (it) => it.topic })
 */
export async function createCollection<id extends string | number, value>(options: {
  store: KeyValueStore
  key: string
  schema: v.GenericSchema<unknown, value>
  idOf: (value: value) => id
  onDamaged?: ((key: string) => void) | undefined
}): Promise<Collection<id, value>> {
  const { store, key, schema, idOf, onDamaged } = options
  const document = await createDocument<value[]>({
    store,
    key,
    schema: v.array(schema),
    empty: [],
    entries: 'array',
    onDamaged,
  })
  const map = new Map(document.get().map((value) => [idOf(value), value]))
  const save = () => document.set(Array.from(map.values()))

  return {
    get: (id) => map.get(id),
    has: (id) => map.has(id),
    values: () => document.get(),
    set(value) {
      map.set(idOf(value), value)
      return save()
    },
    delete(...ids) {
      const changed = ids.map((id) => map.delete(id)).includes(true)
      return changed ? save() : Promise.resolve()
    },
  }
}
