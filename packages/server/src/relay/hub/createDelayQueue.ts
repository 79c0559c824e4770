export type DelayQueue<Item> = { push(item: Item): void; clear(): void }

/**
 * Hands items on after a fixed time, in their order and together: one timer, however many wait.
 *
 * @param options.onDue - called with everything that is due.
 */
export function createDelayQueue<Item>(options: {
  ms: number
  onDue: (items: Item[]) => void
}): DelayQueue<Item> {
  const { ms, onDue } = options
  let waiting: { item: Item; at: number }[] = []
  let timer: NodeJS.Timeout | undefined

  function fire() {
    timer = undefined
    const now = performance.now()
    const end = waiting.findIndex(({ at }) => at > now)
    const due = end === -1 ? waiting : waiting.slice(0, end)
    waiting = end === -1 ? [] : waiting.slice(end)
    arm()
    if (due.length > 0) onDue(due.map(({ item }) => item))
  }

  function arm() {
    const first = waiting[0]
    if (first) timer ??= setTimeout(fire, Math.ceil(first.at - performance.now()))
  }

  return {
    push(item) {
      waiting.push({ item, at: performance.now() + ms })
      arm()
    },
    clear() {
      clearTimeout(timer)
      timer = undefined
      waiting = []
    },
  }
}
