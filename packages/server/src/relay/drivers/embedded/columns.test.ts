import { expect, test } from 'vitest'
import type { StoredMessage } from '../RelayDriver.ts'
import { fromColumns, toColumns } from './columns.ts'
import type { Write } from './commitWrites.ts'

const message = (id: string, change: Partial<StoredMessage> = {}): StoredMessage => ({
  topic: 'topic',
  id,
  message: `text of ${id}`,
  attestation: undefined,
  tag: 1108,
  publisher: 'app',
  charge: undefined,
  seq: 7,
  publishedAt: 1_000,
  expiresAt: 2_000,
  ...change,
})

test('writes of all kinds are the same after they were sent to another thread as columns', () => {
  const writes: Write[] = [
    { kind: 'subscribe', clientId: 'wallet', topics: ['a', 'b'] },
    { kind: 'publish', messages: [message('1', { attestation: 'j.w.t', charge: '5 1024 a' })] },
    { kind: 'acknowledge', clientId: 'wallet', receipts: [{ topic: 'a', id: '0', seq: 6 }] },
    { kind: 'publish', messages: [] },
    { kind: 'unsubscribe', clientId: 'other', topics: ['c'] },
    { kind: 'subscribe', clientId: 'other', topics: [] },
    { kind: 'publish', messages: [message('2', { seq: 8 }), message('3', { topic: 'b' })] },
    {
      kind: 'acknowledge',
      clientId: 'other',
      receipts: [
        { topic: 'b', id: '3', seq: undefined },
        { topic: 'a', id: '1', seq: 7 },
      ],
    },
  ]
  expect(fromColumns(structuredClone(toColumns(writes)))).toEqual(writes)
  expect(fromColumns(toColumns([]))).toEqual([])
})
