import * as v from 'valibot'
import { getAddress, isAddress } from 'viem'
import * as chains from 'viem/chains'
import { describe, expect, test } from 'vitest'
import { ChainDataById } from './ChainData.ts'
import { networks } from './networks.ts'

test('§9.3.1 there are twelve networks for swaps', () => {
  expect(Object.keys(networks)).toHaveLength(12)
  expect(v.is(ChainDataById, networks)).toBe(true)
})

describe.each(Object.entries(networks))('%s', (id, network) => {
  const known = Object.values(chains).find((chain) => `eip155:${chain.id}` === id)!

  test('has the name, the currency and the contracts of the chain in viem', () => {
    const { name, nativeCurrency, contracts } = known
    expect(network).toMatchObject({ name, nativeCurrency })
    const { multicall3, ensUniversalResolver } = contracts as Record<
      string,
      { address: string } | undefined
    >
    expect(network.multicall3).toBe(getAddress(multicall3!.address))
    expect(network.ensUniversalResolver?.toLowerCase()).toBe(
      id === 'eip155:1' ? ensUniversalResolver?.address.toLowerCase() : undefined,
    )
  })

  test('has addresses with checksums, and lists its dollar tokens', () => {
    const tokens = network.tokens.map(({ address }) => address)
    const { dollars, oneInch, uniswap, wrapped, zeroEx } = network
    const contracts = [uniswap, zeroEx, oneInch].flatMap((it) => Object.values(it ?? {}))
    for (const address of [...tokens, ...dollars, ...contracts])
      expect(isAddress(address), address).toBe(true)
    expect(new Set(tokens).size).toBe(tokens.length)
    for (const address of [...dollars, ...(wrapped ? [wrapped] : [])])
      expect(tokens).toContain(address)
  })
})
