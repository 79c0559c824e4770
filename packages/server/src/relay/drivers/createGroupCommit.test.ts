import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { RelayStorageError } from '../errors.ts'
import { createGroupCommit } from './createGroupCommit.ts'

/** A store that records each commit as a group of writes. */
function createStore(isAhead = false) {
  const store = {
    commits: [] as string[][],
    error: undefined as Error | undefined,
    isBusy: false,
    reports: 0,
    /** Number of commits that were requested while another was running. */
    following: 0,
  }
  let last = Promise.resolve()
  const group = createGroupCommit<string, string>({
    isAhead,
    commit: async (writes, follows) => {
      if (follows) store.following += 1
      const [before, { promise: done, resolve }] = [last, Promise.withResolvers<void>()]
      last = done
      try {
        // Commits run one after another, as in a real store.
        await before
        while (store.isBusy) await wait(1)
        if (store.error) throw store.error
        if (writes.includes('bad')) throw new SyntaxError('bad')
        store.commits.push([...writes])
        return writes.map((write) => `done ${write}`)
      } finally {
        resolve()
      }
    },
    isFault: (error) => error instanceof SyntaxError,
    weigh: (write) => (write === 'huge' ? 65 * 1024 * 1024 : 100),
    onError: () => (store.reports += 1),
  })
  return { store, group }
}

test('groups the writes of one turn, and those made during a commit', async () => {
  const { store, group } = createStore()
  store.isBusy = true
  const first = [group.write('a'), group.write('b')]
  await wait(5)
  const second = [group.write('c'), group.write('d')]
  store.isBusy = false
  expect(await Promise.all([...first, ...second])).toEqual(['done a', 'done b', 'done c', 'done d'])
  expect(store.commits).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ])
})

test('a commit has at most 2,000 writes', async () => {
  const { store, group } = createStore()
  await Promise.all(Array.from({ length: 4_200 }, (_, index) => group.write(String(index))))
  expect(store.commits.map(({ length }) => length)).toEqual([2_000, 2_000, 200])
  expect(store.commits.flat()).toEqual(Array.from({ length: 4_200 }, (_, index) => String(index)))
})

describe('with isAhead', () => {
  const numbers = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => String(from + index))

  test('a busy store gets a second commit while the first runs, but no third', async () => {
    const { store, group } = createStore(true)
    store.isBusy = true
    const writes = numbers(0, 2).map((write) => group.write(write))
    await turn()
    writes.push(...numbers(2, 100).map((write) => group.write(write)))
    await turn()
    expect(store.following).toBe(0)
    writes.push(...numbers(100, 1_000).map((write) => group.write(write)))
    await turn()
    expect(store.following).toBe(1)
    store.isBusy = false
    await Promise.all(writes)
    expect(store.commits.flat()).toEqual(numbers(0, 1_000))
    expect(store.commits[0]).toEqual(['0', '1'])
  })

  test('if the first commit fails, both are retried in order', async () => {
    const { store, group } = createStore(true)
    store.isBusy = true
    const writes = [group.write('0')]
    await turn()
    writes.push(...numbers(1, 500).map((write) => group.write(write)))
    expect(store.following).toBe(1)
    store.error = new Error('unavailable')
    store.isBusy = false
    await expect.poll(() => group.error()).toBe(store.error)
    store.error = undefined
    await Promise.all(writes)
    expect(store.commits.flat()).toEqual(numbers(0, 500))
  })
})

