import { addresses, deployAggregators, setSettlers } from '@gatefold/chain'
import {
  createTestClient,
  encodeFunctionData,
  http,
  parseAbi,
  publicActions,
  zeroAddress,
} from 'viem'
import { mainnet } from 'viem/chains'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'

import { toNetwork } from '../../../core/networks/Network.ts'
import { createPage, useChains } from '../testing/page.ts'
import type { Page } from '../testing/page.ts'

const chains = useChains()
let page: Page
beforeEach(() => void (page = createPage(chains)))
afterEach(() => page.close())

const registry = '0x00000000000004533Fe15556B1E086BB1A72cEae'
const settler = addresses.book
const other = addresses.weth

/** Ethereum, with the RPC URL of a local chain. */
const toMainnet = (url: string) => toNetwork({ ...mainnet, rpcUrls: { default: { http: [url] } } })

async function isKnown(to: string, url = chains.first.url) {
  const network = toMainnet(url)
  const { adapter } = page.adapter({ networks: [network], disableProviderPing: true })
  const data = encodeFunctionData({
    abi: parseAbi([
      'struct AllowedSlippage { address recipient; address buyToken; uint256 minAmountOut; }',
      'function execute(AllowedSlippage slippage, bytes[] actions, bytes32 zidAndAffiliate) payable returns (bool)',
    ]),
    functionName: 'execute',
    args: [
      { recipient: other, buyToken: addresses.usdc, minAmountOut: 1n },
      [],
      `0x${'0'.repeat(64)}`,
    ],
  })
  const call = await adapter.readSwap({ to, data, value: 1n, network })
  return call?.isKnown
}

beforeAll(async () => {
  const { settlers } = await deployAggregators(chains.first)
  const node = createTestClient({ mode: 'anvil', transport: http(chains.first.url) }).extend(
    publicActions,
  )
  const bytecode = await node.getCode({ address: settlers })
  await node.setCode({ address: registry, bytecode: bytecode! })
})

test('the current and the previous Settler of 0x are known', async () => {
  await setSettlers(chains.first, registry, settler, other)
  expect(await isKnown(settler)).toBe(true)
  expect(await isKnown(other)).toBe(true)
})

test('attack: a Settler that is not in the registry of 0x is not known', async () => {
  await setSettlers(chains.first, registry, settler, zeroAddress)
  expect(await isKnown(other)).toBe(false)
})

test('attack: while the Settlers are paused, none is known', async () => {
  await setSettlers(chains.first, registry, zeroAddress, settler)
  expect(await isKnown(settler)).toBe(false)
})

test('error: a network that cannot be read rejects with the reason', async () => {
  await expect(isKnown(settler, 'http://127.0.0.1:1')).rejects.toThrow(
    'The swapping contract could not be checked',
  )
})
