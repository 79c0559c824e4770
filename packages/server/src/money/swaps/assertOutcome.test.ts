import {
  accounts,
  addresses,
  bookmarksAbi,
  nftAbi,
  startChain,
  type Chain,
  receiptOf,
} from '@gatefold/chain'
import { nativeTokenAddress } from '@gatefold/protocol/gateway'
import {
  createClient,
  createTestClient,
  custom,
  encodeFunctionData,
  http,
  multicall3Abi,
  parseAbi,
  parseSignature,
  publicActions,
  walletActions,
  type Address,
  type Client,
  type Hex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EvmChain } from '../evm/createEvmChain.ts'
import { assertOutcome } from './assertOutcome.ts'
import { SwapSourceError, type SwapOrder } from './SwapSource.ts'

const [mira] = accounts
const owner = privateKeyToAccount(mira.privateKey)
const stranger: Address = '0x00000000000000000000000000000000000000aa'
const { usdc, book, weth, multicall3: spender, nft: plates, bookmarks } = addresses

const abi = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function setApprovalForAll(address operator, bool approved)',
  'function transferFrom(address from, address to, uint256 value)',
  'function mint(address to, uint256 amount)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes data)',
  'function safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] amounts, bytes data)',
])

/** 5 USDC for at least 3 BOOK, in their smallest units. */
const order: SwapOrder = {
  from: usdc,
  to: book,
  amount: 5n,
  account: owner.address,
  slippage: 100,
  deadline: 0n,
}
const minimum = 3n

type Call = { target: Address; callData: Hex }
const call = (
  target: Address,
  ...parameters: Parameters<typeof encodeFunctionData<typeof abi>>
): Call => ({ target, callData: encodeFunctionData(...parameters) })
const pay = (token: Address, value: bigint) =>
  call(token, { abi, functionName: 'transferFrom', args: [owner.address, stranger, value] })
const get = (token: Address, amount: bigint) =>
  call(token, { abi, functionName: 'mint', args: [owner.address, amount] })

let chain: Chain
let plate = 0n
beforeAll(async () => {
  chain = await startChain()
  const user = createTestClient({ mode: 'anvil', account: owner, transport: http(chain.url) })
    .extend(walletActions)
    .extend(publicActions)
  const send = async ({ target: to, callData: data }: Call, value = 0n) => {
    const hash = await user.sendTransaction({ chain: null, to, data, value })
    expect((await receiptOf(user, hash)).status).toBe('success')
  }
  // Multicall3 stands in for a contract that runs any call of a vendor. The
  // account has approved all of its tokens to it.
  for (const token of [usdc, book, weth])
    await send(call(token, { abi, functionName: 'approve', args: [spender, 1_000n] }))
  for (const collection of [plates, bookmarks])
    await send(call(collection, { abi, functionName: 'setApprovalForAll', args: [spender, true] }))
  await send({
    target: plates,
    callData: encodeFunctionData({ abi: nftAbi, functionName: 'mint', args: [owner.address] }),
  })
  await send({
    target: bookmarks,
    callData: encodeFunctionData({
      abi: bookmarksAbi,
      functionName: 'mint',
      args: [owner.address, 1n, 5n],
    }),
  })
  await send({ target: weth, callData: '0xd0e30db0' }, 100n)
  const read = { address: plates, abi: nftAbi } as const
  const count = await user.readContract({
    ...read,
    functionName: 'balanceOf',
    args: [owner.address],
  })
  plate = await user.readContract({
    ...read,
    functionName: 'tokenOfOwnerByIndex',
    args: [owner.address, count - 1n],
  })
})
afterAll(() => chain?.stop())

/**
 * A transaction of the account that runs all calls, and the order that it
 * claims to fill.
 */
async function check(
  calls: Call[],
  options: { order?: Partial<SwapOrder>; hasMinimum?: boolean; client?: Client } = {},
) {
  const client = options.client ?? createClient({ transport: http(chain.url) })
  const data = encodeFunctionData({
    abi: multicall3Abi,
    functionName: 'aggregate3',
    args: [calls.map((one) => ({ ...one, allowFailure: false }))],
  })
  const wanted = { ...order, ...options.order }
  const built = { to: spender, data, value: 0n, ...(options.hasMinimum !== false && { minimum }) }
  return assertOutcome({ client } as EvmChain, wanted, built, spender)
}

