import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { Duplex, PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { readBearer, readCredentials, refuseUpgrade } from './upgrade.ts'

function read(url: string | undefined, headers: IncomingHttpHeaders = {}) {
  return readCredentials({ url, headers } as IncomingMessage)
}

test('credentials are read from the query and the headers', () => {
  const headers = { origin: 'https://app.example', host: 'relay.example' }
  expect(read('/?auth=a.b.c&projectId=p&ua=wc-2%2Fjs&useOnCloseEvent=true', headers)).toEqual({
    token: 'a.b.c',
    projectId: 'p',
    origin: 'https://app.example',
    host: 'relay.example',
    userAgent: 'wc-2/js',
    usesCloseFrame: true,
  })
})

test('missing credentials are undefined', () => {
  const none = {
    token: undefined,
    projectId: undefined,
    origin: undefined,
    host: undefined,
    userAgent: undefined,
    usesCloseFrame: false,
  }
  for (const url of [undefined, '', '/', '/?', '/?useOnCloseEvent=1'])
    expect(read(url)).toEqual(none)
})

test('a bearer token is used if the query contains no token', () => {
  const headers = { authorization: 'Bearer x.y.z' }
  expect(read('/', headers)?.token).toBe('x.y.z')
  expect(read('/?auth=', headers)?.token).toBe('x.y.z')
  expect(read('/?auth=a.b.c', headers)?.token).toBe('a.b.c')
})

test.each(['/rpc', '/rpc?auth=a.b.c', '//', 'http://relay.example/'])(
  'the path of %s is not the relay’s',
  (url) => {
    expect(read(url)).toBeUndefined()
  },
)

test.each([
  ['Bearer abc', 'abc'],
  ['bearer   a.b-c_d', 'a.b-c_d'],
  ['Bearer', undefined],
  ['Bearer ', undefined],
  ['Bearer a b', undefined],
  ['Basic abc', undefined],
  ['Not Bearer abc', undefined],
  ['', undefined],
  [undefined, undefined],
])('the header %j has the bearer token %j', (header, token) => {
  expect(readBearer(header)).toBe(token)
})

test.each([
  [401, 'Unauthorized', undefined, ''],
  [403, 'Forbidden', undefined, ''],
  [404, 'Not Found', undefined, ''],
  [429, 'Too Many Requests', 5, 'retry-after: 5\r\n'],
  [503, 'Service Unavailable', 0, 'retry-after: 0\r\n'],
])('a refusal with the status %i is an HTTP response', async (status, name, seconds, header) => {
  let written = ''
  // The client does not close its side of the connection.
  const stream = new Duplex({
    read() {},
    write(chunk, _encoding, done) {
      written += String(chunk)
      done()
    },
  })
  refuseUpgrade(stream, status, 'denied – here', seconds)
  await once(stream, 'close')
  const body = '{"status":"FAILED","reasons":[{"field":"upgrade","description":"denied – here"}]}'
  expect(written).toBe(
    `HTTP/1.1 ${status} ${name}\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n${header}\r\n${body}`,
  )
})

test('a refusal destroys a stream that is no longer writable', () => {
  const stream = new PassThrough()
  stream.end()
  refuseUpgrade(stream, 404, 'gone')
  expect(stream.destroyed).toBe(true)
})
