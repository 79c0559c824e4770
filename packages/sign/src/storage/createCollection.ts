import * as v from 'valibot'
import type { KeyValueStore } from './KeyValueStore.ts'
import { createDocument } from './createDocument.ts'

/** Stored values by their ids, all in memory, in the order they were added. */
export type Collection<id extends string | number, value> = {
  get(id: id): value | undefined
  has(id: id): boolean
  /** A new list after each change. */
  values(): readonly value[]
  /** Adds a value, or puts it in place of the one with its id. Holds at once; resolves when stored. */
  set(value: value): Promise<void>
  delete(...ids: id[]): Promise<void>
}

/**
 * Reads a collection: a JSON list under one key, as official clients keep theirs.
 *
 * @param options.idOf - tells values apart
 * @param options.onDamaged - told of entries that were dropped because `schema` does not take them
 * @example
 * createCollection({ store, key: keys.client('session'), schema: Session, idOf: (it) => it.topic })
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
