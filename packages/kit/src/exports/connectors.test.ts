import { expect, test } from 'vitest'

import { walletConnect } from '../connectors/walletConnect/walletConnect.ts'
import { useKits } from '../core/testing/useKits.ts'
import { embedded } from './embedded.ts'

const { start } = useKits()

test('§3.1 the connectors of the kit have the types of AppKit, and all families that they serve', async () => {
  const { kit } = start({
    connectors: [walletConnect, embedded()],
    endpoints: { relay: 'https://relay.example', frame: 'https://frame.example' },
  })
  await kit.ready()
  const own = kit.getState().connectors.filter(({ chains }) => chains)
  expect(
    own.map(({ id, name, type, chain, chains }) => ({ id, name, type, chain, chains })),
  ).toEqual([
    {
      id: 'walletConnect',
      name: 'WalletConnect',
      type: 'WALLET_CONNECT',
      chain: 'eip155',
      chains: ['eip155'],
    },
    {
      id: 'AUTH',
      name: 'Email or social wallet',
      type: 'AUTH',
      chain: 'eip155',
      chains: ['eip155'],
    },
  ])
})
