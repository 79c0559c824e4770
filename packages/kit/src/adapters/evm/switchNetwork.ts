import { numberToHex } from 'viem'
import type { EIP1193Provider } from 'viem'

import { UserRejectedError } from '../../core/kit/errors.ts'
import { ChainNotSupportedError, NetworkNotFoundError } from '../../core/kit/requestErrors.ts'
import type { Network } from '../../core/networks/Network.ts'
import { findConnection, selectChain } from './context.ts'
import { findNetwork } from './connection/lookups.ts'
import type { Evm, WagmiConnector } from './context.ts'
import { hasCode } from './failure.ts'

/** How long a wallet may take to switch after it has confirmed, in ms. */
const settleMs = 1_000
const pollMs = 50

/**
 * Switches the connected wallet to a network. Without a wallet, changes the network to read from.
 *
 * @throws {NetworkNotFoundError} the network is not configured
 * @throws {UserRejectedError} the visitor declined
 * @throws {ChainNotSupportedError} the wallet is not on the chain afterwards
 * @see spec §4.6.2–4, §5.9.2, §8.11.4–5
 */
export async function switchNetwork(
  evm: Evm,
  parameters: { network: Network; connectorId?: string | undefined },
): Promise<void> {
  const { config } = evm
  const network = findNetwork(evm, parameters.network.id)
  if (!network) throw new NetworkNotFoundError({ networkId: parameters.network.id })
  const chainId = Number(network.id)
  const connection = findConnection(evm, parameters.connectorId)
  if (!connection) {
    selectChain(evm, network)
    return
  }
  const { connector } = connection
  await switchWallet(evm, connector, network)
  config._internal.events.change({ uid: connector.uid, chainId })
}

/**
 * Requests the switch, adds the chain if the wallet does not know it, and verifies the result. An alert contains the
 * wallet's own error message.
 *
 * @throws {UserRejectedError}
 * @throws {ChainNotSupportedError}
 */
export async function switchWallet(
  { context }: Pick<Evm, 'context'>,
  connector: WagmiConnector,
  network: Network,
): Promise<void> {
  try {
    await requestSwitch(connector, network)
  } catch (error) {
    if (error instanceof ChainNotSupportedError)
      context.emit({
        type: 'alert',
        code: 'SWITCH_REFUSED',
        values: {
          wallet: connector.name,
          network: `${network.name} (${network.caipNetworkId})`,
          message: toSentence(error.details),
        },
      })
    throw error
  }
}

/** The first line of a wallet's message, as a sentence. */
function toSentence(message = ''): string {
  const [line = ''] = message.trim().split('\n')
  return line === '' || /[.!?]$/.test(line) ? line : `${line}.`
}

async function requestSwitch(connector: WagmiConnector, network: Network): Promise<void> {
  const chainId = Number(network.id)
  if ((await connector.getChainId()) === chainId) return
  const wallet =
    connector.type === 'injected'
      ? await injectedWallet(connector, network)
      : connectorWallet(connector, network)
  try {
    await wallet.switchChain().catch(async (error: unknown) => {
      if (isDeclined(error) || !wallet.addChain) throw error
      await wallet.addChain()
      if ((await connector.getChainId()) !== chainId) await wallet.switchChain()
    })
  } catch (cause) {
    throw isDeclined(cause)
      ? new UserRejectedError({ cause, request: 'Network change' })
      : new ChainNotSupportedError({ cause })
  }
  await assertSwitched(connector, chainId)
}

/**
 * Whether the visitor declined. Codes 5000 and -32603 do not count, because here they mean that the
 * chain is unknown.
 *
 * @see spec §4.6.3
 */
const isDeclined = (error: unknown) => hasCode(error, 4001, 'ACTION_REJECTED')

type Wallet = { switchChain(): Promise<unknown>; addChain?(): Promise<unknown> }

async function injectedWallet(connector: WagmiConnector, network: Network): Promise<Wallet> {
  const provider = (await connector.getProvider()) as EIP1193Provider
  const chainId = numberToHex(Number(network.id))
  return {
    switchChain: () =>
      provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] }),
    addChain: () =>
      provider.request({ method: 'wallet_addEthereumChain', params: [toAddedChain(network)] }),
  }
}

/** A wallet whose connector has its own `switchChain`, which also adds the chain. */
function connectorWallet(connector: WagmiConnector, network: Network): Wallet {
  return {
    async switchChain() {
      if (!connector.switchChain) throw new Error(`${connector.name} cannot switch networks.`)
      const { chainId: _, ...addEthereumChainParameter } = toAddedChain(network)
      await connector.switchChain({ chainId: Number(network.id), addEthereumChainParameter })
    },
  }
}

/**
 * The parameters of `wallet_addEthereumChain`. Uses the chain's public URLs, if any: the wallet stores
 * them, and the gateway's URLs are for this site only.
 *
 * @see EIP-3085; spec §7.13.1
 */
export function toAddedChain(network: Network) {
  const { name, nativeCurrency, rpcUrls, blockExplorers } = network
  const publicUrls = rpcUrls.chainDefault?.http ?? []
  return {
    chainId: numberToHex(Number(network.id)),
    chainName: name,
    nativeCurrency,
    rpcUrls: publicUrls.length > 0 ? publicUrls : rpcUrls.default.http,
    ...(blockExplorers && { blockExplorerUrls: [blockExplorers.default.url] }),
  }
}

/** @throws {ChainNotSupportedError} the wallet reported success but is on another chain */
async function assertSwitched(connector: WagmiConnector, chainId: number): Promise<void> {
  const end = Date.now() + settleMs
  for (;;) {
    const now = await connector.getChainId()
    if (now === chainId) return
    if (Date.now() >= end)
      throw new ChainNotSupportedError({
        cause: new Error(`${connector.name} reported a switch to ${chainId} but is on ${now}.`),
      })
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}
