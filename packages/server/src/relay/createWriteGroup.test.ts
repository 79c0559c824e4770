import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { RelayStorageError } from './errors.ts'
import { createWriteGroup } from './createWriteGroup.ts'

/** A store that keeps what is committed, in the groups it came in. */
function createStore() {
  const store = {
    commits: [] as string[][],
    error: undefined as Error | undefined,
    isBusy: false,
    troubles: 0,
  }
  const group = createWriteGroup<string, string>({
    commit: async (writes) => {
      while (store.isBusy) await wait(1)
      if (store.error) throw store.error
      if (writes.includes('bad')) throw new SyntaxError('bad')
      store.commits.push([...writes])
      return writes.map((write) => `done ${write}`)
    },
    isFault: (error) => error instanceof SyntaxError,
    weigh: (write) => (write === 'huge' ? 65 * 1024 * 1024 : 100),
    onTrouble: () => (store.troubles += 1),
  })
  return { store, group }
}

test('what is written in one turn, and while a commit runs, is committed together', async () => {
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

test('one write at fault does not harm the others', async () => {
  const { group } = createStore()
  const results = await Promise.allSettled(['a', 'bad', 'b'].map((write) => group.write(write)))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

describe('while the store is away', () => {
  test('writes wait in their order, and trouble is told once', async () => {
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
