import { type Address, labelhash, namehash, parseAbi, parseEther, parseUnits, zeroHash } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import {
  bookmarksAbi,
  ensRegistryAbi,
  ensResolverAbi,
  ensReverseRegistrarAbi,
  nftAbi,
  usdcAbi,
  wethAbi,
} from '../src/abis.ts'
import { accounts as devAccounts } from '../src/accounts.ts'
import type { Workshop } from './workshop.ts'

type Place = Record<
  | 'book'
  | 'bookmarks'
  | 'ensGatewayResolver'
  | 'ensRegistry'
  | 'ensResolver'
  | 'ensReverseRegistrar'
  | 'nft'
  | 'uniswapSwapRouter02'
  | 'usdc'
  | 'weth',
  Address
>

const people = devAccounts.map((account) => privateKeyToAccount(account.privateKey))

/** Holdings by account index. */
const holdings = [
  { usdc: '25000', book: '1200', weth: '2.5', plates: 3 },
  { usdc: '4200.5', book: '350', weth: '0.75', plates: 1 },
  { usdc: '1000000', book: '12345678.9', weth: '120', plates: 4 },
  { usdc: '87.65', book: '5', weth: '0.01', plates: 1 },
  { usdc: '0.42', book: '0.001', weth: '0.000001', plates: 1 },
]

const routerAbi = parseAbi([
  'struct Swap { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(Swap params) payable returns (uint256 amountOut)',
])

/** Distributes tokens and plates. */
export async function distributeHoldings({ send }: Workshop, at: Place) {
  for (const [i, { usdc, book, weth, plates }] of holdings.entries()) {
    const from = accountAt(i)
    const to = from.address
    await send({ to: at.usdc, abi: usdcAbi, functionName: 'mint', args: [to, parseUnits(usdc, 6)] })
    await send({ to: at.book, abi: usdcAbi, functionName: 'mint', args: [to, parseEther(book)] })
    await send({
      to: at.weth,
      abi: wethAbi,
      functionName: 'deposit',
      value: parseEther(weth),
      from,
    })
    for (let count = 0; count < plates; count++) {
      await send({ to: at.nft, abi: nftAbi, functionName: 'mint', args: [to] })
    }
  }
}

/** Mints bookmarks, each id to two accounts. */
export async function distributeBookmarks({ send }: Workshop, at: Place) {
  const bookmarks = { to: at.bookmarks, abi: bookmarksAbi, functionName: 'mint' }
  for (const [i, id, amount] of [
    [0, 1n, 12n],
    [0, 2n, 1n],
    [1, 1n, 3n],
    [2, 2n, 40n],
  ] as const)
    await send({ ...bookmarks, args: [accountAt(i).address, id, amount] })
}

/** Registers names for the first three accounts, with reverse records. */
export async function registerNames(workshop: Workshop, at: Place) {
  const { owner, send } = workshop
  const registry = { to: at.ensRegistry, abi: ensRegistryAbi }
  const own = (parent: string, label: string, address: Address) =>
    send({
      ...registry,
      functionName: 'setSubnodeOwner',
      args: [parent ? namehash(parent) : zeroHash, labelhash(label), address],
    })

  await own('', 'eth', owner.address)
  await own('', 'reverse', owner.address)
  await own('reverse', 'addr', at.ensReverseRegistrar)

  await own('eth', 'offchain', owner.address)
  await send({
    ...registry,
    functionName: 'setResolver',
    args: [namehash('offchain.eth'), at.ensGatewayResolver],
  })

  const names: { label: string; texts: Record<string, string> }[] = [
    {
      label: 'mira',
      texts: {
        // Sets an NFT avatar: the image of plate 1.
        avatar: `eip155:31337/erc721:${at.nft}/1`,
        description: 'Reads the book from the back.',
        url: 'https://mira.example',
      },
    },
    { label: 'tomas', texts: { description: 'Keeps the ledger.' } },
    { label: 'the-lighthouse-keeper-of-skagen', texts: { avatar: lighthouse } },
  ]
  for (const [i, { label, texts }] of names.entries()) {
    const from = accountAt(i)
    const name = `${label}.eth`
    const node = namehash(name)
    const resolver = { to: at.ensResolver, abi: ensResolverAbi, from }
    await own('eth', label, from.address)
    await send({ ...registry, functionName: 'setResolver', args: [node, at.ensResolver], from })
    await send({ ...resolver, functionName: 'setAddr', args: [node, from.address] })
    for (const [key, value] of Object.entries(texts)) {
      await send({ ...resolver, functionName: 'setText', args: [node, key, value] })
    }
    await send({
      to: at.ensReverseRegistrar,
      abi: ensReverseRegistrarAbi,
      functionName: 'setName',
      args: [at.ensResolver, name],
      from,
    })
  }
}

