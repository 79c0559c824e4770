import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { crc32, deflateSync, gzipSync } from 'node:zlib'
import {
  accounts,
  addresses,
  bookmarksAbi,
  chainData,
  deployer,
  receiptOf,
  startChain,
  type Chain,
} from '@gatefold/chain'
import type { NftsResponse } from '@gatefold/protocol/gateway'
import { imageSize } from 'image-size'
import { createWalletClient, http, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../../testing/createTestGateway.ts'

const id = 'eip155:31337'
const bookmark = `${id}/erc1155:${addresses.bookmarks.toLowerCase()}/1`

let chain: Chain
let server: TestServer
let files: Server
let filesUrl: string
/** Responds to requests for the image. */
let respond: RequestListener
let requested: string[] = []
let now = Date.now()
beforeAll(async () => {
  chain = await startChain()
  files = createServer((request, response) => {
    requested.push(request.url!)
    if (request.url === '/metadata.json')
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ image: `${filesUrl}image` }))
    else respond(request, response)
  })
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve))
  filesUrl = `http://127.0.0.1:${(files.address() as AddressInfo).port}/`
  server = await start([new URL(filesUrl).host])
  await setUri(`${filesUrl}metadata.json`)
})
afterAll(async () => {
  await server?.stop()
  files?.closeAllConnections()
  files?.close()
  await chain?.stop()
})
afterEach(() => {
  requested = []
  now += 2 * 60 * 60_000
})

async function start(privateHosts: string[], config = {}) {
  return createTestServer(
    ['money'],
    { rpcUrls: { [id]: [chain.url] }, chains: chainData, privateHosts, ...config },
    { now: () => now },
  )
}

async function setUri(uri: string) {
  const wallet = createWalletClient({
    account: privateKeyToAccount(deployer.privateKey),
    transport: http(chain.url),
  }).extend(publicActions)
  const call = { address: addresses.bookmarks, abi: bookmarksAbi, functionName: 'setUri' } as const
  await receiptOf(wallet, await wallet.writeContract({ chain: null, ...call, args: [uri] }))
}

/** Serves an image. */
function serve(body: Uint8Array | string, type = 'image/png') {
  respond = (_request, response) => void response.setHeader('content-type', type).end(body)
}

async function load(query = '', path = bookmark) {
  const response = await server.send(`/v1/images/nft/${path}${query}`)
  const bytes = new Uint8Array(await response.arrayBuffer())
  return { status: response.status, headers: response.headers, bytes }
}

/** The description in the response to an image that cannot be shown. */
async function problemOf(path = bookmark) {
  const response = await server.send(`/v1/images/nft/${path}`)
  expect(response.status).toBe(404)
  return ((await response.json()) as { reasons: { description: string }[] }).reasons[0]!.description
}

/** A transparent PNG. `rows` can differ from the height in the header; `depth` is in bits. */
function png(width: number, height: number, { rows = height, depth = 8 } = {}) {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, depth, 6, 0, 0, 0])
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  const data = deflateSync(Buffer.alloc(rows * (1 + (4 * width * depth) / 8)), { level: 1 })
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])
  const parts = [chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([signature, ...parts])
}

/** A GIF of one pixel, with a frame for each color of a palette of four. */
function gif(...colors: number[]) {
  const palette = Buffer.of(0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255)
  const frames = colors.flatMap((color) => [
    Buffer.of(0x21, 0xf9, 4, 0, 10, 0, 0, 0),
    Buffer.of(0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0),
    // Codes of three bits: clear, the color, end.
    Buffer.of(2, 2, 0b100 | (color << 3) | ((5 & 3) << 6), 5 >> 2, 0),
  ])
  const header = [Buffer.from('GIF89a'), Buffer.of(1, 0, 1, 0, 0x81, 0, 0), palette]
  return Buffer.concat([...header, ...frames, Buffer.of(0x3b)])
}

function chunk(type: string, data: Buffer) {
  const body = Buffer.concat([Buffer.from(type), data])
  const ends = Buffer.alloc(8)
  ends.writeUInt32BE(data.length)
  ends.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)])
}

