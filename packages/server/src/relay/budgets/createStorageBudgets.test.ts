import { setImmediate as turn } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { createLocalLedger } from './createLocalLedger.ts'
import { createStorageBudgets, type StorageBudgets } from './createStorageBudgets.ts'
import type { Ledger } from './Ledger.ts'

const minuteMs = 60_000
const limit = (waiting: number) => ({ waiting, hourly: 1e9 })
const limits = {
  address: limit(10_000),
  client: limit(20_000),
  project: limit(30_000),
  all: limit(40_000),
}

let time: number
let budgets: StorageBudgets
beforeEach(() => {
  time = 1_000_000 * minuteMs
  budgets = create(createLocalLedger({ now: () => time }))
})

function create(ledger: Ledger) {
  return createStorageBudgets({ limits, ledger, secret: 'secret', now: () => time })
}

const item = (bytes: number) => ({ bytes, expiresAt: time + 10 * minuteMs })
const payer = (address: string, clientId = address, projectId = address) => ({
  address,
  clientId,
  projectId,
})

describe('attack: a budget', () => {
  test.each<[string, number, (index: number) => ReturnType<typeof payer>]>([
    ['address', 10_000, (index) => payer('a', `${index}`, `${index}`)],
    ['client', 20_000, (index) => payer(`${index}`, 'a', `${index}`)],
    ['project', 30_000, (index) => payer(`${index}`, `${index}`, 'a')],
    ['relay', 40_000, (index) => payer(`${index}`)],
  ])('per %s is enforced to the byte', async (kind, most, payerOf) => {
    for (let index = 0; index < most / 2_000; index += 1)
      expect(await budgets.charge(payerOf(index), [item(2_000)])).toHaveLength(1)
    expect(await budgets.charge(payerOf(99), [item(1)])).toBeUndefined()
    const others = await budgets.charge(payer('other'), [item(2_000)])
    expect(others?.length).toBe(kind === 'relay' ? undefined : 1)
  })

  test('is charged at least 1 KiB for a message', async () => {
    for (let index = 0; index < 9; index += 1)
      expect(await budgets.charge(payer('a'), [item(1)])).toHaveLength(1)
    expect(await budgets.charge(payer('a'), [item(1)])).toBeUndefined()
    expect(await budgets.charge(payer('b'), [item(5_000), item(5_001)])).toBeUndefined()
    expect(await budgets.charge(payer('b'), [item(5_000), item(5_000)])).toHaveLength(2)
  })
})

describe('senders of many bytes', () => {
  const reserving = (now: () => number) =>
    createStorageBudgets({
      limits: {
        address: { waiting: 256_000, hourly: 512_000, smallShare: 1 / 64 },
        client: limit(1e6),
        project: { waiting: 512_000, hourly: 1_024_000, ceiling: 1.5 },
        all: { waiting: 1_024_000, hourly: 1e9, ceiling: 1.25 },
      },
      ledger: createLocalLedger({ now }),
      secret: 'secret',
      now,
    })
  /** Charges addresses until one is refused. @returns the sum of the bytes. */
  async function fill(
    budgets: StorageBudgets,
    { bytes, name, projectOf }: { bytes: number; name: string; projectOf: (i: number) => string },
  ) {
    for (let index = 0; ; index += 1) {
      const from = payer(`${name}${index}`, `${name}${index}`, projectOf(index))
      if (!(await budgets.charge(from, [item(bytes)]))) return index * bytes
    }
  }

  test('attack: leave room in their project for addresses that use little, up to a ceiling', async () => {
    const budgets = reserving(() => time)
    const projectOf = () => 'site'
    expect(await fill(budgets, { bytes: 256_000, name: 'attacker', projectOf })).toBe(512_000)
    const small = payer('small', 'small', 'site')
    for (let index = 0; index < 2; index += 1)
      expect(await budgets.charge(small, [item(2_000)])).toHaveLength(1)
    expect(await budgets.charge(small, [item(2_000)])).toBeUndefined()
    expect(await budgets.charge(payer('attacker0', 'key', 'site'), [item(1)])).toBeUndefined()
    expect(await fill(budgets, { bytes: 4_000, name: 'bot', projectOf })).toBe(252_000)
    expect(await budgets.charge(payer('late', 'late', 'site'), [item(1)])).toBeUndefined()
    expect(await budgets.charge(payer('late', 'late', 'other'), [item(256_000)])).toHaveLength(1)
  })

  test('attack: leave room in the relay for addresses that use little, up to a ceiling', async () => {
    const budgets = reserving(() => time)
    const projectOf = (index: number) => `site ${index}`
    expect(await fill(budgets, { bytes: 256_000, name: 'attacker', projectOf })).toBe(1_024_000)
    expect(await fill(budgets, { bytes: 4_000, name: 'bot', projectOf })).toBe(256_000)
  })

  test('attack: leave room in the hourly bytes of their project for addresses that publish little', async () => {
    const budgets = reserving(() => time)
    const publish = async (name: string, bytes: number) => {
      const charges = await budgets.charge(payer(name, name, 'site'), [item(bytes)])
      if (charges) budgets.release(charges)
      return charges !== undefined
    }
    for (const name of ['1', '2', '3', '4']) expect(await publish(name, 256_000)).toBe(true)
    expect([await publish('5', 256_000), await publish('1', 1_024)]).toEqual([false, false])
    for (let count = 0; count < 2; count += 1) expect(await publish('small', 4_000)).toBe(true)
    expect(await publish('small', 1_024)).toBe(false)
  })
})

