import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createPost } from './createPost.ts'
import { UpstreamError } from './UpstreamError.ts'

/** The size of the longest response that is not metered, in bytes. */
const short = 64 * 1024

/** Posts to a server, with a meter that records its calls. */
async function start(respond: (response: ServerResponse) => void) {
  const server = createServer((_, response) => respond(response))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const url = new URL(`http://127.0.0.1:${port}`)
  const run = createPost({ url, headers: {}, maxBytes: 10 * short })
  const metered = { added: [] as number[], turns: [] as number[], hasRoom: true }
  const meter = {
    add(bytes: number) {
      metered.added.push(bytes)
      return metered.hasRoom
    },
    async turn(bytes: number) {
      metered.turns.push(bytes)
    },
  }
  const post = async () => (await run('{}', new AbortController().signal, meter)).text.length
  return { metered, post }
}

const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0)

const gzip = (response: ServerResponse, size: number) => {
  response.writeHead(200, { 'content-encoding': 'gzip' })
  response.end(gzipSync('x'.repeat(size)))
}

describe('the meter', () => {
  test('is not used for a response of 64 KiB', async () => {
    const { metered, post } = await start((response) => response.end('x'.repeat(short)))
    expect(await post()).toBe(short)
    expect(metered).toMatchObject({ added: [], turns: [] })
  })

  test('attack: counts each byte of a longer response once, and gives it a turn', async () => {
    const size = 4 * short + 1
    const { metered, post } = await start((response) => response.end('x'.repeat(size)))
    expect(await post()).toBe(size)
    expect(sum(metered.added)).toBe(size)
    expect(metered.added).not.toContain(0)
    expect(metered.turns).toEqual([size])
  })

  test('attack: counts what a compressed response contains', async () => {
    const { metered, post } = await start((response) => gzip(response, short + 1))
    expect(await post()).toBe(short + 1)
    expect(metered).toMatchObject({ added: [short + 1], turns: [short + 1] })
  })

  test('is not used for a compressed response that contains 64 KiB', async () => {
    const { metered, post } = await start((response) => gzip(response, short))
    expect(await post()).toBe(short)
    expect(metered).toMatchObject({ added: [], turns: [] })
  })

  test('attack: ends a response without room before the rest of it has arrived', async () => {
    const { metered, post } = await start((response) => response.write('x'.repeat(short + 1)))
    metered.hasRoom = false
    await expect(post()).rejects.toEqual(new UpstreamError('no_room'))
  })

  test('attack: refuses a compressed response without room', async () => {
    const { metered, post } = await start((response) => gzip(response, short + 1))
    metered.hasRoom = false
    await expect(post()).rejects.toEqual(new UpstreamError('no_room'))
    expect(metered.turns).toEqual([])
  })
})
