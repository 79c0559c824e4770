import { hash } from 'node:crypto'

/** A Lua script with one declared key; `Reply` is the type of its result. */
export type Script<Reply> = { text: string; sha: string; readonly reply?: Reply }

/**
 * Defines a script for {@link Redis}.
 *
 * @param text - Lua code. All keys that it uses must have the same hash tag as `KEYS[1]`, its only declared key.
 */
export function defineScript<Reply>(text: string): Script<Reply> {
  return { text, sha: hash('sha1', text) }
}
