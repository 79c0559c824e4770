import { chainData, startChain } from '@gatefold/chain'
import { concat, createTestClient, encodeAbiParameters, http } from 'viem'
import { expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { createContext } from '../../context.ts'
import { createEvmChain } from '../evm/createEvmChain.ts'
import { createCollections } from './createCollections.ts'

const id = 'eip155:31337'
const contract = '0x00000000000000000000000000000000000c0de1'

test('attack: a collection that was requested before its deployment has a name a minute later', async () => {
  const node = await startChain()
  let now = Date.now()
  const context = await createContext({
    ...readConfig(),
    dataDir: ':memory:',
    logLevel: 'silent',
    rpcUrls: { [id]: [node.url] },
  })
  const chain = createEvmChain(context.chains.byId.get(id)!, chainData[id])
  const collections = createCollections({ now: () => now })
  const name = async () => collections.nameOf(chain, contract)
  expect(await name()).toBe('')

  const text = encodeAbiParameters([{ type: 'string' }], ['Plates'])
  // PUSH1 96, PUSH1 12, PUSH1 0, CODECOPY, PUSH1 96, PUSH1 0, RETURN
  const bytecode = concat(['0x6060600c60003960606000f3', text])
  const client = createTestClient({ mode: 'anvil', transport: http(node.url) })
  await client.setCode({ address: contract, bytecode })
  expect(await name()).toBe('')
  now += 60_001
  expect(await name()).toBe('Plates')

  await context.storage.close()
  await node.stop()
})
