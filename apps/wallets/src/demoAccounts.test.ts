import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { expect, it } from 'vitest'
import { demoAccounts } from './demoAccounts.ts'

it("demoAccounts returns anvil's default accounts", () => {
  const mnemonic = `${'test '.repeat(11)}junk`
  const expected = Array.from(
    { length: 10 },
    (_, addressIndex) => mnemonicToAccount(mnemonic, { addressIndex }).address,
  )
  const all = demoAccounts(...expected.keys()).map((key) => privateKeyToAccount(key).address)
  expect(all).toEqual(expected)
  expect(() => demoAccounts(10)).toThrow(RangeError)
})
