import type { ChainNamespace } from '@gatefold/protocol'
import { expect, test } from 'vitest'

import type { Network } from '../../core/networks/Network.ts'
import { toNamespaces } from './namespaces.ts'

const networkOf = (chainNamespace: ChainNamespace.ChainNamespace, reference: string) =>
  ({ chainNamespace, caipNetworkId: `${chainNamespace}:${reference}` }) as Network

/** What is proposed for networks whose adapters declare the given methods. */
const propose = (networks: readonly Network[], declared?: readonly string[]) =>
  toNamespaces({ networks: () => networks, methods: () => declared })

test.each<[row: string, family: ChainNamespace.ChainNamespace, methods: readonly string[]]>([
  [
    '§6.5.1/1',
    'solana',
    [
      'solana_signMessage',
      'solana_signTransaction',
      'solana_requestAccounts',
      'solana_getAccounts',
      'solana_signAllTransactions',
      'solana_signAndSendTransaction',
    ],
  ],
  [
    '§6.5.1/2',
    'eip155',
    [
      'eth_accounts',
      'eth_requestAccounts',
      'eth_sendRawTransaction',
      'eth_signTransaction',
      'eth_signTypedData',
      'eth_signTypedData_v3',
      'eth_signTypedData_v4',
      'eth_sendTransaction',
      'personal_sign',
      'wallet_switchEthereumChain',
      'wallet_addEthereumChain',
      'wallet_getPermissions',
      'wallet_requestPermissions',
      'wallet_grantPermissions',
      'wallet_revokePermissions',
      'wallet_watchAsset',
      'wallet_sendCalls',
      'wallet_getCallsStatus',
      'wallet_showCallsStatus',
      'wallet_getCapabilities',
      'wallet_getAssets',
    ],
  ],
  ['§6.5.1/4', 'bip122', ['sendTransfer', 'signMessage', 'signPsbt', 'getAccountAddresses']],
])('%s the methods of %s are proposed if its adapter declares none', (_row, family, methods) => {
  const { [family]: proposed } = propose([networkOf(family, '1')])
  expect(proposed!.methods.toSorted()).toEqual(methods.toSorted())
})

test('§6.5.2 the events of every family are proposed', () => {
  const networks = (['eip155', 'solana', 'bip122'] as const).map((one) => networkOf(one, '1'))
  for (const { events } of Object.values(propose(networks)))
    expect(events).toEqual(['accountsChanged', 'chainChanged'])
})

test('the methods that an adapter declares replace the default ones', () => {
  expect(propose([networkOf('eip155', '1')], ['eth_call'])['eip155']!.methods).toEqual(['eth_call'])
})

test('a family without known methods is left out', () => {
  expect(propose([networkOf('cosmos', '1'), networkOf('eip155', '1')])).toEqual({
    eip155: expect.objectContaining({ chains: ['eip155:1'] }) as unknown,
  })
})
