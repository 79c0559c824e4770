/** Pseudorandom values that depend only on a seed. Not for secrets. */
export type Random = {
  /** A number from 0 (included) to 1 (excluded). */
  next(): number
  /** A whole number from 0 (included) to `end` (excluded). */
  below(end: number): number
  /** Whether an event of this probability occurs. */
  chance(probability: number): boolean
  /** An item of a list that is not empty. */
  pick<item>(items: readonly item[]): item
  /** A number of the standard normal distribution. */
  normal(): number
}

/**
 * Creates a generator of pseudorandom values (mulberry32).
 *
 * @param seed - a whole number; the same one yields the same values
 */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (end: number) => Math.floor(next() * end)
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick(items) {
      if (items.length === 0) throw new RangeError('There is nothing to pick from.')
      return items[below(items.length)]!
    },
    // Box–Muller; 1 - next() is never 0, which has no logarithm.
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
  }
}
