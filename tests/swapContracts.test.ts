import { addresses } from '@gatefold/chain'
import { gatefoldSwapContracts } from '@gatefold/kit/chains'
import { mainnet } from 'viem/chains'
import { expect, test } from 'vitest'

import type { Evm } from '../packages/kit/src/adapters/evm/context.ts'
import { isKnown } from '../packages/kit/src/adapters/evm/swaps/swapContracts.ts'
import { toNetwork } from '../packages/kit/src/core/networks/Network.ts'
import { networks } from '../packages/server/src/money/chainData/networks.ts'

test.each(Object.entries(networks))(
  'the kit knows the contracts of every source of swaps on %s',
  (id, { oneInch, uniswap, zeroEx }) => {
    const network = toNetwork({ ...mainnet, id: Number(id.split(':')[1]) })
    const contracts = [uniswap?.router, zeroEx?.allowanceHolder, oneInch?.router]
    for (const contract of contracts.filter((it) => it !== undefined))
      expect(isKnown({ options: {} } as Evm, network, contract), contract).toBe(true)
  },
)

test('attack: a contract of one network is not known on a network whose sources do not use it', () => {
  const sources = new Map(
    Object.entries(networks).map(([id, { oneInch, uniswap, zeroEx }]) => [
      Number(id.split(':')[1]),
      [uniswap?.router, zeroEx?.allowanceHolder, oneInch?.router].flatMap((it) => it ?? []),
    ]),
  )
  const all = new Set([...sources.values()].flat())
  for (const id of [...sources.keys(), 5]) {
    const network = toNetwork({ ...mainnet, id })
    const known = [...all].filter((it) => isKnown({ options: {} } as Evm, network, it))
    expect(new Set(known), String(id)).toEqual(new Set(sources.get(id)))
  }
})

test('the contracts of swaps on the local chains are those of the kit', () => {
  const router = [addresses.uniswapSwapRouter02]
  expect(gatefoldSwapContracts).toEqual({ 31337: router, 31338: router })
})
