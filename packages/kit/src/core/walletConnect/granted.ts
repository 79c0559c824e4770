import type { CaipNetworkId, ChainNamespace } from '@gatefold/protocol'
import type { Session } from '@gatefold/sign'

import type { Connection } from '../connection/Connector.ts'
import { walletConnectId } from './WalletConnect.ts'

/** What a wallet granted to one chain family. */
export type Granted = {
  /** In the wallet's order. `chainId` as in CAIP-2, without the family. */
  accounts: readonly { chainId: string; address: string }[]
  /** Chains without the family. */
  chains: ReadonlySet<string>
  methods: ReadonlySet<string>
}

/**
 * Reads what a session grants to a chain family, however the wallet wrote it: under the family
 * (`eip155`), under single chains (`eip155:1`), with or without a list of chains.
 *
 * @see CAIP-25, CAIP-10; spec §3.19.1
 */
export function granted(session: Session, namespace: string): Granted {
  const accounts: { chainId: string; address: string }[] = []
  const chains = new Set<string>()
  const methods = new Set<string>()
  const chainOf = (id: string) => {
    const [family, chainId, rest] = id.split(':')
    return family === namespace && chainId ? { chainId, rest } : undefined
  }
  for (const [key, grant] of Object.entries(session.namespaces)) {
    const own = chainOf(key)
    if (key !== namespace && !own) continue
    if (own) chains.add(own.chainId)
    for (const id of grant.chains ?? []) {
      const chain = chainOf(id)
      if (chain) chains.add(chain.chainId)
    }
    for (const id of grant.accounts) {
      const account = chainOf(id)
      if (!account?.rest) continue
      chains.add(account.chainId)
      accounts.push({ chainId: account.chainId, address: account.rest })
    }
    for (const method of grant.methods) methods.add(method)
  }
  return { accounts, chains, methods }
}

/**
 * The connection that a session alone makes to a chain family: its accounts on one chain.
 *
 * @param parameters.caipNetworkId - the chain in use, which stays so while it is granted
 * @param parameters.named - addresses in lower case that the wallet says are in use; they come first,
 *   where they are granted
 * @returns undefined where the session grants the family no account
 */
export function connectionOf(
  session: Session,
  namespace: ChainNamespace.ChainNamespace,
  parameters: {
    caipNetworkId?: CaipNetworkId.CaipNetworkId | undefined
    named?: readonly string[] | undefined
  } = {},
): Connection | undefined {
  const { caipNetworkId, named = [] } = parameters
  const all = granted(session, namespace).accounts.map(
    ({ chainId, address }) => ({ address, chain: `${namespace}:${chainId}` }) as const,
  )
  const { chain } = all.find((account) => account.chain === caipNetworkId) ?? all[0] ?? {}
  if (!chain) return undefined
  const rank = (address: string) => (named.includes(address.toLowerCase()) ? 0 : 1)
  return {
    connectorId: walletConnectId,
    accounts: all
      .flatMap((account) => (account.chain === chain ? account.address : []))
      .toSorted((one, other) => rank(one) - rank(other))
      .map((address) => ({ namespace, address, type: 'eoa' })),
    caipNetworkId: chain,
  }
}
