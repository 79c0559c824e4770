import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { RelayStorageError } from '../errors.ts'
import { createGroupCommit } from './createGroupCommit.ts'

// As in createGroupCommit.test.ts, because the mutation tests run both with one instance of the module.
vi.mock('node:timers/promises', async (original) => {
  const { mockTimersPromises } = await import('../../testing/mockTimersPromises.ts')
  return mockTimersPromises(original)
})

const kib = 1024
const mib = 1024 * kib

function createLanes(maxItems = 10, maxSharedItems?: number) {
  const commits: string[][] = []
  const group = createGroupCommit<string, undefined>({
    commit: async (writes) => {
      commits.push([...writes])
      return writes.map(() => undefined)
    },
    isFault: () => false,
    maxItems,
    ...(maxSharedItems && { maxSharedItems }),
    count: (write) => Number(write.split(' ')[2] ?? 1),
    laneOf: (write) => {
      const [clientId, address = ''] = write.split(' ')[0]!.split('@')
      return { address, clientId: clientId! }
    },
    weigh: () => 100,
  })
  return { commits, group }
}

type Written = {
  name: string
  client?: string
  address?: string
  bytes?: number
  items?: number
}

/** Groups writes whose client and address are their name, unless they have others. `commits` contains their names. */
function createGroup() {
  const commits: string[][] = []
  const group = createGroupCommit<Written, undefined>({
    commit: async (committed) => {
      await turn()
      commits.push(committed.map(({ name }) => name))
      return committed.map(() => undefined)
    },
    isFault: () => false,
    count: ({ items = 1 }) => items,
    laneOf: ({ name, client = name, address = name }) => ({ address, clientId: client }),
    weigh: ({ bytes = 100 }) => bytes,
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

test('attack: writes of many clients of one address do not delay another address', async () => {
  const { commits, group } = createLanes()
  const flood = Array.from({ length: 30 }, (_, index) => group.write(`flood${index}@a 0`))
  await Promise.all([...flood, group.write('one@b 0'), group.write('two@b 1')])
  expect(commits[0]).toHaveLength(10)
  expect(commits[0]).toEqual(expect.arrayContaining(['one@b 0', 'two@b 1']))
})

test('commits are smaller for a second after writes of several addresses have waited', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0)
  onTestFinished(() => now.mockRestore())
  const { commits, group } = createLanes(10, 4)
  const writeAll = (writes: string[]) => Promise.all(writes.map((write) => group.write(write)))
  const flood = Array.from({ length: 8 }, (_, index) => `flood${index}@a 0`)
  await writeAll(flood)
  await writeAll([...flood, 'one@b 0'])
  now.mockReturnValue(999)
  await writeAll(flood)
  now.mockReturnValue(1_000)
  await writeAll(flood)
  expect(commits.map((writes) => writes.length)).toEqual([8, 4, 4, 1, 4, 4, 8])
  expect(commits[1]).toContain('one@b 0')
})

test('attack: large writes of one client use the room that is left after a share of each client', async () => {
  const { commits, group } = createGroup()
  const write = (name: string) => group.write({ name, address: 'one', bytes: 512 * kib })
  await Promise.all([...Array.from({ length: 9 }, () => write('a')), write('b')])
  expect(commits[0]!.join('')).toBe('aaaaaaab')
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

test('writes that fit are committed, also those after a write without room', async () => {
  const { commits, group } = createLanes()
  const small = Array.from({ length: 9 }, (_, index) => `small ${index}`)
  await Promise.all(['first 0', 'large 0 6', ...small].map((write) => group.write(write)))
  expect(commits).toEqual([['first 0', ...small], ['large 0 6']])
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

describe('large writes, while several addresses write', () => {
  /** Makes the writes during a commit of a large write. @returns the names of the writes in each later commit. */
  async function commitsAfterLarge(writes: Written[]) {
    const { commits, group } = createGroup()
    const first = group.write({ name: 'first', bytes: mib })
    await turn()
    await Promise.all([first, ...writes.map((write) => group.write(write))])
    expect(commits.shift()).toEqual(['first'])
    return commits
  }

  test('attack: never two commits in succession have large writes while small ones wait', async () => {
    const large = ['A', 'B', 'C'].map((name) => ({ name, bytes: mib }))
    const small = Array.from({ length: 80 }, (_, index) => ({
      name: `${index}`,
      bytes: 40 * kib,
    }))
    const commits = await commitsAfterLarge([...large, ...small])
    const marks = commits.map((names) => names.filter((name) => /[A-C]/.test(name)).join(''))
    expect(marks).toEqual(['', 'A', '', 'B', 'C'])
    expect(commits.flat()).toHaveLength(83)
  })

  test.each<[what: string, size: Partial<Written>, commits: string[][]]>([
    ['64 KiB is not large', { bytes: 64 * kib }, [['a', 'b', 'c']]],
    ['more than 64 KiB is large', { bytes: 64 * kib + 1 }, [['a', 'c'], ['b']]],
  ])('a write of %s', async (_, size, commits) => {
    const writes = [{ name: 'a' }, { name: 'b', ...size }, { name: 'c' }]
    expect(await commitsAfterLarge(writes)).toEqual(commits)
  })

  test('are part of the first commit', async () => {
    const { commits, group } = createGroup()
    await Promise.all([{ name: 'a', bytes: mib }, { name: 'b' }].map((write) => group.write(write)))
    expect(commits).toEqual([['a', 'b']])
  })

  test('keep their place among the writes of their client', async () => {
    const of = (client: string, name: string, bytes = 100) => ({
      client,
      address: client,
      name,
      bytes,
    })
    const writes = [of('a', 'a1'), of('a', 'a2', 65 * kib), of('a', 'a3'), of('b', 'b1')]
    expect(await commitsAfterLarge(writes)).toEqual([
      ['a1', 'b1'],
      ['a2', 'a3'],
    ])
  })

  test('do not wait if no small write can be made', async () => {
    const of = (client: string, name: string, bytes: number) => ({ client, name, bytes })
    const writes = [of('a', 'a1', 65 * kib), of('a', 'a2', 1), of('b', 'b1', 65 * kib)]
    expect(await commitsAfterLarge(writes)).toEqual([['a1', 'a2', 'b1']])
  })

  test('do not wait if they are all of one address', async () => {
    const writes = ['a', 'b'].map((name) => ({ name, address: 'one', bytes: 64 * kib + 1 }))
    expect(await commitsAfterLarge([...writes, { name: 'c', address: 'one' }])).toEqual([
      ['a', 'b', 'c'],
    ])
  })

  test('attack: while several addresses write, a commit has at most 1 MiB minus 1/64', async () => {
    const writes = Array.from({ length: 40 }, (_, index) => ({
      name: `${index}`,
      bytes: 60 * kib,
    }))
    const sizes = (await commitsAfterLarge(writes)).map((names) => names.length * 60)
    expect(sizes).toEqual([1_020, 1_020, 360])
  })
})

test('error: a write that has waited for 60 s is rejected, also behind younger writes', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0)
  onTestFinished(() => now.mockRestore())
  let fail: (error: Error) => void = () => {}
  const group = createGroupCommit<string, undefined>({
    commit: () => new Promise((_, reject) => (fail = reject)),
    isFault: () => false,
    maxItems: 10,
    count: (write) => Number(write.split(' ')[1]),
    laneOf: (write) => ({ address: '', clientId: write.split(' ')[0]! }),
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
