export type DelayQueue<Item> = { push(item: Item): void; clear(): void }

/**
 * Creates a queue that emits each item a fixed time after it was pushed. Keeps the order, and needs only
 * one timer for any number of items.
 *
 * @param options.onDue - receives all items that are due.
 */
export function createDelayQueue<Item>(options: {
  ms: number
  onDue: (items: Item[]) => void
}): DelayQueue<Item> {
  const { ms, onDue } = options
  let queue: { item: Item; at: number }[] = []
  let timer: NodeJS.Timeout | undefined

  function fire() {
    timer = undefined
    const now = performance.now()
    const end = queue.findIndex(({ at }) => at > now)
    const due = end === -1 ? queue : queue.slice(0, end)
    queue = end === -1 ? [] : queue.slice(end)
    arm()
    if (due.length > 0) onDue(due.map(({ item }) => item))
  }

  function arm() {
    const first = queue[0]
    if (first) timer ??= setTimeout(fire, Math.max(0, Math.ceil(first.at - performance.now())))
  }

  return {
    push(item) {
      queue.push({ item, at: performance.now() + ms })
      arm()
    },
    clear() {
      clearTimeout(timer)
      timer = undefined
      queue = []
    },
  }
}
