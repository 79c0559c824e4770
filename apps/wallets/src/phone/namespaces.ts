import { CaipAddress, CaipNetworkId } from '@gatefold/protocol'
import { buildApprovedNamespaces, type Namespaces, type Proposal } from '@gatefold/sign'
import type { Controls } from '../createControls.ts'
import type { PhoneFaults } from './PhoneFaults.ts'

/** Methods that the wallet supports over the relay. Apps send reads to the chains directly. */
const methods = [
  'eth_accounts',
  'eth_requestAccounts',
  'eth_sendTransaction',
  'eth_signTransaction',
  'eth_signTypedData_v4',
  'personal_sign',
  'wallet_addEthereumChain',
  'wallet_getCallsStatus',
  'wallet_getCapabilities',
  'wallet_sendCalls',
  'wallet_showCallsStatus',
  'wallet_switchEthereumChain',
  'wallet_watchAsset',
] as const

const events = ['accountsChanged', 'chainChanged'] as const

type Wallet = Pick<Controls, 'accounts' | 'account' | 'chains' | 'chainId' | 'faults'>

/** The addresses shown to apps, the selected one first. The `lieAboutAccount` fault applies. */
export function exposedAccounts({ accounts, account, faults }: Wallet): readonly string[] {
  if (faults.lieAboutAccount === 'none') return []
  if (faults.lieAboutAccount !== 'off') return [faults.lieAboutAccount]
  return accounts.toSorted((a, b) => rank(a) - rank(b))
  function rank(address: string) {
    return address === accounts[account] ? 0 : 1
  }
}

/**
 * The namespaces to grant for a proposal: the requested chains, methods and events that the wallet
 * supports.
 *
 * @throws {UnsatisfiableProposalError} if a required chain, method or event is not supported
 */
export function grant(
  proposal: Pick<Proposal, 'requiredNamespaces' | 'optionalNamespaces'>,
  wallet: Wallet,
  faults: PhoneFaults,
): Namespaces {
  const granted = buildApprovedNamespaces({
    proposal,
    supported: { eip155: entry(wallet.chains.map(({ id }) => id)) },
  })
  const { settleChains } = faults
  if (settleChains === 'requested' || !granted['eip155']) return granted
  const { accounts, chains } = entry(settleChains)
  return { eip155: { ...granted['eip155'], accounts, chains } }

  function entry(ids: readonly number[]) {
    const chains = ids.map(toCaip2)
    return { chains, accounts: toAccounts(chains, exposedAccounts(wallet)), methods, events }
  }
}

/** A session's namespaces with the wallet's current accounts and chain. */
export function withWallet(
  namespaces: Namespaces,
  wallet: { accounts: readonly string[]; chainId: number },
): Namespaces {
  const { accounts } = wallet
  const chain = toCaip2(wallet.chainId)
  const renewed = Object.fromEntries(
    Object.entries(namespaces).map(([key, entry]) => {
      if (!key.startsWith('eip155')) return [key, entry]
      const chains = chainsOf(entry)
      if (key === 'eip155' && !chains.includes(chain)) chains.push(chain)
      return [key, { ...entry, chains, accounts: toAccounts(chains, accounts) }]
    }),
  )
  if (chainIds(renewed).includes(wallet.chainId)) return renewed
  const [other] = Object.values(renewed)
  const own = { chains: [chain], accounts: toAccounts([chain], accounts) }
  return { ...renewed, [chain]: { methods: other?.methods ?? [], events, ...own } }
}

/** A session's namespaces for exactly the given EVM chains, with the wallet's current accounts. */
export function withChains(
  namespaces: Namespaces,
  wallet: Wallet,
  ids: readonly number[],
): Namespaces {
  const chains = ids.map(toCaip2)
  const entries = Object.entries(namespaces)
  const others = entries.filter(([key]) => !key.startsWith('eip155'))
  const own = entries.filter(([key]) => key.startsWith('eip155')).map(([, entry]) => entry)
  const all = (key: 'methods' | 'events') => [...new Set(own.flatMap((entry) => entry[key]))]
  return {
    ...Object.fromEntries(others),
    eip155: {
      chains,
      accounts: toAccounts(chains, exposedAccounts(wallet)),
      methods: all('methods'),
      events: all('events'),
    },
  }
}

/** A session's EVM chain ids. */
export function chainIds(namespaces: Namespaces): number[] {
  const chains = Object.values(namespaces).flatMap(chainsOf)
  return [...new Set(chains.flatMap((chain) => fromCaip2(chain) ?? []))]
}

/** A session's addresses, on one chain or on all chains, in the session's order. */
export function addressesOf(namespaces: Namespaces, chainId?: number): `0x${string}`[] {
  const accounts = Object.values(namespaces).flatMap((entry) => entry.accounts)
  const prefix = chainId === undefined ? 'eip155:' : `${toCaip2(chainId)}:`
  const found = accounts.filter((account) => account.startsWith(prefix))
  return [...new Set(found.map((account) => CaipAddress.toAddress(account) as `0x${string}`))]
}

/** Whether a session's namespaces include an event. */
export function supportsEvent(namespaces: Namespaces, event: string): boolean {
  return Object.values(namespaces).some((entry) => entry.events.includes(event))
}

/** Reads the chain id from a CAIP-2 id. @returns undefined for a chain outside `eip155` */
export function fromCaip2(chain: string): number | undefined {
  const { namespace, reference = '' } = CaipNetworkId.split(chain) ?? {}
  return namespace === 'eip155' && /^\d{1,15}$/.test(reference) ? Number(reference) : undefined
}

export function toCaip2(chainId: number): string {
  return `eip155:${chainId}`
}

function chainsOf(entry: Namespaces[string]): string[] {
  const named = entry.accounts.flatMap((account) => {
    const { namespace, reference } = CaipAddress.split(account) ?? {}
    return namespace ? `${namespace}:${reference}` : []
  })
  return [...new Set([...(entry.chains ?? []), ...named])]
}

function toAccounts(chains: readonly string[], addresses: readonly string[]): string[] {
  return chains.flatMap((chain) => addresses.map((address) => `${chain}:${address}`))
}
