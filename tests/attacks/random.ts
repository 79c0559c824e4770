/** Reproducible pseudorandom choices. */
export type Random = ReturnType<typeof createRandom>

/** @param seed - the same seed gives the same choices. */
export function createRandom(seed: number) {
  let state = seed >>> 0
  /** @returns a number from 0 to below 1, from the generator mulberry32. */
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (end: number) => Math.floor(next() * end)
  return {
    next,
    /** @returns a whole number from 0 to below `end`. */
    below,
    chance: (probability: number) => next() < probability,
    pick: <Item>(items: readonly Item[]): Item => items[below(items.length)]!,
    hex: (digits: number) => Array.from({ length: digits }, () => below(16).toString(16)).join(''),
    bytes: (length: number) => Buffer.from(Array.from({ length }, () => below(256))),
  }
}
