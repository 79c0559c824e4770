import { expect, test } from 'vitest'
import { toAnalytics } from './analytics.ts'

const of = (method: string, params?: unknown) => ({ chainId: 'c', request: { method, params } })

test.each<[method: string, result: unknown, hashes: string[]]>([
  ['eth_sendTransaction', '0xa', ['0xa']],
  ['eth_sendRawTransaction', '0xa', ['0xa']],
  ['eth_sendTransaction', { id: '0xa' }, []],
  ['wallet_sendCalls', { id: '0xa' }, ['0xa']],
  ['wallet_sendCalls', '0xa', ['0xa']],
  ['wallet_sendCalls', null, []],
  ['wallet_sendCalls', {}, []],
  ['solana_signAndSendTransaction', { signature: 'a' }, ['a']],
  ['sendTransfer', { txid: 'a' }, ['a']],
  ['sendTransfer', { txid: 5 }, []],
  ['personal_sign', '0xa', []],
  ['toString', '0xa', []],
])(
  '§3.19.6 the metadata of %s with the result %o contains the hashes %o',
  (method, result, hashes) => {
    expect(toAnalytics(1, of(method), result)).toEqual({
      correlationId: 1,
      rpcMethods: [method],
      chainId: 'c',
      txHashes: hashes,
      contractAddresses: [],
    })
  },
)

test.each<[params: unknown, addresses: string[]]>([
  [[{ to: '0xb', data: '0x' }], ['0xb']],
  [[{ to: '0xb', data: '0x0aFf' }], ['0xb']],
  [[{ to: '0xb', data: '0x0' }], []],
  [[{ to: '0xb', data: 'a0x00' }], []],
  [[{ to: '0xb', data: '0x00z' }], []],
  [[{ to: '0xb', data: [] }], []],
  [[{ to: '0xb', data: ['0x'] }], []],
  [[{ to: '0xb' }], []],
  [[{ to: 5, data: '0x00' }], []],
  [[{ data: '0x00' }], []],
  [[null], []],
  [['0xb'], []],
  [[], []],
  [{ 0: { to: '0xb', data: '0x00' } }, []],
  [undefined, []],
])(
  '§3.19.6 the metadata of a call with the params %o contains the contracts %o',
  (params, addresses) => {
    expect(toAnalytics(1, of('eth_call', params)).contractAddresses).toEqual(addresses)
  },
)
