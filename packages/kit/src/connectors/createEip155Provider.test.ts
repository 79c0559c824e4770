import { expect, test, vi } from 'vitest'

import type { SessionState } from '../core/connection/Session.ts'
import { createEip155Provider } from './createEip155Provider.ts'
import type { ProviderSource, WalletEvent } from './ProviderSource.ts'

const mira = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

/** A provider for a session that grants accounts on chains 1 and 10. */
function open() {
  const listeners: { change?: () => void; event?: (event: WalletEvent) => void } = {}
  let chains = [1, 10]
  const request = vi.fn<ProviderSource['request']>(async () => ({ '0x1': {} }))
  const source: ProviderSource = {
    getState() {
      const networkIds = chains.map((id) => `eip155:${id}` as const)
      const accounts = networkIds.map((caipNetworkId) => ({ address: mira, caipNetworkId }))
      const methods = ['wallet_getCapabilities', 'wallet_switchEthereumChain']
      return { grants: { eip155: { accounts, networkIds, methods } } } as unknown as SessionState
    },
    request,
    onChange: (listener) => void (listeners.change = listener),
    onEvent: (listener) => void (listeners.event = listener),
    onEnd: () => {},
    networks: () => [],
    activeNetwork: () => undefined,
  }
  const provider = createEip155Provider(source)
  return {
    request,
    ask: async (method: string, params?: unknown) => provider.request({ method, params }),
    /** The session grants accounts on these chains from now on. */
    grant: (...ids: number[]) => {
      chains = ids
      listeners.change!()
    },
    emit: (event: WalletEvent) => listeners.event!(event),
  }
}

test('capabilities are cached until the session changes', async () => {
  const { ask, grant, request } = open()
  const read = () => ask('wallet_getCapabilities', [mira])
  await read()
  await read()
  expect(request).toHaveBeenCalledTimes(1)
  grant(1, 10)
  await read()
  expect(request).toHaveBeenCalledTimes(2)
})

test.each<[string, (opened: ReturnType<typeof open>) => unknown]>([
  ['wallet switched', ({ emit }) => emit({ chainId: 'eip155:1', name: 'chainChanged', data: 137 })],
  ['site switched', ({ ask }) => ask('wallet_switchEthereumChain', [{ chainId: '0x89' }])],
])(
  'a chain to which the %s is active as soon as the session grants an account on it',
  async (_, change) => {
    const opened = open()
    const { ask, grant } = opened
    await change(opened)
    expect(await ask('eth_chainId')).toBe('0x1')
    grant(1, 10, 137)
    expect(await ask('eth_chainId')).toBe('0x89')
  },
)
