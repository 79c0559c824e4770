import {
  type Hex,
  BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  createWalletClient,
  erc20Abi,
  http,
  parseAbi,
  parseEther,
  parseSignature,
  publicActions,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nftAbi, revertsAbi, usdcAbi, wethAbi } from './abis.ts'
import { accounts } from './accounts.ts'
import { addresses } from './addresses.ts'
import { gatefoldLocal, gatefoldSecond } from './chains.ts'
import { type Chain, startChain } from './startChain.ts'
import { receiptOf } from './receiptOf.ts'

const [mira, tomas, keeper, , , , , , fresh] = accounts

let chain: Chain
let client: ReturnType<typeof createWallet>
beforeAll(async () => {
  chain = await startChain()
  client = createWallet(chain.url, mira.privateKey)
})
afterAll(() => chain.stop())

test('every address has code on both chains', async () => {
  const second = await startChain({ chainId: 31338 })
  try {
    for (const url of [chain.url, second.url]) {
      const reader = createPublicClient({ transport: http(url, { batch: true }) })
      const bare = await Promise.all(
        Object.entries(addresses).map(async ([name, address]) =>
          (await reader.getCode({ address })) ? [] : [name],
        ),
      )
      expect(bare.flat()).toEqual([])
    }
  } finally {
    await second.stop()
  }
})

test('the chain definitions have the addresses of the deployed contracts', () => {
  const multicall3 = { address: addresses.multicall3 }
  const ensUniversalResolver = { address: addresses.ensUniversalResolver }
  expect(gatefoldLocal().contracts).toEqual({ multicall3, ensUniversalResolver })
  expect(gatefoldSecond().contracts).toEqual({ multicall3 })
})

test('multicall reads several values in one call, and reports which read failed', async () => {
  const token = { address: addresses.usdc, abi: erc20Abi } as const
  const results = await client.multicall({
    contracts: [
      { ...token, functionName: 'symbol' },
      { ...token, functionName: 'decimals' },
      { ...token, functionName: 'balanceOf', args: [keeper.address] },
      { address: addresses.nft, abi: nftAbi, functionName: 'ownerOf', args: [404n] },
    ],
  })
  expect(results.map((result) => result.result)).toEqual(['USDC', 6, 1_000_000_000000n, undefined])
  expect(results[3].status).toBe('failure')
})

test.each([
  ['Gatefold Local', 31337, gatefoldLocal],
  ['Gatefold Second', 31338, gatefoldSecond],
] as const)(
  'on %s, a signed permit lets another account spend USDC',
  async (_, chainId, toChain) => {
    const own = await startChain({ chainId })
    try {
      const viemChain = toChain(own.url)
      const connect = (key: Hex) =>
        createWalletClient({
          account: privateKeyToAccount(key),
          chain: viemChain,
          transport: http(),
          pollingInterval: 5,
        }).extend(publicActions)
      const [holder, spender] = [connect(mira.privateKey), connect(tomas.privateKey)]
      const token = { address: addresses.usdc, abi: usdcAbi } as const
      const value = 12_340000n
      const deadline = (await holder.getBlock()).timestamp + 3600n
      const signature = await holder.signTypedData({
        domain: {
          name: 'USD Coin',
          version: '1',
          chainId,
          verifyingContract: addresses.usdc,
        },
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
        message: {
          owner: mira.address,
          spender: tomas.address,
          value,
          nonce: await holder.readContract({
            ...token,
            functionName: 'nonces',
            args: [mira.address],
          }),
          deadline,
        },
      })
      const { r, s, yParity } = parseSignature(signature)
      const before = await balanceOf(tomas.address)
      const permitted = await spender.writeContract({
        ...token,
        functionName: 'permit',
        args: [mira.address, tomas.address, value, deadline, 27 + yParity, r, s],
      })
      expect((await receiptOf(spender, permitted)).status).toBe('success')
      const spent = await spender.writeContract({
        ...token,
        functionName: 'transferFrom',
        args: [mira.address, tomas.address, value],
      })
      expect((await receiptOf(spender, spent)).status).toBe('success')
      expect(await balanceOf(tomas.address)).toBe(before + value)

      function balanceOf(address: Hex) {
        return holder.readContract({ ...token, functionName: 'balanceOf', args: [address] })
      }
    } finally {
      await own.stop()
    }
  },
)

describe('Uniswap', () => {
  const quoterAbi = parseAbi([
    'struct Quote { address tokenIn; address tokenOut; uint256 amountIn; uint24 fee; uint160 sqrtPriceLimitX96; }',
    'function quoteExactInputSingle(Quote params) returns (uint256 amountOut, uint160 sqrtPriceX96After, uint32 initializedTicksCrossed, uint256 gasEstimate)',
  ])
  const routerAbi = parseAbi([
    'struct Swap { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
    'function exactInputSingle(Swap params) payable returns (uint256 amountOut)',
  ])

  test.each([
    ['WETH for USDC at 0.05 %', addresses.usdc, 500, 6, [2500, 3000]],
    ['WETH for USDC at 0.3 %', addresses.usdc, 3000, 6, [2500, 3000]],
    ['WETH for BOOK at 0.3 %', addresses.book, 3000, 18, [450, 550]],
  ] as const)('%s: a swap yields the quoted amount', async (_, token, fee, decimals, range) => {
    const order = {
      tokenIn: addresses.weth,
      tokenOut: token,
      fee,
      amountIn: parseEther('1'),
      sqrtPriceLimitX96: 0n,
    }
    const { result } = await client.simulateContract({
      address: addresses.uniswapV3QuoterV2,
      abi: quoterAbi,
      functionName: 'quoteExactInputSingle',
      args: [order],
    })
    const [quoted] = result
    expect(Number(quoted) / 10 ** decimals).toBeGreaterThan(range[0])
    expect(Number(quoted) / 10 ** decimals).toBeLessThan(range[1])

    const read = () =>
      client.readContract({
        address: token,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [mira.address],
      })
    const before = await read()
    const hash = await client.writeContract({
      address: addresses.uniswapV3SwapRouter02,
      abi: routerAbi,
      functionName: 'exactInputSingle',
      args: [{ ...order, recipient: mira.address, amountOutMinimum: quoted }],
      value: order.amountIn,
    })
    await receiptOf(client, hash)
    expect((await read()) - before).toBe(quoted)
  })
})

