import { describe, expect, test } from 'vitest'

import {
  type BaseError,
  CaipAddress,
  CaipNetworkId,
  ChainNamespace,
  formatDidPkh,
  isAddress,
  pairingTopic,
  splitDidPkh,
} from '../index.ts'

const evm = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

describe('§5.1.1 an EVM address is 40 hex characters with an optional 0x', () => {
  test.each([
    [evm, true],
    [evm.slice(2), true],
    [evm.toLowerCase(), true],
    [evm.slice(0, -1), false],
    [`${evm}0`, false],
    [evm.replace('f', 'g'), false],
    ['', false],
  ])('%s → %s', (address, valid) => expect(isAddress(address, 'eip155')).toBe(valid))
})

describe('§5.1.2 a Solana address is 32 to 44 base58 characters', () => {
  test.each([
    ['11111111111111111111111111111111', true],
    ['7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv', true],
    ['1111111111111111111111111111111', false],
    [`7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv1`, false],
    ['0OIl1111111111111111111111111111', false],
  ])('%s → %s', (address, valid) => expect(isAddress(address, 'solana')).toBe(valid))
})

test('an address of another family is any non-empty string, and the default family is EVM', () => {
  expect(isAddress('cosmos1zcjduepq0', 'cosmos')).toBe(true)
  expect(isAddress('', 'cosmos')).toBe(false)
  expect([isAddress(evm), isAddress('cosmos1zcjduepq0')]).toEqual([true, false])
})

describe('§5.1.3 a CAIP address has three parts, a network id two', () => {
  test('parses an account', () => {
    expect(CaipAddress.parse(`eip155:1:${evm}`)).toEqual({
      namespace: 'eip155',
      reference: '1',
      caipNetworkId: 'eip155:1',
      address: evm,
    })
  })

  test('formats and recognizes an account and a network id', () => {
    expect(CaipNetworkId.format('eip155', 1)).toBe('eip155:1')
    expect(CaipAddress.format('eip155:1', evm)).toBe(`eip155:1:${evm}`)
    expect(CaipNetworkId.is('eip155:1')).toBe(true)
    expect(CaipAddress.is(`eip155:1:${evm}`)).toBe(true)
  })

  test.each([[undefined], [null], [1], [{}], [['eip155:1']]])(
    '%j is neither a CAIP address nor a network id',
    (value) => {
      expect([CaipNetworkId.is(value), CaipAddress.is(value)]).toEqual([false, false])
    },
  )

  test('error: the message names the invalid value and the expected form', () => {
    const errorOf = (parse: (value: string) => unknown) => {
      try {
        return parse('near')
      } catch (error) {
        const { name, code, message } = error as BaseError
        return { name, code, message }
      }
    }
    expect(errorOf(CaipAddress.parse)).toMatchInlineSnapshot(`
      {
        "code": "caip.invalid_address",
        "message": "“near” is not a CAIP-10 account.
      Expected exactly three parts with a known namespace, such as eip155:1:0xabc….",
        "name": "InvalidCaipAddressError",
      }
    `)
    expect(errorOf(CaipNetworkId.parse)).toMatchInlineSnapshot(`
      {
        "code": "caip.invalid_network_id",
        "message": "“near” is not a CAIP-2 network id.
      Expected two parts with a known namespace, such as eip155:1.",
        "name": "InvalidCaipNetworkIdError",
      }
    `)
  })

  test.each(['eip155:1', `eip155:1:${evm}:extra`, `near:1:${evm}`, 'eip155::0x', ''])(
    'error: rejects the account %j',
    (text) => {
      expect(CaipAddress.is(text)).toBe(false)
      expect(() => CaipAddress.parse(text)).toThrow(CaipAddress.InvalidCaipAddressError)
    },
  )

  test('parses a network id', () => {
    expect(CaipNetworkId.parse('solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp')).toEqual({
      namespace: 'solana',
      reference: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    })
  })

  test.each(['eip155', 'eip155:1:2', 'near:1', 'eip155:'])(
    'error: rejects the network id %j and states the expected form',
    (text) => {
      expect(CaipNetworkId.is(text)).toBe(false)
      expect(() => CaipNetworkId.parse(text)).toThrow('such as eip155:1')
    },
  )
})

describe('ids of any namespace', () => {
  test('splits an account and a network id', () => {
    expect(CaipAddress.split('near:mainnet:alice.near')).toEqual({
      namespace: 'near',
      reference: 'mainnet',
      address: 'alice.near',
    })
    expect(CaipNetworkId.split('near:mainnet')).toEqual({
      namespace: 'near',
      reference: 'mainnet',
    })
  })

  test.each(['', 'near', 'near:mainnet', 'near::alice', ':mainnet:alice', 'a:b:c:d'])(
    'error: %j is not an account',
    (text) => expect(CaipAddress.split(text)).toBeUndefined(),
  )

  test.each(['', 'near', 'near:', ':mainnet', 'a:b:c'])('error: %j is not a network id', (text) =>
    expect(CaipNetworkId.split(text)).toBeUndefined(),
  )

  test.each([
    [`eip155:1:${evm}`, evm],
    [evm, evm],
    ['eip155:1', 'eip155:1'],
  ])('the address of %s is %s', (text, address) =>
    expect(CaipAddress.toAddress(text)).toBe(address),
  )
})

describe('did:pkh', () => {
  test('is formatted from an account and split into its parts', () => {
    const did = formatDidPkh(`eip155:1:${evm}`)
    expect(did).toBe(`did:pkh:eip155:1:${evm}`)
    expect(splitDidPkh(did)).toEqual({ namespace: 'eip155', reference: '1', address: evm })
  })

  test.each(['', `eip155:1:${evm}`, `did:key:${evm}`, `did:pkh:${evm}`])(
    'error: %j is not a did:pkh',
    (text) => expect(splitDidPkh(text)).toBeUndefined(),
  )
})

describe('the topic of a pairing URI', () => {
  const topic = '7f6e504bfad60b485450578e05678ed3e8e8c4751d3c6160be17160d63ec90f9'

  test.each([
    `wc:${topic}@2?symKey=1&relay-protocol=irn`,
    `wc://${topic}@2?symKey=1`,
    `wc:${topic.toUpperCase()}@2`,
  ])('is found in %s', (uri) => expect(pairingTopic(uri)).toBe(topic))

  test.each([
    '',
    'wc:',
    `wc:${topic.slice(1)}@2?symKey=1`,
    `wc:${topic}@1?key=1`,
    topic,
    `xwc:${topic}@2`,
  ])('error: is not found in %j', (uri) => expect(pairingTopic(uri)).toBeUndefined())
})

test('§5.10.9 §3.18 the chain namespaces are those of the specification', () => {
  const known = ['eip155', 'solana', 'polkadot', 'bip122', 'cosmos']
  expect(ChainNamespace.chainNamespaces).toEqual(known)
  expect(known.every(ChainNamespace.is)).toBe(true)
  expect(ChainNamespace.defaultNamespace).toBe('eip155')
  expect(['near', 'EIP155', '', undefined].some(ChainNamespace.is)).toBe(false)
})