async function signPermit(to: Address, value: bigint): Promise<Call> {
  const deadline = 2n ** 48n
  const signature = await owner.signTypedData({
    domain: { name: 'USD Coin', version: '1', chainId: 31_337, verifyingContract: usdc },
    types: {
      Permit: [
        { name: 'owner', type: 'address' },
        { name: 'spender', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
      ],
    },
    primaryType: 'Permit',
    message: { owner: owner.address, spender: to, value, nonce: 0n, deadline },
  })
  const { r, s, yParity } = parseSignature(signature)
  return call(usdc, {
    abi,
    functionName: 'permit',
    args: [owner.address, to, value, deadline, 27 + yParity, r, s],
  })
}

test('a swap that pays the amount and gets the minimum, or pays less and gets more, passes', async () => {
  await check([pay(usdc, 5n), get(book, 3n)])
  await check([pay(usdc, 4n), get(book, 4n), get(usdc, 9n)])
  await check([pay(usdc, 5n), get(book, 3n), await signPermit(spender, 1n)])
  await check([pay(usdc, 5n), get(book, 3n), await signPermit(stranger, 0n)])
})

test.each<[string, string, () => Call[] | Promise<Call[]>]>([
  ['pays more', 'the amount to pay', () => [pay(usdc, 6n), get(book, 3n)]],
  [
    'pays with another token',
    'another token to pay',
    () => [pay(usdc, 5n), pay(weth, 1n), get(book, 3n)],
  ],
  ['gets less than the minimum', 'the amount to get', () => [pay(usdc, 5n), get(book, 2n)]],
  ['gets nothing', 'the amount to get', () => [pay(usdc, 5n)]],
  ['gets another token', 'the amount to get', () => [pay(usdc, 5n), get(usdc, 3n)]],
  [
    'takes a part of it back',
    'the amount to get',
    () => [pay(usdc, 5n), get(book, 3n), pay(book, 1n)],
  ],
  [
    'approves another contract',
    'another approved contract',
    async () => [pay(usdc, 5n), get(book, 3n), await signPermit(stranger, 1n)],
  ],
  [
    'takes an ERC-721 token',
    'an NFT to pay',
    () => [pay(usdc, 5n), get(book, 3n), pay(plates, plate)],
  ],
  [
    'takes an ERC-1155 token',
    'an NFT to pay',
    () => [
      pay(usdc, 5n),
      get(book, 3n),
      call(bookmarks, {
        abi,
        functionName: 'safeTransferFrom',
        args: [owner.address, stranger, 1n, 1n, '0x'],
      }),
    ],
  ],
  [
    'takes several ERC-1155 tokens',
    'an NFT to pay',
    () => [
      pay(usdc, 5n),
      get(book, 3n),
      call(bookmarks, {
        abi,
        functionName: 'safeBatchTransferFrom',
        args: [owner.address, stranger, [1n], [2n], '0x'],
      }),
    ],
  ],
])('attack: a swap that %s is refused', async (_, difference, calls) => {
  const error = await check(await calls()).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(SwapSourceError)
  expect((error as Error).message).toContain(difference)
})

test('attack: a swap that gets none of the native currency is refused', async () => {
  const wanted = { order: { to: nativeTokenAddress as Address } }
  await expect(check([pay(usdc, 5n)], wanted)).rejects.toThrow('the amount to get')
})

test('a swap that would fail, or has no minimum, is not checked', async () => {
  await check([pay(usdc, 10n ** 12n)])
  await check([pay(usdc, 6n)], { hasMinimum: false })
})

test('nothing is checked if the upstream cannot simulate', async () => {
  const client = createClient({
    transport: custom({
      request: async () => {
        throw new Error('The method does not exist.')
      },
    }),
  })
  await check([pay(usdc, 6n)], { client })
})
