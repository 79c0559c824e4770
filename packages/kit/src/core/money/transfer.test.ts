import { expect, test } from 'vitest'

import { connect } from '../connection/connect.ts'
import { NotConnectedError } from '../kit/kitErrors.ts'
import { useKits } from '../testing/useKits.ts'
import { parseAddress, prepareTransfer, sendTransfer } from './transfer.ts'

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
  expect([gas, fee > 0n]).toEqual([21_000n, true])
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

test('error: without a wallet', async () => {
  const { kit } = start()
  const token = { network: kit.getState().networks[0]! }
  await expect(sendTransfer(kit, { token, to, amount: 1n })).rejects.toBeInstanceOf(
    NotConnectedError,
  )
})
