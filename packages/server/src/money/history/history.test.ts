import {
  accounts,
  addresses,
  chainData,
  nftAbi,
  startChain,
  usdcAbi,
  wethAbi,
  type Chain,
  receiptOf,
} from '@gatefold/chain'
import { limits } from '@gatefold/protocol'
import type { HistoryResponse, TransactionResponse } from '@gatefold/protocol/gateway'
import {
  concat,
  createTestClient,
  createWalletClient,
  encodeAbiParameters,
  getAddress,
  http,
  maxUint256,
  numberToHex,
  padHex,
  parseEther,
  parseUnits,
  publicActions,
  toEventSelector,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listNftCandidates } from '../../storage/history.ts'
import { createTestServer, type TestServer } from '../../testing/createTestGateway.ts'

const [mira, tomas] = accounts
const id = 'eip155:31337'
const someone = getAddress('0x00000000000000000000000000000000000a11ce')
const native = `${id}:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee`
const usdc = `${id}:${addresses.usdc}`

let chain: Chain
let server: TestServer
let now = Date.now()
beforeAll(async () => {
  chain = await startChain()
  server = await createTestServer(
    ['money'],
    { rpcUrls: { [id]: [chain.url] }, chains: chainData, ipBurst: 1_000_000 },
    { now: () => now },
  )
  await node().setCode({ address: emitter, bytecode: emitterCode })
  await read(mira.address)
})
afterAll(async () => {
  await server?.stop()
  await chain?.stop()
})

const node = () =>
  createTestClient({ mode: 'anvil', transport: http(chain.url) }).extend(publicActions)
const walletOf = (account: { privateKey: Hex }) =>
  createWalletClient({
    account: privateKeyToAccount(account.privateKey),
    transport: http(chain.url),
  })

async function mined(hash: Promise<Hex>): Promise<Hex> {
  const receipt = await receiptOf(node(), await hash)
  return receipt.transactionHash
}

const pay = async (to: Address, value: bigint, from: { privateKey: Hex } = mira) =>
  mined(walletOf(from).sendTransaction({ to, value, chain: null }))

async function read(address: string, query = '', init?: { address?: string }) {
  const answer = await server.json(`/v1/account/${address}/history?chainId=${id}${query}`, init)
  return { ...answer, body: answer.body as HistoryResponse }
}

/** The transaction of an account with a hash, once it is indexed. */
async function find(hash: Hex, account: Address = mira.address) {
  await expect.poll(async () => (await read(account)).body.data[0]?.id, wait).toBe(hash)
  return (await read(account)).body.data[0]!
}

const wait = { interval: 100 }

