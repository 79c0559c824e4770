import * as fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { RelayError } from '../errors.ts'
import { parseParams, parseRequests } from './parseRequests.ts'

const topic = 'a'.repeat(64)
const request = (id: string) =>
  `{"id":${id},"jsonrpc":"2.0","method":"irn_subscribe","params":{"topic":"${topic}"}}`

describe('the id of a request', () => {
  test.each([
    '"1795230077407321600"',
    '1795230077407321600',
    '18446744073709551615',
    '1700000000000123',
    '1.50',
    '1e3',
    '-0',
    '0',
    '""',
    `"${'x'.repeat(256)}"`,
    '1'.repeat(256),
  ])('%.40s is kept verbatim', (id) => {
    expect(parseRequests(request(id)).incoming).toEqual([
      { kind: 'request', id, method: 'irn_subscribe', params: { topic } },
    ])
  })

  test('is kept within a batch', () => {
    const { isBatch, incoming } = parseRequests(
      `[${request('9007199254740993')},${request('"x"')}]`,
    )
    expect(isBatch).toBe(true)
    expect(incoming.map((entry) => 'id' in entry && entry.id)).toEqual(['9007199254740993', '"x"'])
  })

  test.each([
    ['in the middle', `{"jsonrpc":"2.0","id" : 1e3 ,"method":"irn_subscribe"}`, '1e3'],
    ['after duplicates', `{"id":1,"method":"irn_subscribe","\\u0069d":2.0,"jsonrpc":"2.0"}`, '2.0'],
    [
      'among members of the same name at other depths',
      `{"params":{"id":1,"x":[{"id":2}],"\\\\\\"id":3},"a":"\\"id\\":4","b":"id","id":5.0,"method":"irn_subscribe","jsonrpc":"2.0"}`,
      '5.0',
    ],
    [
      'before members of the same name at other depths',
      `{"id":5.0,"method":"irn_subscribe","jsonrpc":"2.0","params":{"id":1,"x":[{"id":2}]}}`,
      '5.0',
    ],
  ])('is found %s', (_, text, id) => {
    for (const written of [text, `[7,{"id":8},${text},{"id":9.0,"method":"x"}]`])
      expect(
        parseRequests(written).incoming.filter(({ kind }) => kind === 'request'),
      ).toMatchObject([{ id }])
  })

  test('is found without visiting each of many values', () => {
    const values = Array(150_000).fill('0').join()
    using parse = vi.spyOn(JSON, 'parse')
    const { incoming } = parseRequests(
      `{"jsonrpc":"2.0","params":{"topics":[${values}]},"id":1.0,"method":"irn_batchSubscribe"}`,
    )
    expect(incoming).toMatchObject([{ kind: 'request', id: '1.0' }])
    // A reviver would be called for every value and block the event loop for seconds.
    const revivers = parse.mock.calls.filter(([, reviver]) => reviver !== undefined)
    expect(revivers).toEqual([])
    expect(parse.mock.calls.length).toBeLessThan(10)
  })

  test('is not confused with numbers within params, which stay numbers', () => {
    const text = `{"id":1,"jsonrpc":"2.0","method":"irn_publish","params":{"tvf":{"id":7},"ttl":300}}`
    expect(parseRequests(text).incoming[0]).toMatchObject({ params: { tvf: { id: 7 }, ttl: 300 } })
  })
})