test('a faulty write does not affect the others', async () => {
  const { group } = createStore()
  const results = await Promise.allSettled(['a', 'bad', 'b'].map((write) => group.write(write)))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

describe('failures', () => {
  test('while the store is unavailable, writes wait in order, and the failure is reported once', async () => {
    const { store, group } = createStore()
    store.error = new Error('unavailable')
    const writes = [group.write('a')]
    await expect.poll(() => group.error()).toBe(store.error)
    writes.push(group.write('b'))
    store.error = undefined
    expect(await Promise.all(writes)).toEqual(['done a', 'done b'])
    expect(store.commits.flat()).toEqual(['a', 'b'])
    expect([group.error(), store.reports]).toEqual([undefined, 1])
  })

  test('error: writes beyond 64 MiB are rejected', async () => {
    const { group } = createStore()
    await expect(group.write('huge')).rejects.toThrow(RelayStorageError)
    expect(await group.write('a')).toBe('done a')
  })

  test('error: a write after close() is rejected', async () => {
    const { store, group } = createStore()
    await group.close()
    await expect(group.write('late')).rejects.toThrow(RelayStorageError)
    expect(store.commits).toEqual([])
  })

  test('if the store is unavailable, close() retries once, then rejects pending writes', async () => {
    const { store, group } = createStore()
    store.error = new Error('unavailable')
    const write = group.write('a')
    const rejection = write.catch((error: unknown) => error)
    await expect.poll(() => group.error()).toBe(store.error)
    await group.close()
    expect(await rejection).toBeInstanceOf(RelayStorageError)
  })
})

describe('lanes', () => {
  function createLanes(mostItems = 10) {
    const commits: string[][] = []
    const group = createGroupCommit<string, undefined>({
      commit: async (writes) => {
        commits.push([...writes])
        return writes.map(() => undefined)
      },
      isFault: () => false,
      mostItems,
      count: (write) => Number(write.split(' ')[2] ?? 1),
      laneOf: (write) => write.split(' ')[0]!,
      weigh: () => 100,
    })
    return { commits, group }
  }

  test('attack: many and large writes of one client do not delay another client', async () => {
    const { commits, group } = createLanes()
    const small = Array.from({ length: 30 }, (_, index) => group.write(`small ${index}`))
    const large = Array.from({ length: 5 }, (_, index) => group.write(`large ${index} 8`))
    await Promise.all([...small, ...large, group.write('other 0'), group.write('other 1')])
    expect(commits[0]).toEqual(expect.arrayContaining(['other 0', 'other 1']))
  })

  test('attack: full commits of many clients do not delay another client', async () => {
    const { commits, group } = createLanes()
    const large = Array.from({ length: 20 }, (_, index) => group.write(`large${index} 0 10`))
    await Promise.all([...large, group.write('other 0'), group.write('other 1')])
    expect(commits[0]).toEqual(['large0 0 10', 'other 0', 'other 1'])
  })

  test('writes of one client stay together, in shares of 1/64 of a commit', async () => {
    const { commits, group } = createLanes(640)
    const writes = Array.from(
      { length: 1_280 },
      (_, index) => `client${Math.floor(index / 16)} ${index}`,
    )
    await Promise.all(writes.map((write) => group.write(write)))
    const clients = new Set(commits[0]!.map((write) => write.split(' ')[0]))
    expect([commits[0]!.length, clients.size]).toEqual([640, 64])
  })

  test('keep the order of their writes, and all writes are committed', async () => {
    const { commits, group } = createLanes()
    const writes = Array.from({ length: 100 }, (_, index) =>
      index % 7 === 0 ? `a ${index} 9` : `${index % 3 === 0 ? 'a' : 'b'} ${index}`,
    )
    await Promise.all(writes.map((write) => group.write(write)))
    for (const lane of ['a', 'b']) {
      const ofLane = (write: string) => write.startsWith(lane)
      expect(commits.flat().filter(ofLane)).toEqual(writes.filter(ofLane))
    }
  })

  test('error: a write that has waited for 60 s is rejected, also behind younger writes', async () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(0)
    onTestFinished(() => now.mockRestore())
    let fail: (error: Error) => void = () => {}
    const group = createGroupCommit<string, undefined>({
      commit: () => new Promise((_, reject) => (fail = reject)),
      isFault: () => false,
      mostItems: 10,
      count: (write) => Number(write.split(' ')[1]),
      laneOf: (write) => write.split(' ')[0]!,
      weigh: () => 100,
    })
    const results: [string, unknown][] = []
    const write = (text: string) =>
      void group.write(text).catch((error: unknown) => {
        results.push([text, error])
      })
    write('a 10')
    write('a 9')
    now.mockReturnValue(1)
    // Overtakes the second write of the other client.
    write('b 2')
    await turn()
    now.mockReturnValue(60_000)
    fail(new Error('unavailable'))
    await expect
      .poll(() => results)
      .toEqual([
        ['a 10', expect.any(RelayStorageError)],
        ['a 9', expect.any(RelayStorageError)],
      ])
  })
})
