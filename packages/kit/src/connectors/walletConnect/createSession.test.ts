import type { Session } from '@gatefold/sign'
import { expect, test } from 'vitest'

import type { ConnectorContext } from '../../core/connection/Connector.ts'
import { createSession } from './createSession.ts'
import { maxAccounts } from './toGrants.ts'

const [mira, tomas] = [
  '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
]

function open(accounts: readonly string[]) {
  const session = {
    topic: 'a',
    expiry: Date.now() / 1_000 + 604_800,
    namespaces: { eip155: { accounts, methods: [], events: ['accountsChanged'] } },
    peer: { publicKey: '', metadata: { name: '', description: '', url: '', icons: [] } },
  } as unknown as Session
  const context = {
    emit() {},
    networks: () => [],
    activeNetwork: () => undefined,
  } as unknown as ConnectorContext
  const sign = { request: async () => undefined as never }
  return createSession({ context, sign, session, byApp: false })
}

test('attack: entries of accountsChanged above the maximum are ignored', () => {
  const live = open([`eip155:1:${mira}`, `eip155:1:${tomas}`])
  const addresses = () => live.getState().grants.eip155?.accounts.map(({ address }) => address)
  const emit = (data: readonly string[]) =>
    live.onEvent({ chainId: 'eip155:1', name: 'accountsChanged', data })
  const others = Array.from({ length: maxAccounts - 1 }, () => '0x')
  emit([...others, tomas])
  expect(addresses()).toEqual([tomas, mira])
  emit([...others, '0x', tomas])
  expect(addresses()).toEqual([mira, tomas])
})
