import { expect, test } from 'vitest'
import { mainnet } from 'viem/chains'

import { toNetwork } from '../../networks/Network.ts'
import { toyFamily, toyNetworks } from '../../testing/toyFamily.ts'
import { useKits } from '../../testing/useKits.ts'
import { readFee } from './readFee.ts'

const { start } = useKits()
const account = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const network = toNetwork(mainnet)

test('the fee of a transaction in a block is in whole units of the native currency', async () => {
  const { kit, wallets } = start()
  expect(await readFee(kit, { hash: '0xone', network, account })).toBe('0.000021')
  expect(wallets.reads).toEqual(['0xone'])
})

test.each([
  ['another account paid it', { status: 'success', blockNumber: 1n, fee: undefined }],
  ['the network does not know it', { status: 'missing' }],
] as const)('the fee is undefined if %s', async (_, state) => {
  const { kit, wallets } = start()
  wallets.transactions['0xone'] = state
  expect(await readFee(kit, { hash: '0xone', network, account })).toBeUndefined()
})

test('the fee on a network without an adapter is undefined', async () => {
  const { kit } = start()
  const other = toNetwork(toyNetworks[0]!)
  expect(await readFee(kit, { hash: '0xone', network: other, account })).toBeUndefined()
})

test('error: a chain family that cannot read transactions', async () => {
  const { kit } = start({ adapters: [toyFamily().factory], networks: [toyNetworks[0]!] })
  const other = kit.getState().networks[0]!
  await expect(readFee(kit, { hash: '0xone', network: other, account })).rejects.toMatchObject({
    code: 'wallet.unsupported_operation',
  })
})