describe('§3.9.1 §7.8.3 the history of an account', () => {
  test('has payments, sent and received', async () => {
    const hash = await pay(tomas.address, parseEther('1.5'))
    const { nonce } = await node().getTransaction({ hash })
    const { timestamp } = await node().getBlock()
    const sent = await find(hash)
    expect(sent).toEqual({
      id: hash,
      metadata: {
        operationType: 'send',
        hash,
        chain: id,
        minedAt: new Date(Number(timestamp) * 1000).toISOString(),
        sentFrom: mira.address,
        sentTo: tomas.address,
        status: 'confirmed',
        nonce,
      },
      transfers: [
        {
          fungible_info: {
            name: 'Ether',
            symbol: 'ETH',
            icon: { url: 'http://localhost/public/getTokenImage/ETH' },
            flags: { is_spam: false },
          },
          direction: 'out',
          quantity: { numeric: '1.5' },
          price: expect.closeTo(2750, -2) as number,
          value: expect.closeTo(1.5 * 2750, -2) as number,
        },
      ],
    })
    const received = await find(hash, tomas.address)
    expect(received.metadata).toEqual({ ...sent.metadata, operationType: 'receive' })
    expect(received.transfers[0]!.direction).toBe('in')
    const toSelf = await find(await pay(mira.address, 1n))
    expect([toSelf.metadata.operationType, toSelf.transfers[0]!.direction]).toEqual([
      'send',
      'self',
    ])
    expect((await find(await pay(mira.address, 0n))).metadata.operationType).toBe('cancel')
  })

  test('has transfers and approvals of tokens', async () => {
    const token = { chain: null, address: addresses.usdc, abi: usdcAbi } as const
    const transfer = await find(
      await mined(
        walletOf(mira).writeContract({
          ...token,
          functionName: 'transfer',
          args: [someone, parseUnits('12.5', 6)],
        }),
      ),
    )
    expect([transfer.metadata.operationType, ...transfer.transfers]).toMatchObject([
      'send',
      {
        fungible_info: { name: 'USD Coin', symbol: 'USDC', flags: { is_spam: false } },
        direction: 'out',
        quantity: { numeric: '12.5' },
        price: 1,
        value: 12.5,
      },
    ])
    const approval = await find(
      await mined(
        walletOf(mira).writeContract({
          ...token,
          functionName: 'approve',
          args: [addresses.uniswapSwapRouter02, parseUnits('500', 6)],
        }),
      ),
    )
    expect([approval.metadata.operationType, ...approval.transfers]).toMatchObject([
      'approve',
      { fungible_info: { symbol: 'USDC' }, direction: 'self', quantity: { numeric: '500' } },
    ])
  })

  test('has swaps, also of a token for the native currency', async () => {
    const swap = async (from: string, to: string, amount: bigint) => {
      const answer = await server.json('/v1/convert/build-transaction', {
        method: 'POST',
        body: JSON.stringify({
          amount: String(amount),
          from,
          to,
          userAddress: `${id}:${mira.address}`,
        }),
      })
      const { tx } = answer.body as TransactionResponse
      return find(
        await mined(
          walletOf(mira).sendTransaction({
            chain: null,
            to: tx.to.split(':')[2] as Address,
            data: tx.data as Hex,
            value: BigInt(tx.value),
          }),
        ),
      )
    }
    const bought = await swap(native, usdc, parseEther('1'))
    expect(bought.metadata.operationType).toBe('trade')
    expect(bought.transfers).toMatchObject([
      { fungible_info: { symbol: 'ETH' }, direction: 'out', quantity: { numeric: '1' } },
      { fungible_info: { symbol: 'USDC' }, direction: 'in' },
    ])
    const before = await node().getBalance({ address: mira.address })
    const sold = await swap(usdc, native, parseUnits('100', 6))
    const { gasUsed, effectiveGasPrice } = await node().getTransactionReceipt({
      hash: sold.id as Hex,
    })
    const paid = (await node().getBalance({ address: mira.address })) - before
    expect(sold.metadata.operationType).toBe('trade')
    expect(sold.transfers).toMatchObject([
      { fungible_info: { symbol: 'USDC' }, direction: 'out', quantity: { numeric: '100' } },
      { fungible_info: { symbol: 'ETH' }, direction: 'in' },
    ])
    expect(parseEther(sold.transfers[1]!.quantity.numeric)).toBe(paid + gasUsed * effectiveGasPrice)
    const weth = { chain: null, address: addresses.weth, abi: wethAbi } as const
    const wrapped = await find(
      await mined(walletOf(mira).writeContract({ ...weth, functionName: 'deposit', value: 7n })),
    )
    const unwrapped = await find(
      await mined(walletOf(mira).writeContract({ ...weth, functionName: 'withdraw', args: [7n] })),
    )
    expect(
      [wrapped, unwrapped].map(({ metadata, transfers }) => [
        metadata.operationType,
        ...transfers.map((it) => `${it.direction} ${it.fungible_info!.symbol}`),
      ]),
    ).toEqual([
      ['trade', 'out ETH', 'in WETH'],
      ['trade', 'out WETH', 'in ETH'],
    ])
  })

  test('has NFTs, calls, deployments and failed transactions', async () => {
    const nft = { chain: null, address: addresses.nft, abi: nftAbi } as const
    const minted = await find(
      await mined(
        walletOf(mira).writeContract({ ...nft, functionName: 'mint', args: [mira.address] }),
      ),
    )
    const imageUrl = `http://localhost/v1/images/nft/${id}/erc721:${addresses.nft.toLowerCase()}`
    expect([minted.metadata.operationType, ...minted.transfers]).toEqual([
      'mint',
      {
        nft_info: {
          name: expect.stringMatching(/^Plates of the Book #\d+$/) as string,
          flags: { is_spam: false },
          contract: `${id}:${addresses.nft}`,
          token_id: expect.stringMatching(/^\d+$/) as string,
          content: {
            preview: { url: expect.stringMatching(/&size=128$/) as string },
            detail: { url: expect.stringMatching(`^${imageUrl}/\\d+\\?v=[^&]+$`) as string },
          },
        },
        direction: 'in',
        quantity: { numeric: '1' },
      },
    ])
    const tokenId = minted.transfers[0]!.nft_info!.token_id
    expect((await listNftCandidates(server.context.storage.db, id, mira.address))[0]).toEqual({
      contract: addresses.nft.toLowerCase(),
      tokenId,
      standard: 'erc721',
      lastSeenAt: Date.parse(minted.metadata.minedAt),
    })
    const allowed = await find(
      await mined(
        walletOf(mira).writeContract({
          ...nft,
          functionName: 'setApprovalForAll',
          args: [someone, true],
        }),
      ),
    )
    expect([allowed.metadata.operationType, allowed.transfers[0]]).toMatchObject([
      'approve',
      { nft_info: { name: 'Plates of the Book' }, direction: 'self' },
    ])
    const call = await find(
      await mined(walletOf(mira).sendTransaction({ to: someone, data: '0x1234', chain: null })),
    )
    expect([call.metadata.operationType, call.transfers[0]]).toMatchObject([
      'execute',
      { fungible_info: { symbol: 'ETH' }, direction: 'out', quantity: { numeric: '0' } },
    ])
    const deployed = await find(
      await mined(walletOf(mira).sendTransaction({ data: '0x60006000f3', chain: null })),
    )
    expect(deployed.metadata.operationType).toBe('deploy')
    expect(deployed.metadata.sentTo).not.toBe(zeroAddress)
    const failed = await find(
      await mined(
        walletOf(mira).writeContract({
          chain: null,
          address: addresses.usdc,
          abi: usdcAbi,
          functionName: 'transfer',
          args: [someone, maxUint256],
          gas: 100_000n,
        }),
      ),
    )
    expect(failed.metadata).toMatchObject({ operationType: 'execute', status: 'failed' })
  })

  test('has transfers of ERC-1155 tokens', async () => {
    const received = await find(
      await emit(
        tomas,
        [
          toEventSelector('TransferSingle(address,address,address,uint256,uint256)'),
          padHex(tomas.address, { size: 32 }),
          padHex(tomas.address, { size: 32 }),
          padHex(mira.address, { size: 32 }),
        ],
        encodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], [42n, 3n]),
      ),
    )
    expect([received.metadata.operationType, ...received.transfers]).toMatchObject([
      'receive',
      {
        nft_info: { name: 'NFT #42', flags: { is_spam: false } },
        direction: 'in',
        quantity: { numeric: '3' },
      },
    ])
    const batch = await find(
      await emit(
        tomas,
        [
          toEventSelector('TransferBatch(address,address,address,uint256[],uint256[])'),
          padHex(tomas.address, { size: 32 }),
          padHex(mira.address, { size: 32 }),
          padHex(tomas.address, { size: 32 }),
        ],
        encodeAbiParameters(
          [{ type: 'uint256[]' }, { type: 'uint256[]' }],
          [
            [1n, 2n],
            [5n, 6n],
          ],
        ),
      ),
    )
    expect(
      batch.transfers.map((it) => [it.direction, it.nft_info?.token_id, it.quantity.numeric]),
    ).toEqual([
      ['out', '1', '5'],
      ['out', '2', '6'],
    ])
    expect(await listNftCandidates(server.context.storage.db, id, mira.address)).toContainEqual({
      contract: emitter,
      tokenId: '42',
      standard: 'erc1155',
      lastSeenAt: Date.parse(received.metadata.minedAt),
    })
  })

  test('has pages that stay the same while new transactions arrive', async () => {
    for (let value = 1n; value <= 40n; value++) await pay(someone, value, tomas)
    const newest = await pay(someone, 41n, tomas)
    await find(newest, tomas.address)
    const first = (await read(tomas.address)).body
    expect(first.data).toHaveLength(limits.historyPageSize)
    await find(await pay(someone, 42n, tomas), tomas.address)
    const pages = [first.data]
    for (let { next } = first; next !== null;) {
      const page = (await read(tomas.address, `&cursor=${next}`)).body
      pages.push(page.data)
      ;({ next } = page)
    }
    const hashes = pages.flat().map((it) => it.id)
    expect(new Set(hashes).size).toBe(hashes.length)
    expect(hashes[0]).toBe(newest)
    const blocks = await Promise.all(
      hashes.map(async (hash) => (await node().getTransaction({ hash: hash as Hex })).blockNumber),
    )
    expect(blocks).toEqual(blocks.toSorted((a, b) => Number(b - a)))
    expect(first.indexed).toEqual({
      from: 0,
      to: expect.any(Number) as number,
      isComplete: true,
    })
  })
})