test('WETH wraps and unwraps ether', async () => {
  const weth = { address: addresses.weth, abi: wethAbi } as const
  const read = () =>
    client.readContract({ ...weth, functionName: 'balanceOf', args: [mira.address] })
  const before = await read()
  const value = parseEther('0.1')
  await confirm(await client.writeContract({ ...weth, functionName: 'deposit', value }))
  expect(await read()).toBe(before + value)
  await confirm(await client.writeContract({ ...weth, functionName: 'withdraw', args: [value] }))
  expect(await read()).toBe(before)
})

test('the Plates contract lists an account’s plates with name and image', async () => {
  const nft = { address: addresses.nft, abi: nftAbi } as const
  const count = await client.readContract({
    ...nft,
    functionName: 'balanceOf',
    args: [mira.address],
  })
  expect(count).toBe(4n)
  for (let index = 0n; index < count; index++) {
    const id = await client.readContract({
      ...nft,
      functionName: 'tokenOfOwnerByIndex',
      args: [mira.address, index],
    })
    const uri = await client.readContract({ ...nft, functionName: 'tokenURI', args: [id] })
    const metadata = (await (await fetch(uri)).json()) as { name: string; image: string }
    expect(metadata.name).toBe(`Plate ${id}`)
    expect((await fetch(metadata.image)).headers.get('content-type')).toBe('image/svg+xml')
  }
})

describe('smart accounts', () => {
  test.each(['06', '07', '08'] as const)(
    'the accounts of the factory for entry point %s use that entry point',
    async (version) => {
      const entryPoint = addresses[`entryPoint${version}`]
      const implementation = await client.readContract({
        address: addresses[`simpleAccountFactory${version}`],
        abi: parseAbi(['function accountImplementation() view returns (address)']),
        functionName: 'accountImplementation',
      })
      expect(
        await client.readContract({
          address: implementation,
          abi: parseAbi(['function entryPoint() view returns (address)']),
          functionName: 'entryPoint',
        }),
      ).toBe(entryPoint)
      expect(
        await client.readContract({
          address: entryPoint,
          abi: parseAbi(['function getNonce(address sender, uint192 key) view returns (uint256)']),
          functionName: 'getNonce',
          args: [implementation, 0n],
        }),
      ).toBe(0n)
    },
  )

  test('an account delegates to Simple7702Account and sends two calls in one transaction', async () => {
    const wallet = createWallet(chain.url, fresh.privateKey)
    const authorization = await wallet.signAuthorization({
      contractAddress: addresses.simple7702Account,
      executor: 'self',
    })
    const before = await wallet.getBalance(tomas)
    const call = { target: tomas.address, value: 1n, data: '0x' } as const
    const hash = await wallet.writeContract({
      address: fresh.address,
      abi: parseAbi([
        'struct Call { address target; uint256 value; bytes data; }',
        'function executeBatch(Call[] calls)',
      ]),
      functionName: 'executeBatch',
      args: [[call, call]],
      authorizationList: [authorization],
    })
    await confirm(hash)
    expect(await wallet.getCode(fresh)).toBe(
      `0xef0100${addresses.simple7702Account.slice(2).toLowerCase()}`,
    )
    expect(await wallet.getBalance(tomas)).toBe(before + 2n)
  })
})

describe('the reverting contract', () => {
  const contract = { address: addresses.reverts, abi: revertsAbi } as const

  test('reverts with a reason', async () => {
    const error = await revertOf(
      client.simulateContract({ ...contract, functionName: 'withReason' }),
    )
    expect(error.reason).toBe('The book is closed')
  })

  test('reverts with a custom error', async () => {
    const error = await revertOf(
      client.simulateContract({ ...contract, functionName: 'withCustomError', args: [40n] }),
    )
    expect(error.data).toMatchObject({ errorName: 'NotEnoughPages', args: [12n, 40n] })
  })

  test('reverts with a panic', async () => {
    const error = await revertOf(
      client.simulateContract({ ...contract, functionName: 'withPanic' }),
    )
    expect(error.data).toMatchObject({ errorName: 'Panic', args: [0x12n] })
  })

  test('reverts without data', async () => {
    const error = await revertOf(
      client.simulateContract({ ...contract, functionName: 'withoutData' }),
    )
    expect(error.data).toBeUndefined()
  })

  async function revertOf(call: Promise<unknown>): Promise<ContractFunctionRevertedError> {
    const error = await call.then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(error).toBeInstanceOf(BaseError)
    const revert = (error as BaseError).walk((e) => e instanceof ContractFunctionRevertedError)
    expect(revert).toBeInstanceOf(ContractFunctionRevertedError)
    return revert as ContractFunctionRevertedError
  }
})

function createWallet(url: string, privateKey: Hex) {
  return createWalletClient({
    account: privateKeyToAccount(privateKey),
    chain: gatefoldLocal(url),
    transport: http(),
    pollingInterval: 5,
  }).extend(publicActions)
}

async function confirm(hash: Hex) {
  expect((await receiptOf(client, hash)).status).toBe('success')
}
