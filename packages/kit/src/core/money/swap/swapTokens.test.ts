import { describe, expect, test } from 'vitest'
import { mainnet } from 'viem/chains'

import { useKits } from '../../testing/useKits.ts'
import { GatewayError } from '../../kit/requestErrors.ts'
import { toyNetworks } from '../../testing/toyFamily.ts'
import type { Token } from '../tokens.ts'
import { getGasPrice, getSwapTokens, withBalances } from './swapTokens.ts'

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

describe('error: a network without swaps has its own message', () => {
  test.each([
    ['§8.4/1', getSwapTokens, 'Network not supported for Swaps'],
    ['§8.4/2', getGasPrice, 'Network not supported for Gas Price'],
  ])('%s', async (_, read, message) => {
    const requested: unknown[] = []
    let status = 400
    const { kit } = start(
      { networks: [mainnet, ...toyNetworks] },
      {
        request(path, options) {
          requested.push(options?.query?.chainId)
          return Promise.reject(new GatewayError(`${path} is refused.`, { status }))
        },
      },
    )
    const [served, other] = kit.getState().networks
    await expect(read(kit, { network: served! })).rejects.toMatchObject({
      shortMessage: message,
      status: 400,
      details: expect.stringContaining('is refused.'),
    })
    await expect(read(kit, { network: other! })).rejects.toMatchObject({
      shortMessage: message,
      status: 400,
    })
    expect(requested).toEqual(['eip155:1'])
    status = 503
    await expect(read(kit, { network: served! })).rejects.toThrow('is refused.')
  })
})