describe('the history', () => {
  test('attack: a zero-value transfer from the account that someone else triggered is omitted', async () => {
    const { data } = (await read(mira.address)).body
    await mined(
      walletOf(tomas).writeContract({
        chain: null,
        address: addresses.usdc,
        abi: usdcAbi,
        functionName: 'transferFrom',
        args: [mira.address, someone, 0n],
      }),
    )
    const hash = await pay(mira.address, 5n, tomas)
    await find(hash)
    expect((await read(mira.address)).body.data.slice(1, 3)).toEqual(data.slice(0, 2))
  })

  test('attack: an NFT or token that arrives by a mass mailing is flagged as spam', async () => {
    const transfer = toEventSelector('Transfer(address,address,uint256)')
    const parties = [padHex('0x', { size: 32 }), padHex(mira.address, { size: 32 })] as const
    const nft = await find(await emit(tomas, [transfer, ...parties, numberToHex(9, { size: 32 })]))
    expect(nft.transfers[0]!.nft_info!.flags.is_spam).toBe(true)
    const mint = { chain: null, address: addresses.nft, abi: nftAbi, functionName: 'mint' } as const
    const mailed = await find(
      await mined(walletOf(tomas).writeContract({ ...mint, args: [mira.address] })),
    )
    // Its picture could advertise.
    expect(mailed.transfers[0]!.nft_info).toMatchObject({ flags: { is_spam: true } })
    expect(mailed.transfers[0]!.nft_info).not.toHaveProperty('content')
    const fake = await find(await emitErc20(transfer, parties))
    expect(fake.transfers).toMatchObject([
      { fungible_info: { flags: { is_spam: true } }, direction: 'in' },
    ])
    expect(fake.transfers[0]).not.toHaveProperty('price')
  })

  test('attack: one address cannot make the server index any number of accounts', async () => {
    const config = { rpcUrls: { [id]: [chain.url] }, chains: chainData, ipBurst: 1_000_000 }
    const small = await createTestServer(
      ['money'],
      { ...config, historyAddresses: limits.historyAddressBurst + 20 },
      { now: () => now },
    )
    const status = async (index: number, address: string) => {
      const path = `/v1/account/${padHex(`0x${index}`, { size: 20 })}/history?chainId=${id}`
      return (await small.json(`${path}&cursor=1-0`, { address })).status
    }
    const statuses: number[] = []
    for (let index = 1; index <= limits.historyAddressBurst + 5; index++)
      statuses.push(await status(index, '192.0.2.7'))
    expect(statuses.filter((it) => it === 429)).toHaveLength(5)
    expect(await status(1, '192.0.2.7')).toBe(200)
    expect(await status(1_000, '192.0.2.8')).toBe(200)
    for (let index = 2_000; index < 2_020; index++) statuses.push(await status(index, '192.0.2.8'))
    expect(statuses.at(-1)).toBe(503)
    await small.stop()
  })
})

