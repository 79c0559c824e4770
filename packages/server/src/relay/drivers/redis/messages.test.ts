import { describe, expect, test } from 'vitest'
import { fromEntry, fromPayload, pick, toAttestationText, type Found } from './messages.ts'

const message = {
  topic: 'a'.repeat(64),
  id: 'id',
  message: 'text ü:[',
  tag: 1108,
  publisher: 'app ü',
  seq: 64_000_000_000_017,
  publishedAt: 1_000,
  expiresAt: 2_000,
}

test.each([undefined, '', 'a.b.c'])(
  'a message with the attestation %j is decoded',
  (attestation) => {
    const text = toAttestationText(attestation)
    const { topic, id, message: body, tag, publisher, seq, publishedAt, expiresAt } = message
    const fields = Object.entries({ id, publisher, tag, publishedAt, expiresAt }).flat().map(String)
    const whole = { ...message, attestation }
    expect(fromEntry([topic, `${seq}`, fields, body, text])).toEqual(whole)
    const values = [seq, id, publisher, tag, text, publishedAt, expiresAt].map(String)
    const head = JSON.stringify(values)
    const payload = Buffer.from(`${Buffer.byteLength(head)}:${head}${body}`)
    expect(fromPayload(topic, payload)).toEqual(whole)
  },
)

describe('pick', () => {
  /** A mailbox whose messages have the sizes `bytes`, by `seq`. */
  const mailbox = (topic: string, bytes: Record<number, number>, more = 0) => ({
    topic,
    found: [more, Object.entries(bytes).map(([seq, size]) => [Number(seq), size])] as Found,
  })
  const limits = { limit: 10, bytes: 100 }

  test.each<[string, ReturnType<typeof mailbox>[], Partial<typeof limits>, string[], boolean]>([
    ['nothing', [], {}, [], false],
    [
      'all, oldest first',
      [mailbox('a', { 1: 1, 4: 1 }), mailbox('b', { 2: 1 })],
      {},
      ['a1', 'b2', 'a4'],
      false,
    ],
    [
      'none beyond the last message of a mailbox that has more',
      [mailbox('a', { 1: 1, 4: 1 }, 1), mailbox('b', { 2: 1, 5: 1 })],
      {},
      ['a1', 'b2', 'a4'],
      true,
    ],
    [
      'none if a mailbox has only more',
      [mailbox('a', {}, 1), mailbox('b', { 2: 1 })],
      {},
      [],
      true,
    ],
    ['all of a mailbox that has more', [mailbox('a', { 1: 1 }, 1)], {}, ['a1'], true],
    [
      'as many as the limit',
      [mailbox('a', { 1: 1, 2: 1, 3: 1 })],
      { limit: 2 },
      ['a1', 'a2'],
      true,
    ],
    ['as many as fit', [mailbox('a', { 1: 60, 2: 40, 3: 1 })], {}, ['a1', 'a2'], true],
    ['the first, whatever its size', [mailbox('a', { 1: 200, 2: 1 })], {}, ['a1'], true],
    ['none with a limit of 0', [mailbox('a', { 1: 1 })], { limit: 0 }, [], true],
  ])('selects %s', (_, mailboxes, more, picked, hasMore) => {
    const page = pick(mailboxes, { ...limits, ...more })
    expect(page.picked.map(({ topic, seq }) => `${topic}${seq}`)).toEqual(picked)
    expect(page.hasMore).toBe(hasMore)
  })
})
