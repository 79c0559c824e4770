import { CaipNetworkId } from '@gatefold/protocol'
import { EventEmitter } from 'eventemitter3'
import { getAddress, hexToNumber, isAddress, isHex, numberToHex } from 'viem'
import type { Address } from 'viem'

import { ProviderRpcError, toProviderRpcError } from '../core/connection/ProviderRpcError.ts'
import type { SessionGrant } from '../core/connection/Session.ts'
import { NotConnectedError } from '../core/kit/requestErrors.ts'
import type { ProviderSource, WalletEvent } from './ProviderSource.ts'

/**
 * A session's wallet as an EIP-1193 provider. Its accounts and chain are limited to those that the
 * session grants. Account and chain id requests, and switches to approved chains, are not sent to the
 * wallet. All other requests are sent; the wallet's capabilities are cached.
 *
 * @see EIP-1193; spec §4.6.3, §5.12.8–9, §8.9.5–9; docs/threats.md
 */
export function createEip155Provider(source: ProviderSource) {
  const emitter = new EventEmitter()
  const capabilities = new Map<string, unknown>()
  let selected: number | undefined
  /** A chain to switch to as soon as the session grants an account on it. */
  let pending: number | undefined
  let emitted: { chainId: number | undefined; accounts: readonly Address[] } = {
    chainId: undefined,
    accounts: [],
  }

  function grant(): SessionGrant {
    const { eip155 } = source.getState().grants
    if (!eip155) throw new NotConnectedError()
    return eip155
  }

  /** The granted accounts; none if the wallet has removed the family from the session. */
  const granted = () => source.getState().grants.eip155?.accounts ?? []

  /** Chains that have an account. */
  const usableChains = () => granted().map(({ caipNetworkId }) => referenceOf(caipNetworkId))

  /**
   * The active chain. Of the chains with an account, prefers the selected one, then the site's active one,
   * then a configured one.
   */
  function chainId(): number {
    const chains = usableChains()
    const preferred = [
      selected,
      source.activeNetwork('eip155')?.id,
      ...source.networks().map(({ id }) => id),
    ].find((id) => chains.includes(Number(id)))
    const id = Number(preferred ?? chains[0])
    if (!Number.isSafeInteger(id)) throw new NotConnectedError()
    return id
  }

  function accounts(): readonly Address[] {
    if (granted().length === 0) return []
    const id = chainId()
    const addresses = granted().flatMap(({ address, caipNetworkId }) =>
      referenceOf(caipNetworkId) === id && isAddress(address, { strict: false })
        ? [getAddress(address)]
        : [],
    )
    return [...new Set(addresses)]
  }

  /** Emits the changes since the last call. */
  function emitChanges(): void {
    const before = emitted
    // Without accounts, the chain stays the same.
    const now = {
      chainId: granted().length === 0 ? before.chainId : chainId(),
      accounts: accounts(),
    }
    emitted = now
    if (before.chainId === undefined || now.chainId === undefined) return
    if (now.accounts.join() !== before.accounts.join())
      emitter.emit('accountsChanged', now.accounts)
    if (now.chainId !== before.chainId) emitter.emit('chainChanged', numberToHex(now.chainId))
  }

  function select(id: number): boolean {
    if (!usableChains().includes(id)) return false
    pending = undefined
    selected = id
    emitChanges()
    return true
  }

  /** Switches to a chain, as soon as the session grants an account on it. */
  function follow(id: number): void {
    if (!select(id)) pending = id
  }

  source.onChange(() => {
    capabilities.clear()
    if (pending !== undefined) select(pending)
    emitChanges()
  })
  source.onEvent((event: WalletEvent) => {
    if (CaipNetworkId.split(event.chainId)?.namespace !== 'eip155') return
    if (event.name === 'chainChanged') {
      const data = String(event.data)
      const id = Number(CaipNetworkId.split(data)?.reference ?? data)
      if (Number.isSafeInteger(id)) follow(id)
    } else emitter.emit('message', { type: event.name, data: event.data })
  })
  source.onEnd(() =>
    emitter.emit('disconnect', new ProviderRpcError(4900, 'The session has ended')),
  )

  async function requestWallet(method: string, params: unknown): Promise<unknown> {
    if (!grant().methods.includes(method))
      throw new ProviderRpcError(
        4200,
        method === 'wallet_getCallsStatus'
          ? 'Fetching call status not approved by the wallet.'
          : `The wallet did not approve the method ${method}`,
      )
    const chain = `eip155:${chainId()}`
    try {
      return await source.request({ chainId: chain, request: { method, params } })
    } catch (error) {
      throw toProviderRpcError(error)
    }
  }

  async function switchChain(params: unknown): Promise<null> {
    const id = toChainId((params as readonly [{ chainId?: unknown }] | undefined)?.[0]?.chainId)
    const { networkIds, methods } = grant()
    if (!networkIds.includes(`eip155:${id}`)) {
      if (!methods.includes('wallet_switchEthereumChain'))
        throw new ProviderRpcError(
          4902,
          `Failed to switch to chain 'eip155:${id}'. The chain is not approved or the wallet does not support 'wallet_switchEthereumChain' method.`,
        )
      await requestWallet('wallet_switchEthereumChain', params)
    }
    follow(id)
    return null
  }

  async function getCapabilities(params: unknown): Promise<unknown> {
    const [address, chainIds = []] = (params ?? []) as [unknown, (readonly string[])?]
    if (typeof address !== 'string' || !address)
      throw new ProviderRpcError(
        -32602,
        'Missing address parameter in `wallet_getCapabilities` request',
      )
    const key = JSON.stringify([address.toLowerCase(), chainIds])
    if (!capabilities.has(key))
      capabilities.set(key, await requestWallet('wallet_getCapabilities', params))
    return capabilities.get(key)
  }

  emitChanges()
  return {
    async request({ method, params }: { method: string; params?: unknown }): Promise<unknown> {
      switch (method) {
        case 'eth_accounts':
        case 'eth_requestAccounts':
          return accounts()
        case 'eth_chainId':
          return numberToHex(chainId())
        case 'net_version':
          return String(chainId())
        case 'wallet_switchEthereumChain':
          return switchChain(params)
        case 'wallet_getCapabilities':
          return getCapabilities(params)
        default:
          return requestWallet(method, params)
      }
    },
    on(event: string, listener: (...parameters: never[]) => void) {
      emitter.on(event, listener as never)
    },
    removeListener(event: string, listener: (...parameters: never[]) => void) {
      emitter.off(event, listener as never)
    },
  }
}

function referenceOf(caipNetworkId: CaipNetworkId.CaipNetworkId): number {
  return Number(CaipNetworkId.split(caipNetworkId)?.reference)
}

function toChainId(value: unknown): number {
  const id = isHex(value) ? hexToNumber(value) : Number(value)
  if (!Number.isSafeInteger(id) || id <= 0)
    throw new ProviderRpcError(-32602, `${String(value)} is not a chain id`)
  return id
}