describe('a cursor', () => {
  test.each([
    ['of another source', Buffer.from('{"block_number":1}').toString('base64url')],
    ['negative', '-1-0'],
    ['a fraction', '1.5-0'],
    ['followed by something', '1-0;drop table history_entries'],
    ['too large a block', '9999999999999999-0'],
    ['too large a position', '1-9999999999'],
    ['of 3,000 characters', '1'.repeat(3_000)],
  ])('attack: that is %s is refused', async (_, cursor) => {
    const query = `&cursor=${encodeURIComponent(cursor)}`
    const { status, body } = await read(mira.address, query)
    expect(status).toBe(400)
    expect(body).toMatchObject({ reasons: [{ field: 'cursor' }] })
  })

  test('attack: of another account or chain selects only transactions of the account', async () => {
    await find(await pay(someone, 1n))
    const other = await pay(someone, 1n, tomas)
    await find(other, tomas.address)
    const { blockNumber, transactionIndex } = await node().getTransactionReceipt({ hash: other })
    const idsOf = async (query: string) =>
      (await read(mira.address, query)).body.data.map((it) => it.id)
    const all = await idsOf('')
    expect(await idsOf('&cursor=999999999999999-999999999')).toEqual(all)
    expect(all).not.toContain(other)
    // A cursor from the other account's history only selects older transactions
    // of this account.
    expect(await idsOf(`&cursor=${blockNumber}-${transactionIndex}`)).toEqual(all)
    expect(await idsOf('&cursor=0-0')).toEqual([])
  })
})

