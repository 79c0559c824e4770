import { limits } from '@gatefold/protocol'
import { describe, expect, onTestFinished, test, vi } from 'vitest'

import type { KitInstance } from '../../kit/Kit.ts'
import { memoryStorage } from '../../storage/storage.ts'
import { createPendingStore } from './pendingStore.ts'
import type { PendingTransaction } from './PendingTransaction.ts'

const gateway = 'https://gate.example'
const kit = {
  options: { storageKey: 'gatefold', projectId: undefined, endpoints: { gateway } },
} as unknown as KitInstance

const transfer = {
  direction: 'out',
  name: 'ETH',
  amount: '0.25',
  isNft: true,
  image: `${gateway}/v1/images/1`,
} as const
const transaction: PendingTransaction = {
  id: '0xone',
  hash: '0xtwo',
  type: 'send',
  status: 'confirmed',
  account: '0xfrom',
  networkId: 'eip155:1',
  to: '0xto',
  transfers: [transfer],
  time: Date.now() - 2_000,
  endedAt: Date.now() - 1_000,
  fee: '0.001',
  reason: 'no',
  earlier: ['0xone'],
  cancelHash: '0xthree',
  missingAt: 1,
  mark: { nonce: 7, block: 100, content: '0xcontent' },
}

/** Reads a list that is in the storage. */
function read(list: unknown) {
  const storage = memoryStorage()
  const store = createPendingStore(kit, storage)
  storage.setItem(store.key, typeof list === 'string' ? list : JSON.stringify(list))
  return store.read()
}
/** Reads the transaction with a change. @returns `undefined` if it is not valid */
const readOne = (change: Record<string, unknown>) => read([{ ...transaction, ...change }])[0]

test('a list is read as it was written, and an empty one is removed', () => {
  const storage = memoryStorage()
  const store = createPendingStore(kit, storage)
  expect([store.key, store.read()]).toEqual(['gatefold.pending.default', []])
  store.write([transaction])
  expect(store.read()).toEqual([transaction])
  expect(createPendingStore(kit, storage).read()).toEqual([transaction])
  store.write([])
  expect([storage.getItem(store.key), store.read()]).toEqual([null, []])
})

test('each project has a separate list', () => {
  const own = { options: { ...kit.options, projectId: 'p1' } } as KitInstance
  expect(createPendingStore(own, memoryStorage()).key).toBe('gatefold.pending.p1')
})

test('only the newest transactions are kept', () => {
  const store = createPendingStore(kit, memoryStorage())
  const many = Array.from({ length: limits.pendingTransactions + 1 }, (_, index) => ({
    ...transaction,
    id: `${index}`,
  }))
  store.write(many)
  expect(store.read()).toEqual(many.slice(0, -1))
  expect(read(many)).toEqual(many.slice(0, -1))
  const setItem = () => {
    throw new DOMException('full', 'QuotaExceededError')
  }
  const full = createPendingStore(kit, { ...memoryStorage(), setItem })
  full.write(many)
  expect(full.read()).toEqual(many.slice(0, -1))
})

test('a full storage: the list is kept in memory until it can be stored', () => {
  const storage = memoryStorage()
  let isFull = true
  const store = createPendingStore(kit, {
    ...storage,
    setItem(key, value) {
      if (isFull) throw new DOMException('full', 'QuotaExceededError')
      storage.setItem(key, value)
    },
  })
  store.write([transaction])
  expect([store.read(), storage.getItem(store.key)]).toEqual([[transaction], null])
  isFull = false
  store.write([transaction])
  storage.removeItem(store.key)
  expect(store.read()).toEqual([])
})

test('a storage that cannot be read has no list', () => {
  const blocked = {
    ...memoryStorage(),
    getItem() {
      throw new DOMException('blocked', 'SecurityError')
    },
  }
  expect(createPendingStore(kit, blocked).read()).toEqual([])
})

describe('a transaction is removed', () => {
  test.each([
    [
      'if it was submitted too long ago',
      'time',
      limits.pendingKeepMs,
      { status: 'pending', endedAt: undefined },
    ],
    ['if it ended too long ago', 'endedAt', limits.pendingEndedKeepMs, {}],
  ])('%s', (_what, member, keepMs, change) => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const withTime = (time: number) =>
      readOne({ ...change, [member]: time, ...(member === 'endedAt' && { time }) })
    expect(withTime(Date.now() - keepMs)).toBeUndefined()
    expect(withTime(Date.now() - keepMs + 1)).toBeDefined()
  })
})

