import { smartAccounts, startChain, type Chain } from '@gatefold/chain'
import { createPublicClient, encodeFunctionData, http, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Rpc } from '../rpc/createRpc.ts'
import { english } from '../strings/language.ts'
import { openSmartAccount } from './openSmartAccount.ts'

const owner = privateKeyToAccount(
  '0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba',
)
const stranger = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const abi = parseAbi([
  'function addOwnerWithThreshold(address owner, uint256 threshold)',
  'function swapOwner(address previous, address old, address next)',
  'function enableModule(address module)',
  'function setGuard(address guard)',
  'function setFallbackHandler(address handler)',
])

let chain: Chain
beforeAll(async () => {
  chain = await startChain()
})
afterAll(() => chain.stop())

async function open() {
  const client = createPublicClient({ transport: http(chain.url) })
  const rpc: Rpc = (_, method, params) => client.request({ method, params } as never)
  return openSmartAccount({
    chain: { id: 'eip155:31337', name: 'Basalt', symbol: 'ETH', decimals: 18 },
    modules: smartAccounts['eip155:31337'],
    owner: owner.address,
    rpc,
    bundler: async () => ({
      callGasLimit: '0x1',
      verificationGasLimit: '0x2',
      preVerificationGas: '0x3',
    }),
    paymaster: undefined,
    sign: async () => '0x',
  })
}

const changes = [
  encodeFunctionData({ abi, functionName: 'addOwnerWithThreshold', args: [stranger, 1n] }),
  encodeFunctionData({ abi, functionName: 'swapOwner', args: [stranger, stranger, stranger] }),
  encodeFunctionData({ abi, functionName: 'enableModule', args: [stranger] }),
  encodeFunctionData({ abi, functionName: 'setGuard', args: [stranger] }),
  encodeFunctionData({ abi, functionName: 'setFallbackHandler', args: [stranger] }),
  '0x00' as const,
]

it('attack: a page cannot change the owners or modules of the account', async () => {
  const smart = await open()
  const to = smart.account.address
  const harmless = { to: stranger, value: 0n, data: '0x' } as const
  const options = { language: english, chosen: new Map() }
  for (const data of changes)
    for (const calls of [[{ to, value: 0n, data }], [harmless, { to, value: 1n, data }]]) {
      const message = 'A site cannot change the smart account.'
      await expect(smart.examineCalls(calls, options, async () => '')).rejects.toThrow(message)
      await expect(smart.readFee(calls)).rejects.toThrow(message)
    }
  await expect(smart.readFee([harmless, { to, value: 0n, data: '0x' }])).resolves.toBeDefined()
})