describe('error:', () => {
  test.each([
    [
      `/v1/account/mira/history?chainId=${id}`,
      'address',
      'address must be an EVM address of 20 bytes',
    ],
    [`/v1/account/${mira.address}/history`, 'chainId', 'chainId is missing'],
    [
      `/v1/account/${mira.address}/history?chainId=eip155:5`,
      'chainId',
      `chainId: the chain eip155:5 is not supported; supported chains: ${id}`,
    ],
    [
      `/v1/account/${mira.address}/history?chainId=${id}&cursor=later`,
      'cursor',
      'cursor is not `next` of a page of this history',
    ],
  ])('%s is refused with 400', async (path, field, description) => {
    const { status, body } = await server.json(path)
    expect(status).toBe(400)
    expect(body).toEqual({ status: 'FAILED', reasons: [{ field, description }] })
  })

  test('a chain without a history is refused with 400', async () => {
    const config = { rpcUrls: { [id]: [chain.url] }, chains: chainData, history: {} }
    const without = await createTestServer(['money'], config)
    const { status, body } = await without.json(`/v1/account/${mira.address}/history?chainId=${id}`)
    await without.stop()
    expect([status, body]).toMatchObject([400, { reasons: [{ field: 'chainId' }] }])
  })
})

/** Emits the log with the four topics and the data in its calldata. */
const emitter = '0x00000000000000000000000000000000000e0e0e'
const emitterCode = '0x6080360380608060003750606035604035602035600035608036036000a400'
/** Emits the log with the three topics and the data in its calldata. */
const emitterCode3 = '0x6080360380608060003750604035602035600035608036036000a300'

async function emit(from: { privateKey: Hex }, topics: Hex[], data: Hex = '0x') {
  const calldata = concat([...topics, data])
  return mined(walletOf(from).sendTransaction({ to: emitter, data: calldata, chain: null }))
}

async function emitErc20(event: Hex, parties: readonly [Hex, Hex]) {
  await node().setCode({ address: emitter, bytecode: emitterCode3 })
  const hash = await emit(
    tomas,
    [event, ...parties, padHex('0x', { size: 32 })],
    numberToHex(1_000, { size: 32 }),
  )
  await node().setCode({ address: emitter, bytecode: emitterCode })
  return hash
}
