import * as v from 'valibot'
import type { KeyValueStore } from './KeyValueStore.ts'

/** A stored JSON value, cached in memory. */
export type Document<value> = {
  get(): value
  /** Sets the value, in memory immediately. Resolves when this or a later value is stored. */
  set(value: value): Promise<void>
  /** Resolves when the current value is stored. */
  stored(): Promise<void>
}

export type DocumentOptions<value> = {
  store: KeyValueStore
  key: string
  schema: v.GenericSchema<unknown, value>
  empty: value
  /**
   * The kind of value whose invalid entries are dropped one by one. If unset, an invalid value is dropped as
   * a whole.
   */
  entries?: 'array' | 'object' | undefined
  /** Called with the storage key of dropped data, followed by `[entry]` for a single entry. */
  onDamaged?: ((key: string) => void) | undefined
}

/** Loads a document. Writes are sequential, and pending ones are coalesced. */
export async function createDocument<value>(
  options: DocumentOptions<value>,
): Promise<Document<value>> {
  const { store, key, empty } = options
  const { value: stored, damaged } = read(await store.getItem(key), options)
  let value = stored ?? empty
  let writing: Promise<void> = Promise.resolve()
  let waiting: Promise<void> | undefined

  function write() {
    waiting ??= writing.then(next, next)
    return waiting
  }

  function next() {
    waiting = undefined
    writing = store.setItem(key, JSON.stringify(value))
    return writing
  }

  if (damaged.length > 0) {
    for (const name of damaged) options.onDamaged?.(name)
    await write()
  }
  return {
    get: () => value,
    set(changed) {
      value = changed
      return write()
    },
    stored: () => waiting ?? writing,
  }
}

function read<value>(text: string | undefined, options: DocumentOptions<value>) {
  const { key, schema, entries } = options
  if (text === undefined) return { value: undefined, damaged: [] }
  const json = parseJson(text)
  const whole = v.safeParse(schema, json)
  if (whole.success) return { value: whole.output, damaged: [] }
  if (!entries || json === null || typeof json !== 'object')
    return { value: undefined, damaged: [key] }

  const bad = new Set(whole.issues.map((issue) => String(issue.path?.[0]?.key)))
  const good = Object.entries(json).filter(([name]) => !bad.has(name))
  const rest = v.safeParse(
    schema,
    entries === 'array' ? good.map(([, entry]) => entry as unknown) : Object.fromEntries(good),
  )
  if (!rest.success) return { value: undefined, damaged: [key] }
  return { value: rest.output, damaged: Array.from(bad, (name) => `${key}[${name}]`) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // No schema accepts undefined, so it is reported as damaged.
    return undefined
  }
}
