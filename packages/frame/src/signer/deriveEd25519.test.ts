import { bytesToHex, hexToBytes } from '@noble/hashes/utils'
import { expect, it } from 'vitest'
import { deriveEd25519 } from './deriveEd25519.ts'

// The test vectors of SLIP-0010 for Ed25519.
const first = '000102030405060708090a0b0c0d0e0f'
const second =
  'fffcf9f6f3f0edeae7e4e1dedbd8d5d2cfccc9c6c3c0bdbab7b4b1aeaba8a5a29f9c999693908d8a8784817e7b7875726f6c696663605d5a5754514e4b484542'

it.each([
  [first, [], '2b4be7f19ee27bbf30c667b642d5f4aa69fd169872f8fc3059c08ebae2eb19e7'],
  [first, [0], '68e0fe46dfb67e368c75379acec591dad19df3cde26e63b93a8e704f1dade7a3'],
  [
    first,
    [0, 1, 2, 2, 1_000_000_000],
    '8f94d394a8e8fd6b1bc2f3f49f5c47e385281d5c17e65324b0f62483e37e8793',
  ],
  [second, [0, 2147483647], 'ea4f5bfe8694d8bb74b7b59404632fd5968b774ed545e810de9c32a4fb4192f4'],
])('derives the key of %s at %j', (seed, path, key) => {
  expect(bytesToHex(deriveEd25519(hexToBytes(seed), path))).toBe(key)
})
