import { privateKeyToAccount } from 'viem/accounts'
import { accounts } from '@gatefold/chain'
import { expect, test } from 'vitest'

import { isSigner } from './isSigner.ts'

const [mira, other] = accounts.map(({ privateKey }) => privateKeyToAccount(privateKey))
const permit = (value: bigint) => ({
  domain: { name: 'USD Coin', version: '1', chainId: 31337 },
  types: { Permit: [{ name: 'value', type: 'uint256' }] } as const,
  primaryType: 'Permit' as const,
  message: { value },
})
const typedData = permit(5n)
const account = mira!.address
const signed = await mira!.signTypedData(typedData)

test('the signature of the account’s key is accepted, whatever the case of its address', async () => {
  expect(await isSigner({ account, typedData, signature: signed })).toBe(true)
  const lower = account.toLowerCase()
  expect(await isSigner({ account: lower, typedData, signature: signed })).toBe(true)
})

test.each([
  ['another key', await other!.signTypedData(typedData)],
  ['other data', await mira!.signTypedData(permit(6n))],
  ['no key', `0x${'00'.repeat(65)}` as const],
])('attack: a signature of %s is not the account’s', async (_, signature) => {
  expect(await isSigner({ account, typedData, signature })).toBe(false)
})
