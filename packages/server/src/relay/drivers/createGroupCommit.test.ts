import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { RelayStorageError } from '../errors.ts'
import { createGroupCommit } from './createGroupCommit.ts'

/** A store that keeps what is committed, in the groups it came in. */
function createStore(isAhead = false) {
  const store = {
    commits: [] as string[][],
    error: undefined as Error | undefined,
    isBusy: false,
    troubles: 0,
    /** Commits handed over while another ran. */
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
        // One after the other, as real ones.
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
    onTrouble: () => (store.troubles += 1),
  })
  return { store, group }
}

test('groups the writes of one turn, and those during a commit', async () => {
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

test('a commit holds at most 2,000 writes', async () => {
  const { store, group } = createStore()
  await Promise.all(Array.from({ length: 4_200 }, (_, index) => group.write(String(index))))
  expect(store.commits.map(({ length }) => length)).toEqual([2_000, 2_000, 200])
  expect(store.commits.flat()).toEqual(Array.from({ length: 4_200 }, (_, index) => String(index)))
})

describe('ahead', () => {
  const numbers = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => String(from + index))

  test('a busy store is handed a second commit while the first runs, no third', async () => {
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

  test('when the first fails, retries both in order', async () => {
    const { store, group } = createStore(true)
    store.isBusy = true
    const writes = [group.write('0')]
    await turn()
    writes.push(...numbers(1, 500).map((write) => group.write(write)))
    expect(store.following).toBe(1)
    store.error = new Error('away')
    store.isBusy = false
    await expect.poll(() => group.trouble()).toBe(store.error)
    store.error = undefined
    await Promise.all(writes)
    expect(store.commits.flat()).toEqual(numbers(0, 500))
  })
})

test('one write at fault does not harm the others', async () => {
  const { group } = createStore()
  const results = await Promise.allSettled(['a', 'bad', 'b'].map((write) => group.write(write)))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

describe('while the store is away', () => {
  test('writes wait in order, and the failure is reported once', async () => {
    const { store, group } = createStore()
    store.error = new Error('away')
    const writes = [group.write('a')]
    await expect.poll(() => group.trouble()).toBe(store.error)
    writes.push(group.write('b'))
    store.error = undefined
    expect(await Promise.all(writes)).toEqual(['done a', 'done b'])
    expect(store.commits.flat()).toEqual(['a', 'b'])
    expect([group.trouble(), store.troubles]).toEqual([undefined, 1])
  })

  test('error: more than 64 MiB do not', async () => {
    const { group } = createStore()
    await expect(group.write('huge')).rejects.toThrow(RelayStorageError)
    expect(await group.write('a')).toBe('done a')
  })

  test('error: a write after close', async () => {
    const { store, group } = createStore()
    await group.close()
    await expect(group.write('late')).rejects.toThrow(RelayStorageError)
    expect(store.commits).toEqual([])
  })

  test('closing tries once more and tells the rest', async () => {
    const { store, group } = createStore()
    store.error = new Error('away')
    const write = group.write('a')
    const told = write.catch((error: unknown) => error)
    await expect.poll(() => group.trouble()).toBe(store.error)
    await group.close()
    expect(await told).toBeInstanceOf(RelayStorageError)
  })
})
