import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  accounts,
  addresses,
  bookmarksAbi,
  chainData,
  deployer,
  nftAbi,
  receiptOf,
  startChain,
  type Chain,
} from '@gatefold/chain'
import type { NftsResponse } from '@gatefold/protocol/gateway'
import {
  concat,
  createTestClient,
  createWalletClient,
  http,
  pad,
  publicActions,
  type Address,
  type Hex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Config } from '../../config.ts'
import { createTestServer, type TestServer } from '../../testing/createTestGateway.ts'
import { startCountingProxy } from '../../testing/startCountingProxy.ts'

const id = 'eip155:31337'
const [mira, tomas, keeper, , receiver, nobody] = accounts
const hostile = '0x00000000000000000000000000000000000bad01'
const cid = `bafy${'a'.repeat(55)}`

let chain: Chain
let proxy: Awaited<ReturnType<typeof startCountingProxy>>
let server: TestServer
let files: Server
let filesUrl: string
let respond: RequestListener
/** Paths that were requested from `files`. */
let requested: string[] = []
let now = Date.now()
beforeAll(async () => {
  chain = await startChain()
  proxy = await startCountingProxy(chain.url)
  files = createServer((request, response) => {
    requested.push(request.url!)
    respond(request, response)
  })
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve))
  filesUrl = `http://127.0.0.1:${(files.address() as AddressInfo).port}/`
  server = await start({ privateHosts: [new URL(filesUrl).host] })
})
afterAll(async () => {
  await server?.stop()
  files?.close()
  await proxy?.stop()
  await chain?.stop()
})
afterEach(async () => {
  await setUri('')
  requested = []
})

async function start(config: Partial<Config>, collections: object[] = []) {
  const data = chainData[id]
  const chains = { [id]: { ...data, collections: [...data.collections, ...collections] } }
  return createTestServer(
    ['money'],
    { rpcUrls: { [id]: [proxy.url] }, chains: chains as Config['chains'], ...config },
    { now: () => now },
  )
}

async function read(address: string, query = '', from = server) {
  const answer = await from.json(`/v1/account/${address}/nfts?chainId=${id}${query}`)
  return { ...answer, body: answer.body as NftsResponse }
}

function walletOf({ privateKey }: { privateKey: Hex }) {
  return createWalletClient({
    account: privateKeyToAccount(privateKey),
    transport: http(chain.url),
  }).extend(publicActions)
}

/** Replaces the URI of the bookmarks' metadata, and lets the caches expire. */
async function setUri(uri: string) {
  const wallet = walletOf(deployer)
  const call = { address: addresses.bookmarks, abi: bookmarksAbi, functionName: 'setUri' } as const
  await receiptOf(wallet, await wallet.writeContract({ chain: null, ...call, args: [uri] }))
  now += 2 * 60 * 60_000
}

/** Serves JSON at every path. */
function serve(body: unknown, type = 'application/json') {
  respond = (_request, response) =>
    void response
      .setHeader('content-type', type)
      .end(typeof body === 'string' ? body : JSON.stringify(body))
}

const bookmarkOf = ({ nfts }: NftsResponse) => nfts.find(({ standard }) => standard === 'erc1155')!

describe('the NFTs of an account', () => {
  test('are those that it owns now, with their metadata', async () => {
    const { status, body } = await read(tomas.address)
    expect(status).toBe(200)
    expect(body).toEqual({
      nfts: [
        {
          id: `${id}/erc721:${addresses.nft.toLowerCase()}/4`,
          standard: 'erc721',
          contract: `${id}:${addresses.nft.toLowerCase()}`,
          tokenId: '4',
          amount: '1',
          name: 'Plate 4',
          collection: 'Plates of the Book',
          description: 'A picture plate from the Book of Ethereum.',
          attributes: [{ name: 'Hue', value: '276' }],
          imageUrl: expect.stringMatching(
            `^http://localhost/v1/images/nft/${id}/erc721:${addresses.nft.toLowerCase()}/4\\?v=`,
          ),
          isSpam: false,
        },
        expect.objectContaining({ standard: 'erc1155', tokenId: '1', amount: '3' }),
      ],
    })
  })

  test('of an account without any are an empty list', async () => {
    const { body } = await read(nobody.address)
    expect(body).toEqual({ nfts: [] })
  })

  test('follow a transfer after 30 s', async () => {
    const plates = async () =>
      (await read(keeper.address)).body.nfts
        .filter(({ standard }) => standard === 'erc721')
        .map(({ tokenId }) => tokenId)
    expect(await plates()).toEqual(['5', '6', '7'])
    const wallet = walletOf(keeper)
    const args = [keeper.address, nobody.address, 7n] as const
    const transfer = { address: addresses.nft, abi: nftAbi, functionName: 'transferFrom' } as const
    await receiptOf(wallet, await wallet.writeContract({ chain: null, ...transfer, args }))
    now += 29_000
    expect(await plates()).toEqual(['5', '6', '7'])
    now += 1_001
    expect(await plates()).toEqual(['5', '6'])
  })

  test('are read with few calls, and none while they are cached', async () => {
    now += 2 * 60 * 60_000
    // The other calls are the indexer's.
    const calls = () => proxy.methods.filter((method) => method === 'eth_call').length
    const before = calls()
    await read(mira.address)
    const after = calls()
    expect(after - before).toBeLessThanOrEqual(4)
    await read(mira.address)
    expect(calls()).toBe(after)
  })

  test('come in pages', async () => {
    const tokenIds = Array.from({ length: 60 }, (_, index) => String(index + 1))
    const small = await start({}, [{ address: hostile, standard: 'erc1155', tokenIds }])
    await setCode(hostile, pad('0x02'))
    const seen: string[] = []
    let cursor = ''
    do {
      const { body } = await read(nobody.address, cursor && `&cursor=${cursor}`, small)
      seen.push(...body.nfts.flatMap((nft) => (nft.standard === 'erc1155' ? [nft.tokenId] : [])))
      expect(body.nfts.length).toBeLessThanOrEqual(24)
      cursor = body.nextCursor ?? ''
    } while (cursor !== '')
    expect(seen.toSorted()).toEqual(tokenIds.toSorted())
    await small.stop()
  })
})

