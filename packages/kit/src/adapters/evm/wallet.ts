import { createClient, custom, getAddress, isAddressEqual } from 'viem'
import type { Address, Client, EIP1193Provider } from 'viem'

import { NotConnectedError, TransactionError } from '../../core/kit/requestErrors.ts'
import { findConnection } from './context.ts'
import type { Evm, WagmiConnector } from './context.ts'

/** The connected wallet with its current account and chain. */
export type Wallet = {
  connector: WagmiConnector
  provider: EIP1193Provider
  account: Address
  chainId: number
  /** A viem client that uses the wallet's provider. */
  client: Client
}

/**
 * The connected wallet with its current accounts and chain. They are read again, because some wallets
 * change them without an event. A change is emitted.
 *
 * @throws {NotConnectedError} no wallet is connected, or the wallet no longer exposes accounts
 * @throws {TransactionError} the wallet does not hold `address` or, without it, the account that the page shows
 * @see docs/threats.md#misbehaving-wallets
 */
export async function getWallet(
  evm: Evm,
  parameters: { address?: string | undefined; connectorId?: string | undefined } = {},
): Promise<Wallet> {
  const { config } = evm
  const connection = findConnection(evm, parameters.connectorId)
  if (!connection) throw new NotConnectedError()
  const { connector } = connection
  const { uid } = connector
  const { events } = config._internal
  const [accounts, chainId, provider] = await Promise.all([
    connector.getAccounts(),
    connector.getChainId(),
    connector.getProvider() as Promise<EIP1193Provider>,
  ])
  if (accounts.length === 0) {
    if (config.state.connections.has(uid)) events.disconnect({ uid })
    throw new NotConnectedError()
  }
  const account = getAddress(parameters.address ?? connection.accounts[0]!)
  const has = accounts.some((address) => isAddressEqual(address, account))
  if (chainId !== connection.chainId || !has)
    events.change({ uid, chainId, ...(!has && { accounts }) })
  if (!has)
    throw new TransactionError(`${connector.name} does not hold the account ${account}`, {
      details: `It exposes ${accounts.join(', ')}.`,
    })
  const chain = config.chains.find(({ id }) => id === chainId)
  const client = connector.getClient
    ? await connector.getClient({ chainId })
    : createClient({
        account,
        chain,
        name: 'Connector Client',
        // A retry would show the visitor the same request again.
        transport: (options) => custom(provider)({ ...options, retryCount: 0 }),
      })
  return { connector, provider, account, chainId, client }
}
