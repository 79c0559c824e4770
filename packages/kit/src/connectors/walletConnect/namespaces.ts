import type { RequiredNamespaces } from '@gatefold/sign'

import type { Network } from '../../core/networks/Network.ts'

/** What a wallet is asked to allow, by chain family. Wallets grant what they know of it. */
const methods: Record<string, readonly string[]> = {
  eip155: [
    'eth_accounts',
    'eth_requestAccounts',
    'eth_sendRawTransaction',
    'eth_sign',
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
 * The namespaces of a proposal: every configured network, all of them optional, since wallets turn
 * down what they are required to know and do not.
 *
 * @see CAIP-25; spec §6.3.1, §7.13
 */
export function toNamespaces(networks: readonly Network[]): RequiredNamespaces {
  const namespaces: Record<string, { chains: string[]; methods: string[]; events: string[] }> = {}
  for (const { chainNamespace, caipNetworkId, deprecatedCaipNetworkId } of networks) {
    const known = methods[chainNamespace]
    if (!known) continue
    const namespace = (namespaces[chainNamespace] ??= {
      chains: [],
      methods: [...known],
      events: [...events],
    })
    namespace.chains.push(caipNetworkId)
    // Wallets that know Solana by its older name only.
    if (deprecatedCaipNetworkId) namespace.chains.push(deprecatedCaipNetworkId)
  }
  return namespaces
}