/** Sends transactions over about two weeks of chain time, hours to days apart. */
export async function makeHistory({ client, send }: Workshop, at: Place) {
  const [mira, tomas, keeper] = [accountAt(0), accountAt(1), accountAt(2)]
  const usdc = { to: at.usdc, abi: usdcAbi }
  const past: [hoursLater: number, Parameters<Workshop['send']>[0]][] = [
    [5, { to: tomas.address, value: parseEther('1.25'), from: mira }],
    [19, { ...usdc, functionName: 'transfer', args: [mira.address, 320_000000n], from: tomas }],
    [52, { to: mira.address, value: parseEther('0.4'), from: keeper }],
    [27, swap(at, at.weth, at.usdc, 500, parseEther('0.8'), mira, true)],
    [
      3,
      {
        ...usdc,
        functionName: 'approve',
        args: [at.uniswapSwapRouter02, 1_000_000000n],
        from: mira,
      },
    ],
    [1, swap(at, at.usdc, at.weth, 3000, 1_000_000000n, mira)],
    [94, swap(at, at.weth, at.book, 3000, parseEther('0.25'), tomas, true)],
    [
      41,
      {
        to: at.nft,
        abi: nftAbi,
        functionName: 'transferFrom',
        args: [keeper.address, mira.address, 8n],
        from: keeper,
      },
    ],
    [
      12,
      {
        to: at.book,
        abi: usdcAbi,
        functionName: 'transfer',
        args: [keeper.address, parseEther('42')],
        from: mira,
      },
    ],
    [
      66,
      { ...usdc, functionName: 'transfer', args: [accountAt(3).address, 15_500000n], from: mira },
    ],
    [
      8,
      {
        to: at.weth,
        abi: wethAbi,
        functionName: 'withdraw',
        args: [parseEther('0.5')],
        from: mira,
      },
    ],
    [30, { to: mira.address, value: parseEther('2'), from: tomas }],
  ]
  for (const [hours, call] of past) {
    const { timestamp } = await client.getBlock()
    await client.setNextBlockTimestamp({ timestamp: timestamp + BigInt(hours) * 3600n })
    await send(call)
  }
}

function swap(
  at: Place,
  tokenIn: Address,
  tokenOut: Address,
  fee: number,
  amountIn: bigint,
  from: (typeof people)[number],
  paidInEther = false,
) {
  const order = { tokenIn, tokenOut, fee, amountIn, recipient: from.address }
  return {
    to: at.uniswapSwapRouter02,
    abi: routerAbi,
    functionName: 'exactInputSingle',
    args: [{ ...order, amountOutMinimum: 0n, sqrtPriceLimitX96: 0n }],
    value: paidInEther ? amountIn : 0n,
    from,
  }
}

function accountAt(i: number) {
  const account = people[i]
  if (!account) throw new Error(`There is no account ${i}.`)
  return account
}

const lighthouse = `data:image/svg+xml;base64,${Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><path fill="#1d3b57" d="M0 0h100v100H0z"/>' +
    '<path fill="#f4c95d" opacity=".6" d="M50 30l50-16v32z"/><path fill="#f7f3ea" d="M42 38h16l5 62H37z"/>' +
    '<path fill="#d1495b" d="M41 50h18l1 13H40zm-2 26h22l1 13H38zM42 38v-8l8-8 8 8v8z"/></svg>',
).toString('base64')}`
