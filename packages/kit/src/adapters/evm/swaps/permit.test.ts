import { addresses } from '@gatefold/chain'
import { createTestClient, http, publicActions } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'

import type { SessionState } from '../../../core/connection/Session.ts'
import { createPage, useChains } from '../testing/page.ts'
import type { Page } from '../testing/page.ts'

const chains = useChains()
let page: Page
beforeEach(() => void (page = createPage(chains)))
afterEach(() => page.close())

const mira = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const copy = '0x00000000000000000000000000000000000c0de1'

const node = () =>
  createTestClient({ mode: 'anvil', transport: http(chains.first.url) }).extend(publicActions)
const read = (token: string, owner = mira, index: 0 | 1 = 0) =>
  page.adapter().adapter.readPermit({ token, owner, network: page.networks[index] })

test('a permit has the domain and the nonce of the token on its network', async () => {
  const domain = { name: 'USD Coin', version: '1', verifyingContract: addresses.usdc }
  expect(await read(addresses.usdc)).toEqual({ domain: { ...domain, chainId: 31337 }, nonce: 0n })
  expect(await read(addresses.usdc, mira, 1)).toEqual({
    domain: { ...domain, chainId: 31338 },
    nonce: 0n,
  })
})

test('a token without permits has none, and neither has an account with code', async () => {
  expect(await read(addresses.weth)).toBeUndefined()
  expect(await read(addresses.usdc, addresses.multicall3)).toBeUndefined()
})

test('a smart account has no permit, even before it has code', async () => {
  page.wallet()
  const readAs = async (type: 'eoa' | 'smartAccount') => {
    const account = { address: mira, caipNetworkId: 'eip155:31337', type } as const
    const grants = { eip155: { accounts: [account], networkIds: [], methods: [] } }
    const { adapter } = page.adapter({ session: () => ({ grants }) as unknown as SessionState })
    await adapter.connect({ connectorId: 'dev.gatefold.halyard' })
    const [network] = page.networks
    return adapter.readPermit({ token: addresses.usdc, owner: mira, network })
  }
  expect(await readAs('eoa')).toMatchObject({ nonce: 0n })
  expect(await readAs('smartAccount')).toBeUndefined()
})

test('attack: a token whose domain is not its own has no permit', async () => {
  const code = await node().getCode({ address: addresses.usdc })
  await node().setCode({ address: copy, bytecode: code! })
  // The copy’s name differs from the name in its domain.
  expect(
    await node().readContract({
      address: copy,
      abi: [
        {
          type: 'function',
          name: 'DOMAIN_SEPARATOR',
          stateMutability: 'view',
          inputs: [],
          outputs: [{ type: 'bytes32' }],
        },
      ],
      functionName: 'DOMAIN_SEPARATOR',
    }),
  ).toMatch(/^0x/)
  expect(await read(copy)).toBeUndefined()
})

test('error: there is no permit if the network does not respond', async () => {
  const network = { ...page.networks[0], id: 999 }
  const { adapter } = page.adapter()
  expect(await adapter.readPermit({ token: addresses.usdc, owner: mira, network })).toBeUndefined()
})
