import { limits } from '@gatefold/protocol'
import { injected } from '@wagmi/core'
import type { EIP1193Provider } from 'viem'

import type { Connector, ConnectorInfo } from '../../core/connection/Connector.ts'
import { injectedProvider } from './createEvmConfig.ts'
import type { ConnectParameters } from '../../core/connection/Connector.ts'
import type { Session } from '../../core/connection/Session.ts'
import type { Evm, WagmiConnector } from './context.ts'
import { isSessionConnector } from './sessions/register.ts'

type Announced = { info: { rdns: string; name: string; icon: string }; provider: EIP1193Provider }

/**
 * Discovers the browser's wallets and emits every change of their list: announced wallets, the generic
 * one at `window.ethereum`, and the site's own connectors.
 *
 * @returns a function that stops discovery
 * @see EIP-6963; spec §3.20, §4.15, §9.6.5
 */
export function watchWallets(
  evm: Evm,
  methods: {
    connect: (id: string, parameters: ConnectParameters) => Promise<Session>
    restore: (id: string) => Promise<Session | undefined>
  },
): () => void {
  const { config, context, options, providers } = evm
  const { connectors } = config._internal
  const announced = new Map<string, Announced>()
  const stops: (() => void)[] = []
  const listen = (event: string, listener: (event: Event) => void) => {
    window.addEventListener(event, listener)
    stops.push(() => window.removeEventListener(event, listener))
  }

  let emitted = ''
  function emit(): void {
    const list = config.connectors.flatMap((connector) => describe(connector) ?? [])
    const text = JSON.stringify(list)
    if (text === emitted) return
    emitted = text
    context.emit({ type: 'connectors', connectors: list.map(toConnector) })
  }

  const toConnector = (info: ConnectorInfo): Connector => ({
    ...info,
    connect: (parameters) => methods.connect(info.id, parameters),
    restore: () => methods.restore(info.id),
  })

  function describe(connector: WagmiConnector): ConnectorInfo | undefined {
    if (isSessionConnector(evm, connector)) return undefined
    const { id, name, icon } = connector
    const base = { id, name, chain: 'eip155', imageUrl: safeIcon(icon) } as const
    if (isAnnounced(id)) return { ...base, type: 'ANNOUNCED', info: { rdns: id } }
    if (id !== 'injected') return { ...base, type: 'EXTERNAL', info: rdnsOf(connector) }
    const generic = injectedProvider()
    const isAnnouncedToo = [...announced.values()].some(({ provider }) => provider === generic)
    return generic && !isAnnouncedToo
      ? { ...base, name: 'Browser Wallet', type: 'INJECTED' }
      : undefined
  }

  const isAnnounced = (id: string) =>
    announced.has(id) || Boolean(config._internal.mipd?.findProvider({ rdns: id }))

  function announce(event: Event): void {
    const { detail } = event as CustomEvent<unknown>
    if (!isAnnouncement(detail)) return
    const { info, provider } = detail
    const known = config.connectors.some(
      (connector) => connector.id === info.rdns || rdnsOf(connector)?.rdns === info.rdns,
    )
    if (known || announced.has(info.rdns)) return
    announced.set(info.rdns, detail)
    const { rdns: id, name } = info
    const target = {
      id,
      name,
      icon: safeIcon(info.icon),
      provider: providers.track(provider) as never,
    }
    const connector = connectors.setup(injected({ target }))
    connectors.setState((list) => [...list, connector])
  }

  stops.push(connectors.subscribe(emit))
  if (typeof window !== 'undefined') {
    if (context.options.eip6963 && !options.config) {
      listen('eip6963:announceProvider', announce)
      window.dispatchEvent(new CustomEvent('eip6963:requestProvider'))
    }
    listen('ethereum#initialized', emit)
    const lateTimer = setTimeout(emit, limits.asyncInjectMs)
    stops.push(() => clearTimeout(lateTimer))
  }
  emit()
  return () => {
    for (const stop of stops) stop()
  }
}

/** Whether an announcement is valid: any script on the page can announce anything. @see EIP-6963 */
function isAnnouncement(value: unknown): value is Announced {
  const { info, provider } = (value ?? {}) as Partial<Announced>
  return (
    typeof info?.rdns === 'string' &&
    info.rdns !== '' &&
    typeof info.name === 'string' &&
    typeof provider?.request === 'function' &&
    typeof provider.on === 'function'
  )
}

/**
 * Returns the icon if it is a data URI, as EIP-6963 requires. A URL would reveal the visit to another
 * host.
 */
function safeIcon(icon: string | undefined): string | undefined {
  const text = typeof icon === 'string' ? icon.trim() : ''
  return text.startsWith('data:image/') ? text : undefined
}

function rdnsOf({ rdns }: WagmiConnector): { rdns: string } | undefined {
  const first = typeof rdns === 'string' ? rdns : rdns?.[0]
  return first ? { rdns: first } : undefined
}
