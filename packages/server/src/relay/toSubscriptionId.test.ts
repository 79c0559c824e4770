import { expect, test } from 'vitest'
import { toSubscriptionId } from './toSubscriptionId.ts'

test('a subscription id is the SHA-256 of the topic and the client id', () => {
  // SHA-256 of `abc`, FIPS 180-4
  expect(toSubscriptionId({ topic: 'a', clientId: 'bc' })).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  )
})
