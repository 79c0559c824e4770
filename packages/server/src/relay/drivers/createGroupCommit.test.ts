import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { RelayStorageError } from '../errors.ts'
import { createGroupCommit } from './createGroupCommit.ts'

vi.mock('node:timers/promises', async (original) => {
  const { mockTimersPromises } = await import('../../testing/mockTimersPromises.ts')
  return mockTimersPromises(original)
})

const kib = 1024
const mib = 1024 * kib

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

/** Groups writes that have a size. `commits` contains the sizes of each commit. */
function createSized(waitingShare?: number) {
  type Size = { bytes: number; items: number }
  const store = { commits: [] as Size[][], error: undefined as Error | undefined }
  const group = createGroupCommit<Size, undefined>({
    commit: async (writes) => {
      if (store.error) throw store.error
      store.commits.push([...writes])
      return writes.map(() => undefined)
    },
    isFault: (error) => error instanceof SyntaxError,
    count: ({ items }) => items,
    weigh: ({ bytes }) => bytes,
    ...(waitingShare !== undefined && { waitingShare }),
  })
  return { store, group }
}

describe('a commit has, besides the oldest write, at most', () => {
  test.each<[what: string, bytes: number[], commits: number[]]>([
    ['4 MiB', Array<number>(5).fill(mib), [4, 1]],
    ['4 MiB minus 1/64', [4 * mib, mib, mib, mib, 960 * kib], [5]],
    ['4 MiB minus 1/64', [4 * mib, mib, mib, mib, 960 * kib + 1], [4, 1]],
    ['4 MiB minus 1/64', [4 * mib + 1, 4 * mib], [1, 1]],
    ['4 MiB minus a small oldest write', [32 * kib, 3 * mib, 992 * kib], [3]],
    ['4 MiB minus a small oldest write', [32 * kib, 3 * mib, 992 * kib + 1], [2, 1]],
  ])('%s: %j', async (_, bytes, commits) => {
    const { store, group } = createSized()
    await Promise.all(bytes.map((each) => group.write({ bytes: each, items: 1 })))
    expect(store.commits.map(({ length }) => length)).toEqual(commits)
  })

  test.each<[what: string, items: number[], commits: number[]]>([
    ['2,000 items minus a small oldest write', [3, 1_997], [2]],
    ['2,000 items minus a small oldest write', [3, 1_998], [1, 1]],
    ['2,000 items minus 1/64', [2_000, 1_968], [2]],
    ['2,000 items minus 1/64', [2_000, 1_969], [1, 1]],
    ['2,000 items minus 1/64', [2_001, 2_000], [1, 1]],
  ])('%s: %j', async (_, items, commits) => {
    const { store, group } = createSized()
    await Promise.all(items.map((each) => group.write({ bytes: 1, items: each })))
    expect(store.commits.map(({ length }) => length)).toEqual(commits)
  })
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

describe('commits whose end the test decides', () => {
  function createScripted(isAhead?: boolean) {
    const commits: { writes: string[]; follows: boolean; end: (error?: Error) => void }[] = []
    const group = createGroupCommit<string, string>({
      ...(isAhead !== undefined && { isAhead }),
      commit: (writes, follows) => {
        const { promise, resolve, reject } = Promise.withResolvers<string[]>()
        const end = (error?: Error) =>
          error ? reject(error) : resolve(writes.map((write) => `done ${write}`))
        commits.push({ writes: [...writes], follows, end })
        return promise
      },
      isFault: (error) => error instanceof SyntaxError,
      weigh: () => 100,
    })
    const write = (count: number, name = 'w') =>
      Array.from({ length: count }, (_, index) => group.write(`${name}${index}`))
    const summary = () => commits.map(({ writes, follows }) => [writes.length, follows])
    return { group, commits, write, summary }
  }

  test('a commit is sent ahead for 200 pending writes, even at the end of another commit', async () => {
    const { commits, write, summary } = createScripted(true)
    const writes = write(1)
    await turn()
    writes.push(...write(199))
    expect(summary()).toEqual([[1, false]])
    writes.push(...write(1))
    expect(summary()).toEqual([
      [1, false],
      [200, true],
    ])
    writes.push(...write(200))
    expect(summary()).toHaveLength(2)
    commits[0]!.end()
    await turn()
    expect(summary().slice(2)).toEqual([[200, true]])
    writes.push(...write(1))
    commits[1]!.end()
    await turn()
    expect(summary()).toHaveLength(3)
    commits[2]!.end()
    await turn()
    expect(summary().slice(3)).toEqual([[1, false]])
    commits[3]!.end()
    await Promise.all(writes)
  })

  test('no commit is sent ahead by default', async () => {
    const { write, summary } = createScripted()
    void write(1)
    await turn()
    void write(500)
    await turn()
    expect(summary()).toEqual([[1, false]])
  })

  test('error: only a faulty write is rejected, after the commit sent ahead has failed too', async () => {
    const { commits, write, summary } = createScripted(true)
    const first = write(3, 'first')
    await turn()
    const second = write(200, 'second')
    const settled = Promise.allSettled(first)
    commits[0]!.end(new SyntaxError('faulty'))
    await turn()
    expect(summary()).toHaveLength(2)
    commits[1]!.end(new Error('the previous commit failed'))
    for (const [index, error] of [undefined, new SyntaxError('faulty'), undefined].entries()) {
      await turn()
      expect(commits).toHaveLength(3 + index)
      expect(commits[2 + index]).toMatchObject({ writes: [`first${index}`], follows: false })
      commits[2 + index]!.end(error)
    }
    expect(await settled).toEqual([
      { status: 'fulfilled', value: 'done first0' },
      { status: 'rejected', reason: expect.any(RelayStorageError) },
      { status: 'fulfilled', value: 'done first2' },
    ])
    await turn()
    expect(summary().slice(5)).toEqual([[200, false]])
    commits[5]!.end()
    expect(await Promise.all(second)).toContain('done second199')
  })
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

  test.each([
    [64, undefined],
    [16, 0.25],
  ])(
    'error: writes beyond %i MiB are rejected, until earlier ones have ended',
    async (maxMib, share) => {
      const now = vi.spyOn(performance, 'now').mockReturnValue(0)
      onTestFinished(() => now.mockRestore())
      const { store, group } = createSized(share)
      const bytes = maxMib * mib
      for (const error of [undefined, new SyntaxError('faulty'), new Error('unavailable')]) {
        store.error = error
        now.mockReturnValue(0)
        const first = group.write({ bytes, items: 1 }).catch((rejection: unknown) => rejection)
        const refused = group.write({ bytes: 1, items: 1 })
        await expect(refused).rejects.toMatchObject({ name: 'RelayStorageError', isUnsent: true })
        now.mockReturnValue(60_000)
        // An error does not show whether the store has made the write.
        const { name, isUnsent } = ((await first) ?? {}) as Partial<RelayStorageError>
        expect([name, isUnsent]).toEqual(
          error ? ['RelayStorageError', false] : [undefined, undefined],
        )
      }
      store.error = undefined
      await group.write({ bytes, items: 1 })
      await expect(group.write({ bytes: bytes + 1, items: 1 })).rejects.toThrow(RelayStorageError)
    },
  )

  test('an unavailable store is tried again after 50 ms, then after doubled pauses of at most 1 s', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 0 })
    onTestFinished(() => void vi.useRealTimers())
    const attempts: [ms: number, outcome: string][] = []
    const failing = new Set([1, 2, 3, 4, 5, 6, 7, 9])
    let reports = 0
    const group = createGroupCommit<string, string>({
      commit: async (writes) => {
        const fails = failing.has(attempts.length + 1)
        attempts.push([Date.now(), fails ? 'fails' : writes.join()])
        if (fails) throw new Error('unavailable')
        return [...writes]
      },
      isFault: () => false,
      weigh: () => 4 * mib,
      onError: () => (reports += 1),
    })
    const writes = [group.write('a'), group.write('b')]
    await turn()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await Promise.all(writes)).toEqual(['a', 'b'])
    expect(attempts).toEqual([
      ...[0, 50, 150, 350, 750, 1_550, 2_550].map((ms) => [ms, 'fails']),
      [3_550, 'a'],
      [3_550, 'fails'],
      [3_600, 'b'],
    ])
    // Each outage is reported once.
    expect([reports, group.error()]).toEqual([2, undefined])
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

  test.each([true, false])(
    'a rejected write may be stored unless no commit was sent: %s',
    async (isUnsent) => {
      const error = new Error('unavailable')
      const group = createGroupCommit<string, string>({
        commit: () => Promise.reject(error),
        isFault: () => false,
        isUnsent: (cause) => isUnsent && cause === error,
        weigh: () => 1,
      })
      const rejection = group.write('a').catch((cause: unknown) => cause)
      await expect.poll(() => group.error()).toBe(error)
      await group.close()
      expect(await rejection).toMatchObject({ name: 'RelayStorageError', isUnsent })
    },
  )

  test('close() commits pending writes', async () => {
    const { store, group } = createStore()
    const write = group.write('a')
    await group.close()
    expect(store.commits).toEqual([['a']])
    expect(await write).toBe('done a')
  })

  test('close() ends a pause, and does not wait for another one', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { store, group } = createSized()
    store.error = new Error('unavailable')
    const rejection = group.write({ bytes: 1, items: 1 }).catch((error: unknown) => error)
    await turn()
    await turn()
    await group.close()
    expect(await rejection).toMatchObject({ name: 'RelayStorageError', isUnsent: false })
    expect(store.commits).toEqual([])
  })
})
