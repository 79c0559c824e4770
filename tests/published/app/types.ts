import {
  type ConnectorFactory,
  type Kit,
  type Session,
  type SessionEvent,
  createGatefold,
} from '@gatefold/kit'
import { connect, getBalance } from '@gatefold/kit/core'
import { type EvmAdapter, evm } from '@gatefold/kit/evm'
import { useKitAccount } from '@gatefold/kit/react'
import { BaseError, CaipNetworkId } from '@gatefold/protocol'

// This file is only compiled. If a published type were `any`, the expected errors below would be
// missing.

// @ts-expect-error -- neither networks nor adapters
createGatefold({ metadata: { name: '', description: '', url: '', icons: [] } })

// @ts-expect-error -- no such option
evm({ remoteAvatar: true })

// @ts-expect-error -- the instance comes first
void connect({ connectorId: 'io.metamask' })

// @ts-expect-error -- a site reads the state and calls actions
export const dispatchOf = (kit: Kit): unknown => kit.dispatch

export const balanceOf = async (kit: Kit): Promise<string> => (await getBalance(kit)).balance

export function useAddress(): string | undefined {
  const account = useKitAccount()
  // @ts-expect-error -- no such field
  void account.adress
  return account.address
}

export const codeOf = (error: unknown): string | undefined =>
  error instanceof BaseError ? error.code : undefined

export const isChain = (text: string): boolean => CaipNetworkId.is(text)

export type Config = EvmAdapter['config']

declare const session: Session

export const ownConnector: ConnectorFactory = (context) => ({
  id: 'own',
  name: 'Own wallet',
  type: 'EXTERNAL',
  chain: 'eip155',
  chains: context.namespaces,
  connect: async ({ onProgress }) => {
    onProgress?.({ type: 'uri', uri: 'own:1' })
    context.emit({ type: 'changed', session })
    return session
  },
  restore: async () => undefined,
  preload: async () => {},
  disconnect: async () => {},
  destroy: () => {},
})

// @ts-expect-error -- no such reason
export const ended: SessionEvent = { type: 'ended', connectorId: 'own', reason: 'left' }
