import { accounts, deployAggregators, setSettlers, startChain, type Chain } from '@gatefold/chain'
import { createPublicClient, http, zeroAddress, type Address } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'

import type { Rpc } from '../../packages/frame/src/rpc/createRpc.ts'
import { isSettlerOf } from '../../packages/frame/src/rpc/isSettlerOf.ts'

const [{ address: current }, { address: previous }, { address: other }] = accounts

let chain: Chain
let zeroEx: { allowanceHolder: Address; settlers: Address }
let rpc: Rpc
beforeAll(async () => {
  chain = await startChain()
  const { allowanceHolder, settlers } = await deployAggregators(chain)
  zeroEx = { allowanceHolder, settlers }
  const node = createPublicClient({ transport: http(chain.url) })
  rpc = (_chainId, method, params) => node.request({ method, params } as never)
})
afterAll(() => chain.stop())

const isSettler = (contract: Address, options: { rpc?: Rpc } = {}) =>
  isSettlerOf(options.rpc ?? rpc, { id: 'eip155:31337', zeroEx }, contract)

test('the frame accepts the current and the previous Settler of 0x', async () => {
  await setSettlers(chain, zeroEx.settlers, current, previous)
  expect(await isSettler(current)).toBe(true)
  expect(await isSettler(previous)).toBe(true)
})

test('attack: the frame accepts no Settler that is not in the registry of 0x', async () => {
  await setSettlers(chain, zeroEx.settlers, current, zeroAddress)
  expect(await isSettler(other)).toBe(false)
  expect(await isSettler(previous)).toBe(false)
})

test('attack: while the Settlers are paused, the frame accepts none', async () => {
  await setSettlers(chain, zeroEx.settlers, zeroAddress, previous)
  expect(await isSettler(previous)).toBe(false)
})

test('attack: if the registry cannot be read, the frame accepts none', async () => {
  await setSettlers(chain, zeroEx.settlers, current, previous)
  expect(await isSettler(current, { rpc: () => Promise.reject(new Error('offline')) })).toBe(false)
})
