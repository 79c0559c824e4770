import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { accounts, addresses, chainData, startChain, type Chain } from '@gatefold/chain'
import { limits } from '@gatefold/protocol'
import type { HistoryResponse } from '@gatefold/protocol/gateway'
import { numberToHex } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../testing/createTestGateway.ts'

const [mira, tomas] = accounts
const id = 'eip155:31337'
const other = '0x00000000000000000000000000000000000a11ce'
const perPage = 50

/** A transaction and the token transfers in it. */
type Recorded = {
  block: number
  position: number
  from: string
  to: string
  value?: string
  status?: string
  transfers?: { from: string; to: string; token: string; type: string; total: object }[]
}

let chain: Chain
let server: TestServer
let url: string
let recorded: Recorded[]
let requests: URL[]
let respond: RequestListener
let now = Date.now()
const blockscout = createServer((request, response) => respond(request, response))
beforeAll(async () => {
  chain = await startChain()
  await new Promise<void>((resolve) => blockscout.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(blockscout.address() as AddressInfo).port}`
  server = await createTestServer(
    ['money'],
    {
      rpcUrls: { [id]: [chain.url] },
      chains: chainData,
      history: { [id]: `${url}/explorer?apikey=key` },
      ipBurst: 1_000_000,
    },
    { now: () => now },
  )
})
afterAll(async () => {
  await server?.stop()
  blockscout.closeAllConnections()
  await new Promise((resolve) => blockscout.close(resolve))
  await chain?.stop()
})
beforeEach(() => {
  now += 60_000
  requests = []
  respond = serve
})

/** Responds as Blockscout's API v2 does: 50 items in a page, newest first, and the parameters of the next page. */
const serve: RequestListener = (request, response) => {
  const target = new URL(request.url!, url)
  requests.push(target)
  const [, account, list] =
    /^\/explorer\/api\/v2\/addresses\/(0x[0-9a-f]{40})\/([a-z-]+)$/.exec(target.pathname) ?? []
  const items = list === 'transactions' ? transactionsOf(account!) : transfersOf(account!)
  const block = Number(target.searchParams.get('block_number') ?? Infinity)
  const index = Number(target.searchParams.get('index') ?? Infinity)
  const rest = items.filter(
    (it) => it.block_number < block || (it.block_number === block && it.index < index),
  )
  const page = rest.slice(0, perPage)
  const last = page.at(-1)
  const next = rest.length > page.length && last
  response.setHeader('content-type', 'application/json; charset=utf-8').end(
    JSON.stringify({
      items: page,
      next_page_params: next
        ? { block_number: last.block_number, index: last.index, items_count: perPage }
        : null,
    }),
  )
}

function transactionsOf(account: string) {
  return newestFirst()
    .filter(({ from, to }) => [from, to].some((it) => it.toLowerCase() === account))
    .map((it) => ({
      hash: hashOf(it),
      block_number: it.block,
      index: it.position,
      position: it.position,
      timestamp: timeOf(it.block),
      from: { hash: it.from, is_contract: false },
      to: { hash: it.to },
      created_contract: null,
      nonce: 7,
      value: it.value ?? '0',
      status: it.status ?? 'ok',
      raw_input: it.value ? '0x' : '0xa9059cbb',
      fee: { type: 'actual', value: '1' },
    }))
}

function transfersOf(account: string) {
  return newestFirst().flatMap((it) =>
    (it.transfers ?? [])
      .filter(({ from, to }) => [from, to].some((party) => party.toLowerCase() === account))
      .map(({ from, to, token, type, total }, index) => ({
        transaction_hash: hashOf(it),
        block_number: it.block,
        index: it.position * 100 + index,
        log_index: it.position * 100 + index,
        timestamp: timeOf(it.block),
        from: { hash: from },
        to: { hash: to },
        token: { address_hash: token, type, symbol: 'FAKE', decimals: '6' },
        total,
        type: 'token_transfer',
      }))
      .toReversed(),
  )
}

const newestFirst = () => recorded.toSorted((a, b) => b.block - a.block || b.position - a.position)
const hashOf = ({ block, position }: Recorded) =>
  numberToHex(block * 1_000 + position, { size: 32 })
const timeOf = (block: number) => new Date(1_700_000_000_000 + block * 1_000).toISOString()

async function read(cursor?: string) {
  const query = cursor === undefined ? '' : `&cursor=${cursor}`
  const answer = await server.json(
    `/v1/account/${mira.address}/history?chainId=${id}&projectId=default${query}`,
    { headers: { origin: 'http://localhost:3000', 'user-agent': 'visitor' } },
  )
  return { ...answer, body: answer.body as HistoryResponse }
}

/** All pages; each request must make progress. */
async function readAll() {
  const hashes: string[] = []
  let cursor: string | undefined
  for (let page = 0; page < 50; page++) {
    const { status, body } = await read(cursor)
    expect(status).toBe(200)
    hashes.push(...body.data.map((it) => it.id))
    if (body.next === null) return hashes
    cursor = body.next
  }
  throw new Error('The pages do not end.')
}

const usdc = (from: string, to: string, value: string) => ({
  from,
  to,
  token: addresses.usdc,
  type: 'ERC-20',
  total: { value, decimals: '6' },
})

test('§7.8.3 a history from Blockscout has payments, transfers and failures', async () => {
  recorded = [
    { block: 5, position: 0, from: tomas.address, to: mira.address, value: '1500000000000000000' },
    {
      block: 6,
      position: 2,
      from: mira.address,
      to: addresses.usdc,
      transfers: [usdc(mira.address, tomas.address, '12500000')],
    },
    { block: 6, position: 3, from: mira.address, to: addresses.usdc, status: 'error' },
    {
      block: 7,
      position: 1,
      from: tomas.address,
      to: addresses.nft,
      transfers: [
        {
          from: tomas.address,
          to: mira.address,
          token: addresses.nft,
          type: 'ERC-721',
          total: { token_id: '4' },
        },
      ],
    },
  ]
  const { body } = await read()
  expect(body.next).toBeNull()
  expect(
    body.data.map(({ metadata, transfers }) => [
      metadata.operationType,
      metadata.status,
      metadata.minedAt,
      ...transfers.map(
        (it) =>
          `${it.direction} ${it.quantity.numeric} ${it.fungible_info?.symbol ?? it.nft_info!.name}`,
      ),
    ]),
  ).toEqual([
    ['receive', 'confirmed', timeOf(7), 'in 1 Plates of the Book #4'],
    ['execute', 'failed', timeOf(6), 'out 0 ETH'],
    ['send', 'confirmed', timeOf(6), 'out 12.5 USDC'],
    ['receive', 'confirmed', timeOf(5), 'in 1.5 ETH'],
  ])
  expect(body.data[3]!.metadata).toMatchObject({ sentFrom: tomas.address, nonce: 7 })
  await read()
  expect(requests).toHaveLength(2)
  // The query in the setting is kept.
  expect(requests.every(({ searchParams }) => searchParams.get('apikey') === 'key')).toBe(true)
})

test('pages of both lists are merged without a gap or a repetition', async () => {
  recorded = Array.from({ length: 400 }, (_, index) => {
    const block = 1_000 + Math.floor(index / 3)
    const position = index % 3
    const hasTransfer = index % 4 !== 0
    return {
      block,
      position,
      ...(hasTransfer && index % 2
        ? { from: tomas.address, to: addresses.usdc }
        : { from: mira.address, to: other, value: '1' }),
      ...(hasTransfer && { transfers: [usdc(tomas.address, mira.address, '1')] }),
    }
  })
  const hashes = await readAll()
  expect(hashes.toSorted()).toEqual(recorded.map(hashOf).toSorted())
  const blocks = hashes.map((hash) => Math.floor(Number(hash) / 1_000))
  expect(blocks).toEqual(blocks.toSorted((a, b) => b - a))
})

test('a block with more items than a page ends', async () => {
  recorded = Array.from({ length: 130 }, (_, position) => ({
    block: position < 120 ? 9 : 8,
    position,
    from: mira.address,
    to: other,
    value: '1',
  }))
  const hashes = await readAll()
  expect(new Set(hashes).size).toBe(hashes.length)
  expect(hashes.toSorted()).toEqual(recorded.map(hashOf).toSorted())
})

test('attack: Blockscout learns only the account and the place in the list', async () => {
  recorded = []
  let headers: Record<string, unknown> = {}
  respond = (request, response) => {
    ;({ headers } = request)
    serve(request, response)
  }
  await read()
  expect(JSON.stringify([headers, requests])).not.toMatch(/visitor|localhost|default/)
  const forged = { before: 9, transactions: { 'block number': 1 }, transfers: 'start' }
  const { status } = await read(Buffer.from(JSON.stringify(forged)).toString('base64url'))
  expect(status).toBe(400)
})

/** Requests the history of one of many accounts. */
const readAccount = async (account: number, address: string) =>
  server.json(`/v1/account/${numberToHex(account, { size: 20 })}/history?chainId=${id}`, {
    address,
  })

test('attack: one address cannot request the histories of any number of accounts', async () => {
  recorded = []
  const statuses: number[] = []
  for (let account = 1; account <= limits.historyAddressBurst + 3; account++)
    statuses.push((await readAccount(account, '192.0.2.9')).status)
  expect(statuses.filter((status) => status !== 200)).toEqual([429, 429, 429])
  expect((await readAccount(1, '192.0.2.9')).status).toBe(200)
  expect((await readAccount(999, '192.0.2.8')).status).toBe(200)
})

test('attack: many requests of one address do not delay the history of another', async () => {
  recorded = []
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  respond = (request, response) =>
    request.url!.includes(mira.address.toLowerCase())
      ? serve(request, response)
      : void released.then(() => serve(request, response))
  const flood = Array.from({ length: 60 }, async (_, index) =>
    readAccount(0x1000 + index, '192.0.2.7'),
  )
  const { status } = await server.json(`/v1/account/${mira.address}/history?chainId=${id}`, {
    address: '192.0.2.6',
  })
  expect(status).toBe(200)
  release()
  await Promise.all(flood)
})

test.each<[string, RequestListener]>([
  ['a 500', (_, response) => void response.writeHead(500).end()],
  ['a 429', (_, response) => void response.writeHead(429).end()],
  [
    'text',
    (_, response) => void response.setHeader('content-type', 'application/json').end('<html>'),
  ],
  [
    'another form',
    (_, response) =>
      void response.setHeader('content-type', 'application/json').end('{"items":[{"hash":1}]}'),
  ],
  [
    'a redirect',
    (_, response) => void response.writeHead(302, { location: '//127.0.0.1:1' }).end(),
  ],
  [
    'more than 2 MiB',
    (_, response) =>
      void response
        .setHeader('content-type', 'application/json')
        .end(`{"items":[],"more":"${'x'.repeat(2 * 1024 * 1024)}"}`),
  ],
])('error: a history from an instance that returns %s is 503', async (_, fail) => {
  respond = fail
  const { status, body } = await read()
  expect([status, body]).toEqual([
    503,
    {
      status: 'FAILED',
      reasons: [{ field: 'chainId', description: `The history of ${id} cannot be read now.` }],
    },
  ])
})
