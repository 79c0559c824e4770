import { expect, test } from 'vitest'

import { accountFeatures } from './accountFeatures.ts'
import { defaultFeatures } from '../features/features.ts'
import { shortAddress } from './shortAddress.ts'

const list = (parameters: Partial<Parameters<typeof accountFeatures>[0]> = {}) =>
  accountFeatures({
    features: defaultFeatures,
    namespace: 'eip155',
    hasGateway: true,
    ...parameters,
  }).map(({ name }) => name)

test('§9.7.3 the default order is buy, swap, receive, send; a configured order replaces it; activity is last', () => {
  expect(list()).toEqual(['onramp', 'swaps', 'receive', 'send', 'activity'])
  const order = ['send', 'receive', 'onramp'] as const
  expect(list({ order })).toEqual(['send', 'receive', 'onramp', 'activity'])
})

test('§2.13.2 features that are disabled, or that the chain family does not support, are omitted', () => {
  const off = { ...defaultFeatures, swaps: false as const, activity: false }
  expect(list({ features: off })).toEqual(['onramp', 'receive', 'send'])
  expect(list({ send: false, receive: false })).toEqual(['onramp', 'swaps', 'activity'])
  expect(list({ namespace: 'solana' })).toEqual(['onramp', 'receive', 'send'])
  expect(list({ namespace: 'bip122' })).toEqual(['receive'])
})

test('without a gateway, only features that need no gateway are shown', () => {
  expect(list({ hasGateway: false })).toEqual(['receive', 'send'])
})

test('every feature opens its view', () => {
  const features = accountFeatures({
    features: defaultFeatures,
    namespace: 'eip155',
    hasGateway: true,
  })
  expect(Object.fromEntries(features.map(({ name, view }) => [name, view]))).toEqual({
    onramp: 'OnRampProviders',
    swaps: 'Swap',
    receive: 'WalletReceive',
    send: 'WalletSend',
    activity: 'Transactions',
  })
})

test('an address is shortened in the middle', () => {
  expect(shortAddress('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')).toBe('0xf39F…2266')
  expect(shortAddress('12345678901234')).toBe('123456…1234')
  expect(shortAddress('1234567890123')).toBe('1234567890123')
})
