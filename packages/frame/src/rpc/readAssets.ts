import { CaipNetworkId } from '@gatefold/protocol'
import {
  decodeFunctionResult,
  encodeFunctionData,
  erc20Abi,
  numberToHex,
  type Address,
  type Hex,
} from 'viem'
import * as v from 'valibot'
import type { ChainConfig } from '../config.ts'
import type { Rpc } from './createRpc.ts'
import { AddressText, Quantity } from './prepareTransaction.ts'
import { readToken } from './readToken.ts'
import { RequestError } from './RequestError.ts'

/** Each asset costs several requests to a node. */
const maxAssets = 50

const AssetName = v.object({
  address: v.union([v.literal('native'), AddressText]),
  type: v.string(),
})

/** The parameters of `wallet_getAssets`. @see ERC-7811 */
const GetAssets = v.object({
  account: AddressText,
  assetFilter: v.optional(v.record(v.string(), v.array(AssetName))),
  assetTypeFilter: v.optional(v.array(v.string())),
  chainFilter: v.optional(v.array(Quantity)),
})

type Asset = {
  address: Address | 'native'
  balance: Hex
  type: 'native' | 'erc20'
  metadata: { name: string; symbol: string; decimals: number }
}

/**
 * `wallet_getAssets`: the native currency of each network, and the ERC-20 tokens that the site names. The wallet has no
 * list of an account's tokens. Assets that the node fails to return are omitted.
 *
 * @param options.chains - EVM networks, each with the accounts that the wallet has there.
 * @returns assets by hexadecimal chain id.
 * @throws {RequestError} if the request is invalid, or about another account.
 * @see ERC-7811
 */
export async function readAssets(options: {
  params: unknown
  chains: readonly { chain: ChainConfig; accounts: readonly string[] }[]
  rpc: Rpc
}): Promise<Record<Hex, Asset[]>> {
  const { params, rpc } = options
  const parsed = v.safeParse(GetAssets, Array.isArray(params) ? params[0] : undefined)
  if (!parsed.success) {
    const [issue] = parsed.issues
    throw new RequestError(`Invalid request: ${v.getDotPath(issue) ?? 'params'} ${issue.message}`)
  }
  const { account, assetFilter, assetTypeFilter, chainFilter } = parsed.output
  const own = options.chains.filter(({ accounts }) => accounts.includes(account))
  if (own.length === 0) throw new RequestError('The request is about another account.')
  const named = Object.entries(assetFilter ?? {}).map(
    ([id, assets]) => [toNumber(id), assets] as const,
  )
  if (named.flatMap(([, assets]) => assets).length > maxAssets)
    throw new RequestError(`A request can name at most ${maxAssets} assets.`)

  /**
   * The assets to read on a network: those that the site names, regardless of
   * the other filters.
   */
  const wanted = (reference: number) => {
    if (assetFilter) return named.find(([id]) => id === reference)?.[1] ?? []
    const isChain = chainFilter?.some((id) => Number(id) === reference) ?? true
    const isType = assetTypeFilter?.includes('native') ?? true
    return isChain && isType ? [{ address: 'native' as const, type: 'native' }] : []
  }
  const found = await Promise.all(
    own.map(async ({ chain }) => {
      const reference = Number(CaipNetworkId.parse(chain.id).reference)
      const assets = await Promise.all(
        wanted(reference).map(async ({ address, type }) => {
          if (type === 'native' && address === 'native') return readNative(rpc, chain, account)
          if (type === 'erc20' && address !== 'native')
            return readErc20(rpc, chain, { account, address })
          return undefined
        }),
      )
      return [numberToHex(reference), assets.filter((asset) => asset !== undefined)] as const
    }),
  )
  return Object.fromEntries(found.filter(([, assets]) => assets.length > 0))
}

async function readNative(
  rpc: Rpc,
  { id, name, symbol, decimals }: ChainConfig,
  account: Address,
): Promise<Asset | undefined> {
  const balance = await rpc(id, 'eth_getBalance', [account, 'latest']).catch(() => undefined)
  if (balance === undefined) return undefined
  const metadata = { name: `${symbol} on ${name}`, symbol, decimals }
  return { address: 'native', balance: balance as Hex, type: 'native', metadata }
}

async function readErc20(
  rpc: Rpc,
  { id }: ChainConfig,
  { account, address }: { account: Address; address: Address },
): Promise<Asset | undefined> {
  const call = async (data: Hex) =>
    (await rpc(id, 'eth_call', [{ to: address, data }, 'latest'])) as Hex
  const abi = erc20Abi
  const readBalance = async () => {
    const data = encodeFunctionData({ abi, functionName: 'balanceOf', args: [account] })
    return decodeFunctionResult({ abi, functionName: 'balanceOf', data: await call(data) })
  }
  const readName = async () => {
    const data = encodeFunctionData({ abi, functionName: 'name' })
    return decodeFunctionResult({ abi, functionName: 'name', data: await call(data) })
  }
  const [token, balance, name] = await Promise.all([
    readToken(rpc, id, address),
    readBalance().catch(() => undefined),
    readName().catch(() => undefined),
  ])
  if (!token || balance === undefined) return undefined
  return {
    address,
    balance: numberToHex(balance),
    type: 'erc20',
    metadata: { name: name ?? token.symbol, ...token },
  }
}

/** The number of a chain id; `NaN` for an invalid one. */
function toNumber(id: string): number {
  const parsed = v.safeParse(Quantity, id)
  return parsed.success ? Number(parsed.output) : Number.NaN
}
