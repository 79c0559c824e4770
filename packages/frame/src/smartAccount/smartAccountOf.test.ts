import { addresses, smartAccounts, startChain } from '@gatefold/chain'
import { smartAccountAbi, smartAccountContracts } from '@gatefold/protocol/frame'
import { createPublicClient, encodeFunctionData, http, parseAbi, zeroAddress } from 'viem'
import { expect, it } from 'vitest'
import { saltNonce, smartAccountOf } from './smartAccountOf.ts'

const owner = '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc'
const modules = smartAccounts['eip155:31337']
const abi = parseAbi(smartAccountAbi)

it('the factory creates the account at its address', async () => {
  const chain = await startChain()
  const client = createPublicClient({ transport: http(chain.url) })
  const { address, initializer } = smartAccountOf(owner, modules)
  const { result } = await client.simulateContract({
    address: smartAccountContracts.factory,
    abi,
    functionName: 'createProxyWithNonce',
    args: [smartAccountContracts.singleton, initializer, saltNonce],
  })
  expect(result).toBe(address)
  await chain.stop()
})

it('the account has only this owner, and the module', () => {
  const { module, setup } = modules
  const enable = encodeFunctionData({ abi, functionName: 'enableModules', args: [[module]] })
  expect(smartAccountOf(owner, modules).initializer).toBe(
    encodeFunctionData({
      abi,
      functionName: 'setup',
      args: [[owner], 1n, setup, enable, module, zeroAddress, 0n, zeroAddress],
    }),
  )
})

it('the local chains have the contracts', () => {
  expect(smartAccountContracts).toEqual({
    entryPoint: addresses.entryPoint07,
    factory: addresses.safeProxyFactory,
    singleton: addresses.safeL2,
    multiSend: addresses.safeMultiSendCallOnly,
  })
})