describe('the NFTs outside the listed collections', () => {
  let unlisted: TestServer
  beforeAll(async () => {
    unlisted = await createTestServer(
      ['money'],
      { rpcUrls: { [id]: [proxy.url] }, chains: { [id]: { ...chainData[id], collections: [] } } },
      { now: () => now },
    )
  })
  afterAll(async () => unlisted?.stop())

  async function namesOf(account: Address) {
    // The holdings are cached.
    now += 30_001
    return (await read(account, '', unlisted)).body.nfts.map(({ name }) => name)
  }

  test('come from the account’s history', async () => {
    await expect.poll(async () => namesOf(tomas.address)).toContain('Plate 4')
    await expect.poll(async () => namesOf(tomas.address)).toContain('Bookmark 1')
  })

  test('attack: an NFT in the history that the account does not own is not listed', async () => {
    await expect.poll(async () => namesOf(mira.address)).toContain('Plate 1')
    const wallet = walletOf(mira)
    const transfer = { address: addresses.nft, abi: nftAbi, functionName: 'transferFrom' } as const
    const args = [mira.address, receiver.address, 1n] as const
    await receiptOf(wallet, await wallet.writeContract({ chain: null, ...transfer, args }))
    await expect.poll(async () => namesOf(receiver.address)).toContain('Plate 1')
    expect(await namesOf(mira.address)).not.toContain('Plate 1')
  })
})

describe('metadata', () => {
  test('of ERC-1155 is at a URI with the id in 64 hexadecimal digits', async () => {
    await setUri(`${filesUrl}{id}.json`)
    serve({ name: 'From a server', attributes: [{ trait_type: 'Pages', value: 9 }] })
    const bookmark = bookmarkOf((await read(tomas.address)).body)
    expect(requested).toEqual([`/${'1'.padStart(64, '0')}.json`])
    expect(bookmark).toMatchObject({
      name: 'From a server',
      attributes: [{ name: 'Pages', value: '9' }],
    })
  })

  test('is cached for an hour, and a failure for five minutes', async () => {
    await setUri(`${filesUrl}{id}.json`)
    serve({ name: 'Cached' })
    await read(tomas.address)
    now += 59 * 60_000
    await read(tomas.address)
    expect(requested).toHaveLength(1)
    now += 2 * 60_000
    respond = (_request, response) => void response.writeHead(500).end()
    const { problem } = bookmarkOf((await read(tomas.address)).body)
    expect(problem).toBe('The URL responds with 500.')
    serve({ name: 'Back' })
    now += 5 * 60_000 + 1
    expect(bookmarkOf((await read(tomas.address)).body).name).toBe('Back')
  })

  test('at an ipfs: or ar: URI comes from the configured gateway', async () => {
    const gateways = await start({ ipfsGateway: `${filesUrl}ipfs/`, arweaveGateway: filesUrl })
    serve({ name: 'Stored' })
    for (const uri of [`ipfs://${cid}/1.json`, `ipfs://ipfs/${cid}`, `ar://${'a'.repeat(43)}/2`]) {
      await setUri(uri)
      expect(bookmarkOf((await read(tomas.address, '', gateways)).body).name).toBe('Stored')
    }
    expect(requested).toEqual([`/ipfs/${cid}/1.json`, `/ipfs/${cid}`, `/${'a'.repeat(43)}/2`])
    await gateways.stop()
  })

  test('at an ipfs: URI without a gateway is missing, and the response says why', async () => {
    await setUri(`ipfs://${cid}/1.json`)
    expect(bookmarkOf((await read(tomas.address)).body)).toMatchObject({
      name: 'Bookmarks of the Book #1',
      problem: 'The server has no IPFS gateway; its operator can set GATEFOLD_IPFS_GATEWAY.',
    })
  })

  test.each([
    ['not JSON', 'data:application/json,<html>', 'The metadata is not JSON'],
    ['not an object', 'data:application/json,[]', 'The metadata is not a JSON object.'],
    ['a URI of another kind', 'javascript:alert(1)', 'The URL has the scheme javascript:.'],
    ['an escape from the gateway', `ipfs://${cid}/../../admin`, 'The IPFS path is malformed.'],
  ])('error: %s is named in the response', async (_what, uri, problem) => {
    const gateway = await start({ ipfsGateway: `${filesUrl}ipfs/` })
    await setUri(uri)
    const shown = bookmarkOf((await read(tomas.address, '', gateway)).body).problem
    expect(shown).toContain(problem)
    expect(requested).toEqual([])
    await gateway.stop()
  })
})

