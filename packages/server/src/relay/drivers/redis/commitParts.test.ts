import { beforeEach, describe, expect, test } from 'vitest'
import type { Redis, ScriptCall } from '../../../redis/openRedis.ts'
import { byPartition, commitParts, toChanges, type Part, type SentMessage } from './commitParts.ts'
import {
  channelOf,
  partitionCount,
  partitionOf,
  partitions,
  prefixOf,
  topicOf,
} from './partitions.ts'
import { scripts } from './scripts.ts'

const message = (topic: string, more: Partial<SentMessage> = {}): SentMessage => ({
  topic,
  write: `w ${topic}`,
  id: 'id',
  message: 'text',
  attestation: undefined,
  tag: 1108,
  publisher: 'app',
  ttlSeconds: 300,
  ...more,
})

test('topics and clients have one of 64 partitions, by the hash slot of their name', () => {
  // CRC16 (XMODEM) of `123456789` is 0x31C3.
  expect(partitionOf('123456789')).toBe(0x31c3 % 64)
  expect([partitionCount, partitions.length, partitions[0], partitions[63]]).toEqual([
    64, 64, 0, 63,
  ])
  expect(prefixOf(17)).toBe('gatefold:relay:4:{17}:')
  const topic = '0123456789abcdef'.repeat(4)
  expect(channelOf(topic)).toBe(`gatefold:relay:4:{${partitionOf(topic)}}:n:${topic}`)
  expect(topicOf(channelOf(topic))).toBe(topic)
  const [a, b] = [message('123456789'), message(topic)]
  expect([...byPartition([a, b, a])]).toEqual([
    [partitionOf(a.topic), [a, a]],
    [partitionOf(b.topic), [b]],
  ])
})

test.each([true, false])(
  'a subscription is changed for its topic and for its client: added %s',
  (isAdded) => {
    const changes = toChanges('client', ['t1', 't2'], isAdded)
    const found = [...changes].flatMap(([partition, changes]) =>
      changes.map(({ set, member, isAdded }) => ({ partition, set, member, isAdded })),
    )
    const ofTopic = (topic: string) => ({
      partition: partitionOf(topic),
      set: `c:${topic}`,
      member: 'client',
      isAdded,
    })
    const ofClient = (member: string) => ({
      partition: partitionOf('client'),
      set: 's:client',
      member,
      isAdded,
    })
    expect(found).toHaveLength(4)
    expect(found).toEqual(
      expect.arrayContaining([ofTopic('t1'), ofClient('t1'), ofTopic('t2'), ofClient('t2')]),
    )
  },
)

describe('a commit', () => {
  const dropped: string[][] = []
  const calls: ScriptCall[] = []
  beforeEach(() => {
    dropped.length = 0
    calls.length = 0
  })
  const commit = (spansSlots: boolean, replies: unknown[], committed: readonly Part[] = parts) => {
    const redis = {
      spansSlots,
      commit: async (all: readonly ScriptCall[]) => {
        calls.push(...all)
        return replies
      },
    } as Partial<Redis> as Redis
    return commitParts(redis, committed, 5_000, (charges) => dropped.push([...charges]))
  }
  const parts: Part[] = [
    {
      partition: 1,
      kind: 'publish',
      messages: [message('a'), message('b', { attestation: '', charge: 'c' })],
    },
    { partition: 2, kind: 'publish', messages: [message('c', { attestation: 'x.y.z' })] },
    { partition: 1, kind: 'publish', messages: [message('d')] },
    {
      partition: 1,
      kind: 'acknowledge',
      clientId: 'w',
      receipts: [
        { topic: 'a', id: '1' },
        { topic: 'b', id: '2' },
      ],
    },
    { partition: 3, kind: 'acknowledge', clientId: 'v', receipts: [{ topic: 'c', id: '3' }] },
    { partition: 1, kind: 'acknowledge', clientId: 'u', receipts: [{ topic: 'a', id: '1' }] },
    { partition: 1, kind: 'subscribe', changes: [{ set: 's:w', member: 'a', isAdded: true }] },
    { partition: 1, kind: 'subscribe', changes: [{ set: 's:w', member: 'a', isAdded: false }] },
  ]
  // Messages are deduplicated for ten minutes; acknowledgements expire after at most a week.
  const lifetimes = ['600000', '604800000']
  const limits = ['5000', '1000', '8388608', '600000']
  const head = (index: string, topic: string) => [index, topic, 'id', '300000', 'app', '1108']
  const a = [...head('1', 'a'), '', '', 'w a', 'text']
  const b = [...head('1', 'b'), '\0', 'c', 'w b', 'text']
  const c = (index: string) => [...head(index, 'c'), 'x.y.z', '', 'w c', 'text']
  const d = [...head('1', 'd'), '', '', 'w d', 'text']
  const changes = {
    script: scripts.changeSubscriptions,
    keys: [prefixOf(1)],
    // 30 days
    args: ['2592000000', '1', 's:w', 'a', '1', '1', 's:w', 'a', '0'],
  }

  test('to a cluster has a script for each kind of writes to a partition, acknowledgements first', async () => {
    const replies = [
      ['charge 1', 'charge 2'],
      ['charge 3'],
      0,
      ['stored', 'known', 'full'],
      ['stored'],
    ]
    const results = await commit(false, replies)
    expect(results).toEqual([['stored', 'known'], ['stored'], ['full'], ...Array<undefined>(5)])
    expect(dropped).toEqual([['charge 1', 'charge 2'], ['charge 3']])
    expect(calls).toEqual([
      {
        script: scripts.acknowledge,
        keys: [prefixOf(1)],
        args: [...lifetimes, '1', 'w', 'a', '1', '1', 'w', 'b', '2', '1', 'u', 'a', '1'],
      },
      {
        script: scripts.acknowledge,
        keys: [prefixOf(3)],
        args: [...lifetimes, '1', 'v', 'c', '3'],
      },
      changes,
      {
        script: scripts.publishMessages,
        keys: [prefixOf(1)],
        args: [...limits, ...a, ...b, ...d],
      },
      { script: scripts.publishMessages, keys: [prefixOf(2)], args: [...limits, ...c('1')] },
    ])
  })

  test('to a single Redis has one script for each kind of writes', async () => {
    const replies = [['charge 1', 'charge 3'], 0, ['stored', 'known', 'full', 'stored']]
    const receipts = [
      ['1', 'w', 'a', '1'],
      ['1', 'w', 'b', '2'],
      ['2', 'v', 'c', '3'],
      ['1', 'u', 'a', '1'],
    ]
    const results = await commit(true, replies)
    expect(results).toEqual([['stored', 'known'], ['full'], ['stored'], ...Array<undefined>(5)])
    expect(dropped).toEqual([['charge 1', 'charge 3']])
    expect(calls).toEqual([
      {
        script: scripts.acknowledge,
        keys: [prefixOf(1), prefixOf(3)],
        args: [...lifetimes, ...receipts.flat()],
      },
      changes,
      {
        script: scripts.publishMessages,
        keys: [prefixOf(1), prefixOf(2)],
        args: [...limits, ...a, ...b, ...c('2'), ...d],
      },
    ])
  })

  test('to a single Redis runs no script for a kind without writes', async () => {
    const [subscribe] = parts.filter(({ kind }) => kind === 'subscribe')
    expect(await commit(true, [0], [subscribe!])).toEqual([undefined])
    expect(dropped).toEqual([])
    expect(calls).toEqual([{ ...changes, args: ['2592000000', '1', 's:w', 'a', '1'] }])
  })
})