describe('error: an invalid entry', () => {
  test.each([
    ['{', 'Serialization', 'not JSON'],
    ['7', 'Serialization', 'not a JSON-RPC object'],
    ['null', 'Serialization', 'not a JSON-RPC object'],
    ['[]', 'BatchEmpty', 'empty'],
    [`[${Array(501).fill('1').join()}]`, 'BatchLimitExceeded', 'at most 500'],
    ['{}', 'InvalidMethod', 'no method'],
    ['{"id":1,"jsonrpc":"2.0","method":"irn_nothing"}', 'InvalidMethod', 'unknown', '1'],
    ['{"id":1,"jsonrpc":"2.0","method":7}', 'InvalidMethod', 'unknown', '1'],
    ['{"id":1,"jsonrpc":"1.0","method":"irn_publish"}', 'InvalidJsonRpcVersion', '"2.0"', '1'],
    ['{"id":null,"jsonrpc":"2.0","method":"irn_publish"}', 'InvalidRequestId', 'the id'],
    ['{"id":{},"jsonrpc":"2.0","method":"irn_publish"}', 'InvalidRequestId', 'the id'],
    [request(`"${'x'.repeat(257)}"`), 'InvalidRequestId', 'the id'],
    [request('1'.repeat(257)), 'InvalidRequestId', 'the id'],
    ['{"jsonrpc":"2.0","method":"irn_publish"}', 'InvalidRequestId', 'the id'],
  ])('gets an error with a tag and a message: %.60s', (text, tag, message, id = 'null') => {
    expect(parseRequests(text)).toMatchObject({
      isBatch: false,
      incoming: [
        { kind: 'fault', id, error: { tag, message: expect.stringContaining(message) as unknown } },
      ],
    })
  })

  test('in a batch does not affect the others', () => {
    const text = `[null,${request('1.0')},{"id":2,"jsonrpc":"2.0","method":"x"}]`
    expect(parseRequests(text).incoming).toMatchObject([
      { kind: 'fault', id: 'null' },
      { kind: 'request', id: '1.0' },
      { kind: 'fault', id: '2' },
    ])
    const largest = `[${Array(500).fill(request('1')).join()}]`
    expect(parseRequests(largest).incoming).toHaveLength(500)
  })

  test('has an error message that names the parameter', () => {
    const read = () => parseParams('irn_publish', { topic, message: 7 })
    expect(read).toThrow(/message \S/)
  })

  const publish = { topic, message: 'x', ttl: 300, tag: 1 }
  test.each([
    ['irn_publish', undefined, 'InvalidParams'],
    ['irn_publish', { ...publish, topic: 'short' }, 'InvalidTopic'],
    ['irn_publish', { ...publish, ttl: null }, 'InvalidParams'],
    ['irn_publish', { ...publish, message: 'x'.repeat(1024 * 1024 + 1) }, 'PayloadSizeExceeded'],
    ['irn_publish', { ...publish, attestation: 'x'.repeat(4_097) }, 'PayloadSizeExceeded'],
    ['irn_batchSubscribe', { topics: [...Array(12).fill(topic), 'x'] }, 'InvalidTopic'],
    ['irn_batchSubscribe', { topics: [] }, 'BatchEmpty'],
    ['irn_batchSubscribe', { topics: Array(501).fill(topic) }, 'BatchLimitExceeded'],
    ['irn_batchSubscribe', { topics: [topic, 'x'] }, 'InvalidTopic'],
    ['wc_approveSession', { pairingTopic: 'x' }, 'InvalidTopic'],
  ] as const)('gets an error with a tag for invalid params of %s (%#)', (method, params, tag) => {
    const read = () => parseParams(method, params)
    expect(read).toThrow(RelayError)
    expect(read).toThrow(expect.objectContaining({ tag, kind: 'invalidPayload' }))
  })

  test('attack: a deeply nested frame, or a frame with a million values, counts as invalid JSON', () => {
    const deep = `{"id":1,"jsonrpc":"2.0","method":"irn_publish","params":${'[['.repeat(1e6)}${']]'.repeat(1e6)}}`
    const wide = `[${Array(1e6).fill('{}').join()}]`
    for (const text of [deep, wide])
      expect(parseRequests(text).incoming).toEqual([
        expect.objectContaining({ error: expect.objectContaining({ tag: 'Serialization' }) }),
      ])
  })

  test('only the first invalid value of a frame is reported', () => {
    // Issues of half a kilobyte each for many values would not fit into memory.
    const read = () => parseParams('irn_batchSubscribe', { topics: Array(10_000).fill(0) })
    expect(read).toThrow(
      expect.objectContaining({ cause: expect.objectContaining({ issues: [expect.anything()] }) }),
    )
  })

  test('an error has up to 200 characters of its description', () => {
    const read = (length: number) => {
      try {
        parseParams('irn_batchSubscribe', 'x'.repeat(length))
      } catch (error) {
        return (error as RelayError).shortMessage.replace('Invalid payload: ', '')
      }
      throw new Error('no error')
    }
    const others = read(1).length - 1
    expect(read(1)).toMatch(/"x"$/)
    expect(read(200 - others)).toMatch(/x"$/)
    expect(read(201 - others)).toMatch(/x…$/)
  })

  test.each([(large: string) => large, (large: string) => ({ topics: large })])(
    'attack: an error does not repeat a large invalid value (%#)',
    (toParams) => {
      const read = () => parseParams('irn_batchSubscribe', toParams('x'.repeat(1_000_000)))
      const error = expect.objectContaining({
        shortMessage: expect.stringMatching(/^.{20,300}$/) as string,
      })
      expect(read).toThrow(error)
    },
  )
})

test('a result for a push is a receipt; an error is not', () => {
  expect(parseRequests('{"id":1700000000000001,"jsonrpc":"2.0","result":true}').incoming).toEqual([
    { kind: 'receipt', seq: 1_700_000_000_000_001 },
  ])
  expect(parseRequests('{"id":7,"jsonrpc":"2.0","error":{"code":1}}').incoming).toEqual([])
  expect(parseRequests('{"id":"7","jsonrpc":"2.0","result":true}').incoming).toEqual([])
})

test('fuzz: does not throw for any text', () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void parseRequests(text)))
  const object = fc.record(
    {
      id: fc.oneof(fc.string(), fc.double(), fc.anything()),
      jsonrpc: fc.oneof(fc.constant('2.0'), fc.anything()),
      method: fc.oneof(fc.constantFrom('irn_publish', 'waku_subscribe'), fc.string()),
      params: fc.anything(),
    },
    { requiredKeys: [] },
  )
  fc.assert(fc.property(object, (value) => void parseRequests(JSON.stringify(value) ?? '')))
})
