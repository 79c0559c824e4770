import { setImmediate as iteration } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createTurns } from './createTurns.ts'

/** Turns with a clock that only jobs advance. */
function createClock() {
  let time = 0
  const done: string[] = []
  const turns = createTurns({ now: () => time })
  /** Runs a job that takes this many ms. @returns whether it ran immediately. */
  const run = (address: string, ms: number, bytes = 10_000_000) =>
    turns.run(
      address,
      () => {
        time += ms
        done.push(address)
      },
      bytes,
    )
  return { turns, run, done, pass: (ms: number) => (time += ms) }
}

/** Resolves once this many jobs are done. */
async function until(done: readonly string[], count: number) {
  for (let left = 10_000; done.length < count && left > 0; left -= 1) await iteration()
  expect(done).toHaveLength(count)
}

describe('turns', () => {
  test('a job runs immediately while the loop is not busy', async () => {
    const { run, done } = createClock()
    expect([run('a', 1), run('b', 1), run('a', 1)]).toEqual([true, true, true])
    expect(done).toEqual(['a', 'b', 'a'])
    await iteration()
    expect(run('a', 1)).toBe(true)
  })

  test('a job waits if earlier jobs have used the time of this iteration', async () => {
    const { run, done } = createClock()
    expect(run('a', 49)).toBe(true)
    expect(run('a', 1)).toBe(true)
    expect(run('b', 1)).toBe(false)
    expect(done).toEqual(['a', 'a'])
    await until(done, 3)
  })

  test('the more addresses are active, the sooner sockets are read again', async () => {
    const phase = async (addresses: number) => {
      const { run, done } = createClock()
      let count = 0
      while (run(`${count % addresses}`, 1)) count += 1
      await until(done, count + 1)
      return count
    }
    expect([await phase(1), await phase(2), await phase(4), await phase(10)]).toEqual([
      50, 25, 13, 8,
    ])
  })

  test('if many addresses wait, their jobs run for 4 ms in each iteration', async () => {
    const { run, done } = createClock()
    run('busy', 50)
    for (let count = 0; count < 100; count += 1) run(`${count % 20}`, 1)
    const counts = new Set<number>()
    for (let before = 1; before < 101; before = done.length) {
      await iteration()
      counts.add(done.length - before)
    }
    expect(counts).toEqual(new Set([4]))
  })

  test('a promise resolves after the jobs that wait for the same address', async () => {
    const { turns, run, done } = createClock()
    run('a', 50)
    run('b', 1)
    await turns.next('b', 0)
    expect(done).toEqual(['a', 'b'])
  })

  test('attack: an address with many expensive jobs does not delay the jobs of another', async () => {
    const { run, done } = createClock()
    run('busy', 50)
    for (let count = 0; count < 100; count += 1) run('attacker', 5)
    for (let count = 0; count < 20; count += 1) run('honest', 0.1)
    await until(done, 121)
    // In order of arrival, 100 jobs of the attacker would come first.
    expect(done.slice(0, done.lastIndexOf('honest')).filter((it) => it === 'attacker').length).toBe(
      1,
    )
  })

  test('attack: addresses with many jobs share the time equally, whatever their jobs cost', async () => {
    const { run, done } = createClock()
    run('busy', 50)
    for (let count = 0; count < 400; count += 1)
      for (const [address, ms] of [
        ['cheap', 0.1],
        ['expensive', 1],
      ] as const)
        run(address, ms)
    await until(done, 801)
    const first = done.slice(1, 221)
    expect(first.filter((it) => it === 'cheap').length).toBeGreaterThan(190)
    expect(first.filter((it) => it === 'expensive').length).toBeGreaterThan(15)
  })

  test('attack: an address that has used less time than many busy ones is next, for several small jobs', async () => {
    const { run, done } = createClock()
    run('busy', 50)
    for (let count = 0; count < 40; count += 1)
      for (let attacker = 0; attacker < 20; attacker += 1) run(`attacker ${attacker}`, 1)
    while (done.length < 200) await iteration()
    const before = done.length
    for (let count = 0; count < 9; count += 1) expect(run('honest', 0.2)).toBe(false)
    await until(done, 810)
    expect(done.slice(before, before + 9)).toEqual(Array(9).fill('honest'))
  })

  test('attack: no address gets far ahead by having been idle', async () => {
    const { run, done } = createClock()
    run('busy', 50)
    for (let count = 0; count < 200; count += 1) run('a', 1)
    while (done.length < 100) await iteration()
    const before = done.length
    for (let count = 0; count < 100; count += 1) run('idle', 1)
    await until(done, 301)
    const shares = done.slice(before, before + 40).filter((it) => it === 'idle').length
    expect(shares).toBeGreaterThanOrEqual(20)
    expect(shares).toBeLessThanOrEqual(22)
  })

  test('attack: an address pays for an expensive job, even if no other of its jobs waits', async () => {
    const { run, done } = createClock()
    run('busy', 50)
    run('attacker', 20)
    for (let count = 0; count < 100; count += 1) run('a', 1)
    while (!done.includes('attacker')) await iteration()
    const before = done.length
    run('attacker', 20)
    await until(done, 103)
    expect(done.indexOf('attacker', before) - before).toBeGreaterThan(15)
  })

  test('the jobs of an address run in order', async () => {
    const { turns, run } = createClock()
    const seen: number[] = []
    run('a', 50)
    for (let job = 0; job < 50; job += 1)
      if (job % 5 === 0) void turns.next('a', 0).then(() => seen.push(job))
      else turns.run('a', () => seen.push(job), 0)
    while (seen.length < 50) await iteration()
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
  })

  test('sockets are read between two phases of waiting jobs', async () => {
    const { run, done } = createClock()
    run('a', 50)
    for (let count = 0; count < 100; count += 1) run(`${count % 5}`, 2)
    const steps: number[] = []
    while (done.length < 101) {
      const before = done.length
      await iteration()
      steps.push(done.length - before)
    }
    // 10 ms of jobs that take 2 ms each.
    expect(Math.max(...steps)).toBeLessThanOrEqual(5)
    expect(steps.filter((count) => count > 0).length).toBeGreaterThan(15)
  })

  test('a job is charged for the microtasks that it starts', async () => {
    const { turns, run, done, pass } = createClock()
    run('busy', 50)
    for (let count = 0; count < 10; count += 1) {
      void turns.next('hidden', 10_000_000).then(() => {
        pass(5)
        done.push('hidden')
      })
      run('open', 0.1)
    }
    await until(done, 21)
    expect(done.slice(0, done.lastIndexOf('open')).filter((it) => it === 'hidden').length).toBe(1)
  })

  test('an address enters its turn immediately while the loop is not busy, and otherwise waits', async () => {
    const { turns, run, done } = createClock()
    expect(turns.enter('a', 0)).toBe(undefined)
    run('busy', 50)
    const entered = turns.enter('b', 0)!.then(() => done.push('b'))
    run('b', 1)
    await entered
    expect(done).toEqual(['busy', 'b'])
    await until(done, 3)
  })

  test('attack: an address is charged for what it does after it enters its turn immediately', async () => {
    const { turns, run, done, pass } = createClock()
    expect(turns.enter('hidden', 10_000_000)).toBe(undefined)
    await Promise.resolve().then(() => pass(20))
    run('busy', 50)
    await new Promise((resolve) => process.nextTick(resolve))
    for (let count = 0; count < 10; count += 1) {
      run('hidden', 1)
      run('open', 1)
    }
    await until(done, 21)
    expect(done.slice(1, 11)).toEqual(Array(10).fill('open'))
  })

  test('a small job is charged little more than 2 ms, because the time may include a garbage collection', async () => {
    const { run, done } = createClock()
    run('busy', 50)
    run('honest', 200, 100)
    for (let count = 0; count < 10; count += 1) {
      run('other', 1, 100)
      run('honest', 0.1, 100)
    }
    await until(done, 22)
    // With the full 200 ms charged, all jobs of the other address would come first.
    expect(done.indexOf('honest', 3)).toBeLessThan(done.lastIndexOf('other'))
  })
  test('a new job waits while others wait', async () => {
    const { run, done } = createClock()
    run('a', 50)
    for (let count = 0; count < 10; count += 1) run('a', 10)
    await iteration()
    expect(done.length).toBeLessThan(11)
    expect(run('b', 1)).toBe(false)
    await until(done, 12)
  })

  test('once no job waits, the time that addresses have used no longer counts', async () => {
    const { run, done } = createClock()
    run('a', 50)
    await iteration()
    await iteration()
    run('busy', 50)
    run('a', 1)
    run('b', 1)
    await until(done, 4)
    expect(done).toEqual(['a', 'busy', 'a', 'b'])
  })
})
