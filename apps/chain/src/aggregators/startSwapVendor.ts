import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  getAddress,
  parseAbi,
  parseAbiParameters,
  toHex,
  type Address,
  type Hex,
} from 'viem'
import { addresses } from '../addresses.ts'
import { createNode } from '../createNode.ts'
import { deployAggregators, type AggregatorAddresses } from './deployAggregators.ts'

const native = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'

const abi = parseAbi([
  'struct ExactInputParams { bytes path; address recipient; uint256 amountIn; uint256 amountOutMinimum; }',
  'function exactInput(ExactInputParams params) payable returns (uint256 amountOut)',
  'function unwrapWETH9(uint256 amountMinimum, address recipient) payable',
  'function multicall(uint256 deadline, bytes[] data) payable returns (bytes[] results)',
  'function quoteExactInput(bytes path, uint256 amountIn) view returns (uint256 amountOut, uint160[] prices, uint32[] ticks, uint256 gasEstimate)',
  'function exec(address operator, address token, uint256 amount, address target, bytes data) payable returns (bytes result)',
  'struct AllowedSlippage { address recipient; address buyToken; uint256 minAmountOut; }',
  'function execute(AllowedSlippage slippage, bytes[] actions, bytes32 zidAndAffiliate) payable returns (bool)',
  'struct SwapDescription { address srcToken; address dstToken; address srcReceiver; address dstReceiver; uint256 amount; uint256 minReturnAmount; uint256 flags; }',
  'function swap(address executor, SwapDescription desc, bytes data) payable returns (uint256 returnAmount, uint256 spentAmount)',
])

/** The fees of the pools of each token with WETH. */
const fees: Record<string, number> = { [addresses.usdc]: 500, [addresses.book]: 3_000 }

export type SwapVendor = {
  url: string
  /** The key that every request needs. */
  key: string
  contracts: AggregatorAddresses
  /** The requests so far. */
  requests: { path: string; query: Record<string, string>; headers: IncomingHttpHeaders }[]
  /**
   * Replacements for parts of a transaction, to build a different swap than
   * requested.
   */
  forge: Partial<Record<'recipient' | 'get' | 'pay' | 'target' | 'settler', Address>> & {
    minimum?: bigint
    amount?: bigint
    flags?: bigint
  }
  /**
   * Changes a response, or writes to `response` itself and returns `undefined`.
   */
  change: (body: Answer, response: ServerResponse, path: string) => unknown
  stop(): Promise<void>
}

type Answer = { status: number; body: Record<string, unknown> }

type Trade = { pay: Address; get: Address; amount: bigint }

/**
 * Starts a local server with the interfaces of the Swap API v2 of 0x and of the
 * Swap API v6 of 1inch. It swaps in the Uniswap v3 pools of a local chain,
 * where it deploys the contracts that its transactions call. For development
 * and tests.
 *
 * @see https://docs.0x.org/api-reference/api-overview, https://portal.1inch.dev/documentation/apis/swap
 */