describe('attack:', () => {
  test('attack: metadata in the operator’s network is not requested', async () => {
    const closed = await start({})
    await setUri(`${filesUrl}{id}.json`)
    serve({ name: 'Secret' })
    const bookmark = bookmarkOf((await read(tomas.address, '', closed)).body)
    expect(requested).toEqual([])
    expect(bookmark.problem).toMatch(/^The URL has the port/)
    await closed.stop()
  })

  test.each([
    ['too large', JSON.stringify({ name: 'Large', description: 'x'.repeat(600_000) })],
    ['nested deeply', `{"name":${'['.repeat(50_000)}${']'.repeat(50_000)}}`],
  ])('attack: metadata that is %s is refused', async (_what, body) => {
    await setUri(`${filesUrl}{id}.json`)
    serve(body)
    const { name, problem } = bookmarkOf((await read(tomas.address)).body)
    expect(name).toBe('Bookmarks of the Book #1')
    expect(problem).toBeDefined()
  })

  test('attack: texts of metadata are shortened and have no control characters', async () => {
    await setUri(`${filesUrl}{id}.json`)
    serve({
      name: '\u202E<img src=x onerror=alert(1)>\u0000',
      description: `<script>${'x'.repeat(5_000)}`,
      attributes: Array.from({ length: 500 }, () => ({
        trait_type: '\u200BHue',
        value: 'y'.repeat(500),
      })),
    })
    const { name, description, attributes } = bookmarkOf((await read(tomas.address)).body)
    expect(name).toBe('<img src=x onerror=alert(1)>')
    expect(description).toHaveLength(1_000)
    expect(attributes).toHaveLength(50)
    expect(attributes[0]).toEqual({ name: 'Hue', value: 'y'.repeat(100) })
  })

  test.each([
    // JUMPDEST, PUSH1 0, JUMP
    ['use up the gas', '0x5b600056'],
    // PUSH3 2 MB, PUSH1 0, RETURN
    ['return megabytes', '0x622000006000f3'],
  ] as const)('attack: contracts that %s do not hide other NFTs', async (_what, bytecode) => {
    const hostiles = ['1', '2', '3', '4', '5'].map(
      (digit) => `0xbad${digit.padStart(37, '0')}` as const,
    )
    const collections = hostiles.map((address) => ({
      address,
      standard: 'erc721',
      tokenIds: ['1'],
    }))
    const open = await start({}, collections)
    const client = createTestClient({ mode: 'anvil', transport: http(chain.url) })
    for (const address of hostiles) await client.setCode({ address, bytecode })
    const { status, body } = await read(tomas.address, '', open)
    expect(status).toBe(200)
    expect(body.nfts.map(({ name }) => name).toSorted()).toEqual(['Bookmark 1', 'Plate 4'])
    await open.stop()
  })
})

describe('error:', () => {
  test.each([
    [
      `/v1/account/mira/nfts?chainId=${id}`,
      'address',
      'address must be an EVM address of 20 bytes',
    ],
    [`/v1/account/${mira.address}/nfts`, 'chainId', 'chainId is missing'],
    [
      `/v1/account/${mira.address}/nfts?chainId=${id}&cursor=1`,
      'cursor',
      'cursor must be the nextCursor of a page',
    ],
  ])('%s is refused with 400', async (path, field, description) => {
    const { status, body } = await server.json(path)
    expect(status).toBe(400)
    expect(body).toEqual({ status: 'FAILED', reasons: [{ field, description }] })
  })

  test('a chain without a working upstream is 503', async () => {
    now += 60_000
    proxy.refuses = () => true
    const { status } = await read(accounts[3].address)
    proxy.refuses = () => false
    expect(status).toBe(503)
  })
})

/** Creates a contract that returns the same word for every call. */
async function setCode(address: Address, word: `0x${string}`) {
  const client = createTestClient({ mode: 'anvil', transport: http(chain.url) })
  // PUSH1 32, PUSH1 12, PUSH1 0, CODECOPY, PUSH1 32, PUSH1 0, RETURN
  await client.setCode({ address, bytecode: concat(['0x6020600c60003960206000f3', word]) })
}
