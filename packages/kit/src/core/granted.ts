import type { Session } from '@gatefold/sign'

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
