import type { RequiredNamespaces } from '@gatefold/sign'

import type { ConnectorContext } from '../../core/connection/Connector.ts'

/** Methods to propose for families whose adapter declares none. Wallets approve those that they support. */
const methods: Record<string, readonly string[]> = {
  eip155: [
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
    'wallet_watchAsset',
    'wallet_getCapabilities',
    'wallet_sendCalls',
    'wallet_getCallsStatus',
    'wallet_showCallsStatus',
    'wallet_grantPermissions',
    'wallet_revokePermissions',
    'wallet_getAssets',
  ],
  solana: [
    'solana_signMessage',
    'solana_signTransaction',
    'solana_signAllTransactions',
    'solana_signAndSendTransaction',
    'solana_requestAccounts',
    'solana_getAccounts',
  ],
  bip122: ['sendTransfer', 'signMessage', 'signPsbt', 'getAccountAddresses'],
}

const events = ['accountsChanged', 'chainChanged'] as const

/**
 * The namespaces of a proposal: all configured networks, as optional chains, because wallets reject
 * unknown required chains. Leaves out families whose methods are not known.
 *
 * @see CAIP-25; spec §6.3.1, §7.13
 */
export function toNamespaces(
  context: Pick<ConnectorContext, 'networks' | 'methods'>,
): RequiredNamespaces {
  const namespaces: Record<string, { chains: string[]; methods: string[]; events: string[] }> = {}
  for (const { chainNamespace, caipNetworkId, deprecatedCaipNetworkId } of context.networks()) {
    const known = context.methods(chainNamespace) ?? methods[chainNamespace]
    if (!known) continue
    const namespace = (namespaces[chainNamespace] ??= {
      chains: [],
      methods: [...known],
      events: [...events],
    })
    namespace.chains.push(caipNetworkId)
    // Some wallets only know Solana's legacy chain id.
    if (deprecatedCaipNetworkId) namespace.chains.push(deprecatedCaipNetworkId)
  }
  return namespaces
}
