import { accounts, addresses, type Chain, receiptOf, startChain, usdcAbi } from '@gatefold/chain'
import { createTestClient, encodeFunctionData, http, numberToHex, type Address } from 'viem'
import { publicActions, walletActions } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser, type TestBrowser } from '../browser.ts'
import { login, openHost, send, type Reply } from './openHost.ts'
import { startFrame, type FrameStack } from './startFrame.ts'

const id = '0x7a69'
const native = { name: 'ETH on Basalt', symbol: 'ETH', decimals: 18 }

let browser: TestBrowser
let chain: Chain
let frame: FrameStack

beforeAll(async () => {
  ;[browser, chain] = await Promise.all([launchBrowser(), startChain()])
  frame = await startFrame({
    // The node of the second network does not respond.
    rpcUrls: { 'eip155:31337': [chain.url], 'eip155:1': ['http://127.0.0.1:9'] },
  })
})
afterAll(async () => {
  await browser?.close()
  await frame?.stop()
  await chain?.stop()
})

/** Logs in, and gives the wallet 5 wei and 0.0007 USDC. */
async function createWallet() {
  const { page } = await openHost(browser, frame)
  const address = (await login(frame, page, 'ada@example.com', 1)) as Address
  const node = createTestClient({
    mode: 'anvil',
    account: accounts[0].address,
    transport: http(chain.url),
  })
    .extend(publicActions)
    .extend(walletActions)
  await node.setBalance({ address, value: 5n })
  const data = encodeFunctionData({ abi: usdcAbi, functionName: 'mint', args: [address, 700n] })
  const hash = await node.sendTransaction({ to: addresses.usdc, data, chain: null })
  await receiptOf(node, hash)
  return { page, address }
}

let created: ReturnType<typeof createWallet> | undefined
const wallet = () => (created ??= createWallet())

async function request(method: string, params: unknown): Promise<Reply> {
  const { page } = await wallet()
  return send(page, 'RPC_REQUEST', { method, params, chainId: 31_337 })
}

async function assets(more: object = {}) {
  const { address } = await wallet()
  return request('wallet_getAssets', [{ account: address, ...more }])
}

test('§6.3.1 ERC-7811: lists the native currency, and leaves out a network that does not respond', async () => {
  expect(await assets()).toMatchObject({
    type: '@w3m-frame/RPC_REQUEST_SUCCESS',
    payload: {
      [id]: [
        {
          address: 'native',
          balance: '0x5',
          type: 'native',
          metadata: { ...native, name: expect.any(String) as string },
        },
      ],
    },
  })
  expect(Object.keys((await assets()).payload as object)).toEqual([id])
})

test('ERC-7811: reads the tokens that the site names, whatever the other filters say', async () => {
  const usdc = { address: addresses.usdc, type: 'erc20' }
  const nothing = { address: accounts[3].address, type: 'erc20' }
  const filtered = await assets({
    assetFilter: { [id]: [usdc, nothing, { address: addresses.nft, type: 'erc721' }] },
    assetTypeFilter: ['native'],
    chainFilter: ['0x1'],
  })
  expect(filtered.payload).toMatchObject({
    [id]: [{ ...usdc, balance: numberToHex(700n), metadata: { symbol: 'USDC', decimals: 6 } }],
  })
  expect((filtered.payload as unknown as Record<string, unknown[]>)[id]).toHaveLength(1)
  expect((await assets({ assetTypeFilter: ['erc20'] })).payload).toEqual({})
  expect((await assets({ chainFilter: ['0x1'] })).payload).toEqual({})
})

test.each([
  ['another account', { account: accounts[3].address }, 'another account'],
  ['an invalid account', { account: '0x12' }, 'must be an address'],
  [
    'too many assets',
    {
      assetFilter: {
        [id]: Array.from({ length: 51 }, () => ({ address: 'native', type: 'native' })),
      },
    },
    'at most 50 assets',
  ],
])('error: assets of %s are refused', async (_, change, text) => {
  const { type, payload } = await assets(change)
  expect(type).toBe('@w3m-frame/RPC_REQUEST_ERROR')
  expect((payload as { message: string }).message).toContain(text)
})

test.each(['wallet_grantPermissions', 'wallet_revokePermissions'])(
  'attack: %s is refused, without an approval: no account could enforce it',
  async (method) => {
    const permission = {
      chainId: id,
      expiry: 2_000_000_000,
      signer: { type: 'key', data: { type: 'secp256k1', publicKey: '0x02' } },
      permissions: [{ type: 'native-token-transfer', data: { allowance: '0x1' } }],
      policies: [],
    }
    const reply: Reply = await request(method, [permission])
    expect(reply.type).toBe('@w3m-frame/RPC_REQUEST_ERROR')
    expect((reply.payload as { message: string }).message).toContain('grants no permissions')
    // Sites that request the capabilities know this in advance.
    const { payload } = await request('wallet_getCapabilities', [(await wallet()).address])
    expect(JSON.stringify(payload)).not.toMatch(/permissions|assetDiscovery/)
  },
)