export async function startSwapVendor(chain: {
  url: string
  chainId: number
}): Promise<SwapVendor> {
  const node = createNode(chain.url)
  const contracts = await deployAggregators(chain)
  const vendor: SwapVendor = {
    url: '',
    key: 'local-vendor-key',
    contracts,
    requests: [],
    forge: {},
    change: ({ body }) => body,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }

  /** What the pools return for an amount; `undefined` without pools or with too little liquidity. */
  async function quote({ pay, get, amount }: Trade): Promise<bigint | undefined> {
    const path = pathOf(pay, get)
    if (!path) return undefined
    const result = await node
      .readContract({
        address: addresses.uniswapV3QuoterV2,
        abi,
        functionName: 'quoteExactInput',
        args: [path, amount],
      })
      .catch(() => undefined)
    return result?.[0]
  }

  /** The action that makes a contract swap its tokens in the pools. */
  function toAction(trade: Trade, recipient: Address): Hex {
    const { pay, get, amount } = trade
    const unwraps = get === native
    const swap = encodeFunctionData({
      abi,
      functionName: 'exactInput',
      args: [
        {
          path: pathOf(pay, get)!,
          recipient: unwraps ? '0x0000000000000000000000000000000000000002' : recipient,
          amountIn: amount,
          amountOutMinimum: 0n,
        },
      ],
    })
    const unwrap = encodeFunctionData({ abi, functionName: 'unwrapWETH9', args: [0n, recipient] })
    const call = encodeFunctionData({
      abi,
      functionName: 'multicall',
      args: [2n ** 64n, unwraps ? [swap, unwrap] : [swap]],
    })
    return encodeAbiParameters(parseAbiParameters('address, address, uint256, bytes'), [
      addresses.uniswapSwapRouter02,
      pay,
      amount,
      call,
    ])
  }

  async function answerZeroEx(query: Record<string, string>, isFirm: boolean): Promise<Answer> {
    if (query['chainId'] !== String(chain.chainId)) return refusal('name', 'INPUT_INVALID')
    const trade = toTrade(query['sellToken'], query['buyToken'], query['sellAmount'])
    if (!trade) return refusal('name', 'INPUT_INVALID')
    if (!pathOf(trade.pay, trade.get)) return refusal('name', 'TOKEN_NOT_SUPPORTED')
    const units = await quote(trade)
    if (!units) return { status: 200, body: { liquidityAvailable: false, zid: toHex('none') } }
    // As 0x does, rounds the minimum down a little further.
    const slippage = BigInt(query['slippageBps'] ?? '100')
    const least = (units * (10_000n - slippage)) / 10_000n
    const minimum = vendor.forge.minimum ?? least - least / 10n ** 12n
    const price = {
      liquidityAvailable: true,
      sellToken: trade.pay,
      buyToken: trade.get,
      sellAmount: String(trade.amount),
      buyAmount: String(units),
      minBuyAmount: String(minimum),
      fees: { integratorFee: null, zeroExFee: null, gasFee: null },
      issues: { allowance: null, balance: null, simulationIncomplete: false },
      gas: '250000',
      gasPrice: '1000000000',
    }
    if (!isFirm) return { status: 200, body: price }
    const { forge } = vendor
    const settler = forge.settler ?? contracts.settler
    const execute = encodeFunctionData({
      abi,
      functionName: 'execute',
      args: [
        {
          recipient: forge.recipient ?? (query['taker'] as Address),
          buyToken: forge.get ?? trade.get,
          minAmountOut: minimum,
        },
        [toAction(trade, settler)],
        toHex('gatefold', { size: 32 }),
      ],
    })
    const exec = encodeFunctionData({
      abi,
      functionName: 'exec',
      args: [settler, forge.pay ?? trade.pay, forge.amount ?? trade.amount, settler, execute],
    })
    const isNative = trade.pay === native
    const transaction = {
      to: forge.target ?? (isNative ? settler : contracts.allowanceHolder),
      data: isNative ? execute : exec,
      gas: '250000',
      gasPrice: '1000000000',
      value: isNative ? String(forge.amount ?? trade.amount) : '0',
    }
    return { status: 200, body: { ...price, transaction } }
  }

  async function answerOneInch(query: Record<string, string>, isFirm: boolean): Promise<Answer> {
    const trade = toTrade(query['src'], query['dst'], query['amount'])
    if (!trade) return refusal('description', 'amount is not set')
    const units = await quote(trade)
    if (!units) return refusal('description', 'insufficient liquidity')
    const quoted = { dstAmount: String(units), gas: 250_000 }
    if (!isFirm) return { status: 200, body: quoted }
    const { forge } = vendor
    const slippage = BigInt(Math.round(Number(query['slippage']) * 100))
    const minimum = forge.minimum ?? (units * (10_000n - slippage)) / 10_000n
    const actions = encodeAbiParameters(parseAbiParameters('bytes[]'), [
      [toAction(trade, contracts.executor)],
    ])
    const data = encodeFunctionData({
      abi,
      functionName: 'swap',
      args: [
        contracts.executor,
        {
          srcToken: forge.pay ?? trade.pay,
          dstToken: forge.get ?? trade.get,
          srcReceiver: contracts.executor,
          dstReceiver: forge.recipient ?? (query['from'] as Address),
          amount: forge.amount ?? trade.amount,
          minReturnAmount: minimum,
          flags: forge.flags ?? 0n,
        },
        actions,
      ],
    })
    const tx = {
      from: query['from'],
      to: forge.target ?? contracts.router,
      data,
      value: trade.pay === native ? String(forge.amount ?? trade.amount) : '0',
      gas: 0,
      gasPrice: '1000000000',
    }
    return { status: 200, body: { dstAmount: String(units), tx } }
  }

  async function answer(
    path: string,
    query: Record<string, string>,
    headers: IncomingHttpHeaders,
  ): Promise<Answer> {
    const oneInch = `/swap/v6.0/${chain.chainId}`
    if (path.startsWith('/swap/allowance-holder/')) {
      if (headers['0x-api-key'] !== vendor.key || headers['0x-version'] !== 'v2')
        return { status: 401, body: { name: 'UNAUTHORIZED' } }
      return answerZeroEx(query, path.endsWith('/quote'))
    }
    if (headers.authorization !== `Bearer ${vendor.key}`)
      return { status: 401, body: { description: 'Unauthorized' } }
    if (path === `${oneInch}/quote`) return answerOneInch(query, false)
    if (path === `${oneInch}/swap`) {
      if (query['compatibility'] !== 'true') return refusal('description', 'not in this server')
      return answerOneInch(query, true)
    }
    return { status: 404, body: { description: 'Not found' } }
  }

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://vendor')
    const query = Object.fromEntries(searchParams)
    vendor.requests.push({ path: pathname, query, headers: request.headers })
    const found = await answer(pathname, query, request.headers)
    const body = vendor.change(found, response, pathname)
    if (body === undefined) return
    response
      .writeHead(found.status, { 'content-type': 'application/json' })
      .end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  vendor.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return vendor
}

function refusal(field: string, text: string): Answer {
  return { status: 400, body: { [field]: text, statusCode: 400 } }
}

function toTrade(pay = '', get = '', amount = ''): Trade | undefined {
  if (!/^\d+$/.test(amount) || ![pay, get].every((it) => /^0x[0-9a-f]{40}$/i.test(it)))
    return undefined
  return { pay: getAddress(pay), get: getAddress(get), amount: BigInt(amount) }
}

/** The path from a token to another one through WETH; `undefined` if one of them has no pool. */
function pathOf(pay: Address, get: Address): Hex | undefined {
  const { weth } = addresses
  const [first, last] = [pay, get].map((token) => (token === native ? weth : token)) as [
    Address,
    Address,
  ]
  if (first === last) return undefined
  const [inFee, outFee] = [fees[first], fees[last]]
  if (first !== weth && last !== weth)
    return inFee && outFee
      ? encodePacked(
          ['address', 'uint24', 'address', 'uint24', 'address'],
          [first, inFee, weth, outFee, last],
        )
      : undefined
  const fee = inFee ?? outFee
  return fee ? encodePacked(['address', 'uint24', 'address'], [first, fee, last]) : undefined
}