describe('attack: another script of the page changes the storage', () => {
  test.each(['', 'text', '{}', 'null', '7', '[null]', '[7]', '[[]]', '{"length":1}'])(
    'to %j, which has no transactions',
    (text) => {
      expect(read(text)).toEqual([])
    },
  )

  test.each<[keyof PendingTransaction, unknown[], unknown[]]>([
    [
      'id',
      ['0x1', 'a:b.c-d_e', 'a'.repeat(128)],
      ['', 'a b', 'a'.repeat(129), ' a', 'a\n', 7, undefined],
    ],
    ['hash', ['0x1'], ['', 7, undefined]],
    ['account', ['0x1'], ['', 7, undefined]],
    ['networkId', ['solana:1'], ['', 7, undefined]],
    ['time', [Date.now()], [-1, 1.5, '1', undefined]],
    ['type', ['send', 'approve', 'trade', 'execute'], ['other', undefined]],
    ['status', ['confirmed', 'failed', 'canceled', 'replaced', 'dropped'], ['other', 'pending']],
    ['endedAt', [], [undefined, -1, 1.5, '1']],
    ['transfers', [], [[], {}, undefined, [null], [{}]]],
  ])('to one with another %s, which is read only if valid', (member, right, wrong) => {
    for (const value of right)
      expect(readOne({ [member]: value })).toEqual({ ...transaction, [member]: value })
    for (const value of wrong) expect(readOne({ [member]: value })).toBeUndefined()
  })

  test('to a batch, which is read only with a valid id and connector', () => {
    const id = ' '.repeat(limits.callsIdLength)
    const batch = { id, callsId: id, connectorId: 'relay', hash: undefined }
    expect(readOne(batch)).toEqual({ ...transaction, ...batch })
    expect(readOne({ ...batch, hash: '0x1' })).toEqual({ ...transaction, ...batch, hash: '0x1' })
    for (const change of [
      { id: `${id} `, callsId: `${id} ` },
      { id: '', callsId: '' },
      { id: '0x1', callsId: ['0x1'] },
      { id: ' ' },
      { connectorId: '' },
      { hash: 7 },
    ])
      expect(readOne({ ...batch, ...change })).toBeUndefined()
    // A transaction is no batch, so it has no connector.
    expect(readOne({ connectorId: 'relay' })).toEqual(transaction)
  })

  test('to one that is pending, which is read only without an end', () => {
    const change = { status: 'pending', endedAt: undefined }
    expect(readOne(change)).toEqual({ ...transaction, ...change })
    expect(readOne({ ...change, endedAt: transaction.endedAt })).toBeUndefined()
  })

  test.each<[keyof PendingTransaction, unknown[], unknown]>([
    ['to', ['a b', 7, undefined], ''],
    [
      'fee',
      ['', '.5', '1.', '-1', 'x1', '1x', '1'.repeat(91), `0.${'1'.repeat(91)}`, 7],
      undefined,
    ],
    ['reason', [7], undefined],
    ['earlier', [{}, 'a', [7, 'a b']], []],
    ['cancelHash', ['a b', 7], undefined],
    ['missingAt', [-1, '1'], undefined],
    [
      'mark',
      [
        7,
        null,
        { ...transaction.mark, nonce: -1 },
        { ...transaction.mark, block: 1.5 },
        { ...transaction.mark, content: '' },
      ],
      undefined,
    ],
  ])('to one with an invalid %s, which is ignored', (member, values, used) => {
    for (const value of values)
      expect(readOne({ [member]: value })).toEqual({ ...transaction, [member]: used })
  })

  test('to the first transaction of an account, which has the nonce 0', () => {
    const mark = { nonce: 0, block: 0, content: '0xcontent' }
    expect(readOne({ mark })).toEqual({ ...transaction, mark })
  })

  test('to one with long texts and lists, which are shortened', () => {
    expect(
      readOne({ reason: 'r'.repeat(301), fee: `${'1'.repeat(90)}.${'1'.repeat(90)}` }),
    ).toEqual({
      ...transaction,
      reason: 'r'.repeat(300),
      fee: `${'1'.repeat(90)}.${'1'.repeat(90)}`,
    })
    const earlier = Array.from({ length: 11 }, (_, index) => `${index}`)
    expect(readOne({ earlier: [7, ...earlier] })?.earlier).toEqual(earlier.slice(0, 10))
    expect(readOne({ transfers: [transfer, transfer, transfer] })?.transfers).toHaveLength(2)
  })

  test.each<[string, object, object | undefined]>([
    ['a direction', { direction: 'in' }, { direction: 'in' }],
    ['no movement', { direction: 'self' }, { direction: 'self' }],
    ['another direction', { direction: 'up' }, undefined],
    ['no name', { name: '\u200b' }, undefined],
    ['a long name', { name: 'n'.repeat(61) }, { name: 'n'.repeat(60) }],
    ['an amount that is not a number', { amount: '1e3' }, undefined],
    ['an amount that is not text', { amount: 1 }, undefined],
    ['a flag that is not a boolean', { isNft: 'yes' }, { isNft: false }],
    ['a picture of another site', { image: 'https://evil.example/1' }, { image: undefined }],
  ])('to a transfer with %s', (_what, change, used) => {
    const found = readOne({ transfers: [{ ...transfer, ...change }] })
    expect(found?.transfers).toEqual(used && [{ ...transfer, ...used }])
  })
})
