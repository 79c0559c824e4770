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

test('the contracts of swaps on the local chains are those of the kit', () => {
  const router = [addresses.uniswapSwapRouter02]
  expect(gatefoldSwapContracts).toEqual({ 31337: router, 31338: router })
})
