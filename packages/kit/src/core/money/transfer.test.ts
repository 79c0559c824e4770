import { describe, expect, test } from 'vitest'

import { connect } from '../connection/connect.ts'
import { NotConnectedError } from '../kit/requestErrors.ts'
import { toyAddress, toyFamily, toyNetworks } from '../testing/toyFamily.ts'
import { useKits } from '../testing/useKits.ts'
import { followPending } from './pending/followPending.ts'
import { memoryStorage } from '../storage/storage.ts'
import type { Token } from './tokens.ts'
import { parseAddress, prepareTransfer, sendTransfer, submitTransfer } from './transfer.ts'

const { start } = useKits()
const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

async function connected() {
  const { kit, wallets } = start()
  await connect(kit, { connectorId: wallets.ids[0] })
  return { kit, wallets, token: { network: kit.getState().networks[0]! } }
}

test('§5.2 a transfer is prepared and sent, and resolves with its hash', async () => {
  const { kit, token, wallets } = await connected()
  const { gas, fee } = await prepareTransfer(kit, { token, to, amount: 1n })
  expect([gas, fee! > 0n]).toEqual([21_000n, true])
  expect(await sendTransfer(kit, { token, to, amount: 1n, gas })).toBe(wallets.hash)
  expect(await parseAddress(kit, to)).toEqual({ address: to })
})

test('§5.2 error: a transfer needs a token, an amount and a receiver', async () => {
  const { kit, token } = await connected()
  await expect(sendTransfer(kit, { token: undefined, to, amount: 1n })).rejects.toThrow(
    'A token is required',
  )
  for (const missing of [{ amount: undefined }, { amount: 0n }, { to: '' }])
    await expect(sendTransfer(kit, { token, to, amount: 1n, ...missing })).rejects.toThrow(
      'An amount and receiver address are required',
    )
})

test('§8.4/3 error: a chain family that sends no transfers', async () => {
  const { kit } = start({ adapters: [toyFamily().factory], networks: [toyNetworks[0]!] })
  await connect(kit, { connectorId: 'toy.wallet' })
  const token = { network: kit.getState().networks[0]! }
  for (const act of [prepareTransfer, sendTransfer])
    await expect(act(kit, { token, to: toyAddress, amount: 1n })).rejects.toMatchObject({
      name: 'UnsupportedChainError',
      code: 'money.unsupported_chain',
      shortMessage: 'Unsupported chain',
      metaMessages: ['The adapter of polkadot sends no transfers.'],
    })
  await expect(parseAddress(kit, toyAddress)).rejects.toMatchObject({
    code: 'wallet.unsupported_operation',
  })
})

test('error: without a wallet', async () => {
  const { kit } = start()
  const token = { network: kit.getState().networks[0]! }
  await expect(sendTransfer(kit, { token, to, amount: 1n })).rejects.toBeInstanceOf(
    NotConnectedError,
  )
})

describe('a transfer in the wallet', () => {
  async function submitting(address?: string) {
    const site = await connected()
    const { kit, wallets } = site
    // In memory, so that tests do not share a list.
    followPending(kit, memoryStorage())
    const token = {
      network: site.token.network,
      address,
      symbol: address ? 'USDC' : 'ETH',
      decimals: 6,
    } as Token
    const submit = () =>
      submitTransfer(kit, { token, to, amount: 12_500_000n, gas: undefined }, () => true)
    const pending = () => kit.getState().pending
    return { ...site, wallets, submit, pending }
  }
  const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
  const assets = [
    ['the native currency', undefined],
    ['a token', usdc],
  ] as const

  test.each(
    assets.flatMap(([what, address]) => [
      [what, 'declines', address, 'reject', { name: 'UserRejectedError' }] as const,
      [what, 'fails', address, 'fail', { details: 'The wallet failed.' }] as const,
      [what, 'returns no hash', address, 'noHash', { code: 'wallet.wrong_hash' }] as const,
    ]),
  )('error: of %s is not recorded if the wallet %s', async (_, __, address, fault, error) => {
    const { wallets, submit, pending } = await submitting(address)
    wallets.faults[fault] = true
    await expect(submit()).rejects.toMatchObject(error)
    expect(pending()).toEqual([])
  })

  test.each(assets)(
    'attack: of %s is not recorded with the hash of an earlier one',
    async (_, address) => {
      const { wallets, submit, pending } = await submitting(address)
      const first = await submit()
      await expect.poll(() => pending()[0]?.status).toBe('confirmed')
      wallets.faults.sameHash = true
      await expect(submit()).rejects.toMatchObject({ code: 'wallet.wrong_hash' })
      expect(pending()).toMatchObject([{ id: first.id, status: 'confirmed' }])
    },
  )

  test.each(
    assets.flatMap(([what, address]) => [
      [what, 'switched the account', address, 'accountsChanged'] as const,
      [what, 'switched the network', address, 'chainChanged'] as const,
      [what, 'disconnected', address, 'disconnected'] as const,
    ]),
  )(
    'of %s is recorded for its account and network if the wallet %s before it answers',
    async (_, __, address, type) => {
      const { wallets, submit, pending } = await submitting(address)
      wallets.faults.hang = true
      const submitted = submit()
      await expect.poll(() => wallets.isHanging).toBe(true)
      wallets.emit({
        type,
        connectorId: wallets.ids[0],
        caipNetworkId: 'eip155:10',
        accounts: [{ namespace: 'eip155', address: to, type: 'eoa' }],
      })
      wallets.release()
      await submitted
      expect(pending()).toMatchObject([
        { account: wallets.address(0), networkId: 'eip155:1', to, transfers: [{ amount: '12.5' }] },
      ])
    },
  )
})