function svg(content: string, attributes = 'viewBox="0 0 400 200"') {
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${content}</svg>`
}

describe('the image of an NFT', () => {
  test('is a WebP that fits into the size, and is not enlarged', async () => {
    serve(png(800, 400))
    for (const [size, width, height] of [
      ['', 256, 128],
      ['?size=64', 64, 32],
      ['?size=512', 512, 256],
    ] as const) {
      const { status, headers, bytes } = await load(size)
      expect(status).toBe(200)
      expect(headers.get('content-type')).toBe('image/webp')
      expect(imageSize(bytes)).toMatchObject({ type: 'webp', width, height })
    }
    now += 2 * 60 * 60_000
    serve(png(30, 20))
    expect(imageSize((await load()).bytes)).toMatchObject({ width: 30, height: 20 })
  })

  test('has headers that prevent sniffing, scripts and framing', async () => {
    serve(png(10, 10))
    const { headers } = await load()
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=300',
    })
  })

  test('is named in the list of NFTs, with a URL that never changes its image', async () => {
    serve(png(20, 20))
    const list = await server.json(`/v1/account/${accounts[1].address}/nfts?chainId=${id}`)
    const urls = (list.body as NftsResponse).nfts.map(({ imageUrl }) => imageUrl!)
    expect(urls.length).toBe(2)
    for (const url of urls) {
      expect(url).toMatch(/^http:\/\/localhost\/v1\/images\/nft\/eip155:31337\/erc/)
      const response = await server.send(new URL(url).pathname + new URL(url).search)
      expect(response.status).toBe(200)
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    }
  })

  test('is loaded once for concurrent requests, and cached for an hour', async () => {
    serve(png(20, 20))
    await Promise.all([load(), load()])
    now += 59 * 60_000
    await load()
    expect(requested).toEqual(['/metadata.json', '/image'])
  })

  test('of an animation is its first frame', async () => {
    serve(gif(1), 'image/gif')
    const still = await load()
    now += 2 * 60 * 60_000
    serve(gif(1, 2), 'image/gif')
    const animated = await load()
    expect(animated.status).toBe(200)
    expect(animated.bytes).toEqual(still.bytes)
  })

  test('can be an SVG with text, which is drawn', async () => {
    serve(svg('<rect width="400" height="200" fill="#fff"/>'), 'image/svg+xml')
    const blank = await load('?size=512')
    now += 2 * 60 * 60_000
    serve(
      svg(
        '<rect width="400" height="200" fill="#fff"/><text x="9" y="99" font-size="60">Page</text>',
      ),
      'image/svg+xml',
    )
    const text = await load('?size=512')
    expect(imageSize(text.bytes)).toMatchObject({ type: 'webp', width: 512, height: 256 })
    expect(text.bytes.length).toBeGreaterThan(blank.bytes.length + 500)
  })
})

describe('attack:', () => {
  test('attack: an SVG is rasterized, so that its scripts and links are lost', async () => {
    serve(
      svg(`<script>fetch('${filesUrl}script')</script><image href="${filesUrl}inner" width="9" height="9"/>
        <a href="https://evil.example"><rect width="400" height="200" onclick="alert(1)"/></a>
        <style>@import url(${filesUrl}style);</style>`),
      'image/svg+xml',
    )
    const { status, headers, bytes } = await load()
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('image/webp')
    expect(imageSize(bytes).type).toBe('webp')
    expect(requested).toEqual(['/metadata.json', '/image'])
  })

  test.each([
    ['a page', 'text/html', '<html></html>', 'The URL has the content type text/html.'],
    [
      'a page that claims to be an image',
      'image/png',
      '<html></html>',
      'The image has an unknown format.',
    ],
    ['a damaged image', 'image/gif', 'GIF89a', 'The image has an unknown format.'],
    [
      'an image of a rare format',
      'image/bmp',
      `BM${'\u0001'.repeat(60)}`,
      'The format bmp is not supported.',
    ],
  ])('attack: %s is not passed on', async (_what, type, body, problem) => {
    serve(body, type)
    expect(await problemOf()).toBe(problem)
  })

  test('attack: an image with too many pixels is refused before it is decoded', async () => {
    serve(png(60_000, 60_000, { rows: 1 }))
    expect(await problemOf()).toBe('The image has more than 25000000 pixels.')
  })

  test('attack: an image that needs too much memory is abandoned, and the next one drawn', async () => {
    // Starts the thread, so that the next image has all of the time for drawing.
    serve(png(20, 20))
    expect((await load()).status).toBe(200)
    now += 2 * 60 * 60_000
    serve(png(5_000, 5_000, { depth: 16 }))
    expect(await problemOf()).toBe('The image is damaged or needs too much memory.')
    now += 2 * 60 * 60_000
    serve(png(20, 20))
    expect(imageSize((await load()).bytes)).toMatchObject({ width: 20, height: 20 })
  })

  test('attack: an image that takes too long to draw is abandoned, and the next one drawn', async () => {
    const slow = '<feTurbulence baseFrequency="0.05" numOctaves="10"/>'.repeat(200)
    serve(
      svg(`<filter id="f">${slow}</filter><rect width="400" height="200" filter="url(#f)"/>`),
      'image/svg+xml',
    )
    expect(await problemOf()).toBe('The image takes too long to draw.')
    now += 2 * 60 * 60_000
    serve(png(20, 20))
    const { status, bytes } = await load()
    expect(status).toBe(200)
    expect(imageSize(bytes)).toMatchObject({ width: 20, height: 20 })
  })

  test('attack: an image that is large after decompression is refused', async () => {
    respond = (_request, response) =>
      void response
        .writeHead(200, { 'content-type': 'image/png', 'content-encoding': 'gzip' })
        .end(gzipSync(Buffer.alloc(9 * 1024 * 1024)))
    expect(await problemOf()).toBe('The URL is larger than 8388608 bytes.')
  })

  test('attack: an image in the operator’s network is not requested', async () => {
    const closed = await start([])
    await setUri(`data:application/json,{"image":"${filesUrl}image"}`)
    serve(png(20, 20))
    const { status } = await closed.send(`/v1/images/nft/${bookmark}`)
    await setUri(`${filesUrl}metadata.json`)
    expect(status).toBe(404)
    expect(requested).toEqual([])
    await closed.stop()
  })

  test('attack: an image that is not cached costs several tokens of the rate limits', async () => {
    const small = await start([new URL(filesUrl).host], { ipBurst: 6, ipRate: 1 })
    serve(png(20, 20))
    const statuses: number[] = []
    for (const size of ['64', '64', '128'])
      statuses.push((await small.send(`/v1/images/nft/${bookmark}?size=${size}`)).status)
    expect(statuses).toEqual([200, 200, 429])
    await small.stop()
  })
})

describe('error:', () => {
  test.each([
    [`eip155:31337/erc20:${addresses.usdc}/1`, 'asset', 'asset must be erc721 or erc1155 with'],
    [`eip155:31337/erc721:${addresses.nft}/x`, 'token', 'token must be a whole number'],
    [`eip155:5/erc721:${addresses.nft}/1`, 'chain', 'chain: the chain eip155:5 is not supported'],
    [`${bookmark}?size=100`, 'size', 'size must be one of 64, 128, 256, 512'],
  ])('%s is refused with 400', async (path, field, description) => {
    const { status, body } = await server.json(`/v1/images/nft/${path}`)
    const [reason] = (body as { reasons: { field: string; description: string }[] }).reasons
    expect({ status, field: reason!.field }).toEqual({ status: 400, field })
    expect(reason!.description).toContain(description)
  })

  test('an NFT without an image gets a 404 with the reason', async () => {
    await setUri('data:application/json,{"name":"Bare"}')
    const problem = await problemOf()
    await setUri(`${filesUrl}metadata.json`)
    expect(problem).toBe('The NFT has no image.')
    expect(await problemOf(`${id}/erc721:${addresses.nft.toLowerCase()}/4040`)).toBe(
      'The contract has no metadata for this token.',
    )
  })
})
