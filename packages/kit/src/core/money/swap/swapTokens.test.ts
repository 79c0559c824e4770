import { expect, test } from 'vitest'
import { mainnet } from 'viem/chains'

import { useKits } from '../../testing/useKits.ts'
import type { Token } from '../tokens.ts'
import { withBalances } from './swapTokens.ts'

const { start } = useKits()

test('a token of the account that is not spam can be swapped, with its balance', () => {
  const { kit } = start({ networks: [mainnet] })
  const network = kit.getState().networks[0]!
  const token = (symbol: string, rest: Partial<Token> = {}): Token => ({
    id: `eip155:1:0x${symbol}`,
    network,
    address: `0x${symbol}`,
    name: symbol,
    symbol,
    decimals: 18,
    units: 0n,
    amount: '0',
    price: undefined,
    value: undefined,
    image: undefined,
    isSpam: false,
    ...rest,
  })
  const held = { units: 1n, amount: '0.000000000000000001' }
  const tokens = withBalances(
    [token('usdc'), token('weth')],
    [
      // Addresses are in checksum case or in lower case.
      { ...token('usdc', held), id: 'eip155:1:0xUSDC' },
      token('own', held),
      token('usdc2', { ...held, symbol: 'usdc', isSpam: true }),
    ],
    network,
  )
  expect(tokens.map(({ id, units }) => [id, units])).toEqual([
    ['eip155:1:0xusdc', 1n],
    ['eip155:1:0xweth', 0n],
    ['eip155:1:0xown', 1n],
  ])
})