test('an address, a client and a project with the same name have separate budgets', async () => {
  for (const one of [payer('a', 'b', 'c'), payer('b', 'c', 'a'), payer('c', 'a', 'b')])
    expect(await budgets.charge(one, [item(10_000)])).toHaveLength(1)
})

test('a charge contains the minute, the bytes, and the payers’ names hashed with the secret', async () => {
  const [charge = ''] = (await budgets.charge(payer('192.0.2.1', 'did:key:z', 'site'), [item(1)]))!
  expect(charge).toMatch(/^1000010 1024 a\S+ c\S+ p\S+$/)
  expect(charge).not.toMatch(/192\.0\.2\.1|did:key|site/)
  const ledger = createLocalLedger({ now: () => time })
  const other = createStorageBudgets({ limits, ledger, secret: 'other', now: () => time })
  expect(await other.charge(payer('192.0.2.1', 'did:key:z', 'site'), [item(1)])).not.toContain(
    charge,
  )
})

test('released messages no longer count', async () => {
  const charges = (await budgets.charge(payer('a'), [item(6_000), item(4_000)]))!
  budgets.release(charges.slice(0, 1))
  expect(await budgets.charge(payer('a'), [item(6_001)])).toBeUndefined()
  expect(await budgets.charge(payer('a'), [item(6_000)])).toHaveLength(1)
})

test('messages that waited at the start are counted, and charges wait for the count', async () => {
  const charges = (await budgets.charge(payer('a'), [item(9_000)]))!
  const restarted = create(createLocalLedger({ now: () => time }))
  const { promise, resolve } = Promise.withResolvers<void>()
  const errors: unknown[] = []
  restarted.restore(
    (async function* () {
      await promise
      yield charges
    })(),
    (error) => errors.push(error),
  )
  const charging = restarted.charge(payer('a'), [item(1_024)])
  resolve()
  expect(await charging).toBeUndefined()
  expect(await restarted.charge(payer('a', 'b', 'c'), [item(1_000)])).toBeUndefined()
  expect(await restarted.charge(payer('b'), [item(1_024)])).toHaveLength(1)
  expect(errors).toEqual([])
})

test('error: charges continue if the waiting messages cannot be counted', async () => {
  const errors: unknown[] = []
  const failure = new Error('no storage')
  budgets.restore(
    // oxlint-disable-next-line require-yield
    (async function* (): AsyncGenerator<string[]> {
      throw failure
    })(),
    (error) => errors.push(error),
  )
  expect(await budgets.charge(payer('a'), [item(1)])).toHaveLength(1)
  expect(errors).toEqual([failure])
})

test('a client’s messages stay in order if one charge takes longer than the next', async () => {
  const pending: PromiseWithResolvers<boolean>[] = []
  const asked: number[] = []
  const slow = create({
    charge(_accounts, slots) {
      asked.push([...slots.values()][0]!)
      const answer = Promise.withResolvers<boolean>()
      pending.push(answer)
      return answer.promise
    },
    add() {},
  })
  const ended: string[] = []
  const charge = async (name: string, client: string, bytes: number) => {
    await Promise.resolve(slow.charge(payer('x', client), [item(bytes)])).then(
      () => ended.push(name),
      () => ended.push(`${name} failed`),
    )
  }
  const all = [charge('1', 'a', 2_001), charge('2', 'a', 2_002), charge('3', 'b', 2_003)]
  await turn()
  // Another client does not wait.
  expect(asked).toEqual([2_001, 2_003])
  pending[1]!.resolve(true)
  await turn()
  expect(ended).toEqual(['3'])
  pending[0]!.resolve(true)
  await turn()
  expect([asked, ended]).toEqual([
    [2_001, 2_003, 2_002],
    ['3', '1'],
  ])
  all.push(charge('4', 'a', 2_004))
  await turn()
  expect(asked).toHaveLength(3)
  pending[2]!.resolve(false)
  await turn()
  expect(asked).toEqual([2_001, 2_003, 2_002, 2_004])
  pending[3]!.resolve(true)
  await Promise.all(all)
  expect(ended).toEqual(['3', '1', '2', '4'])
})

test('error: a failed charge does not make the client’s next charges fail', async () => {
  let fails = true
  const ledger = create({
    charge: async () => {
      if (fails) throw new Error('no ledger')
      return true
    },
    add() {},
  })
  await expect(ledger.charge(payer('a'), [item(1)])).rejects.toThrow('no ledger')
  fails = false
  expect(await ledger.charge(payer('a'), [item(1)])).toHaveLength(1)
})
