import { CaipAddress, CaipNetworkId } from '@gatefold/protocol'
import type { ChainNamespace } from '@gatefold/protocol'
import type { Session } from '@gatefold/sign'

import type { SessionGrant, SessionState } from '../../core/connection/Session.ts'

/**
 * Reads what a session grants for each chain family, in every form that wallets use: by family
 * (`eip155`) or by chain (`eip155:1`), with or without a list of chains. Ignores accounts of another
 * family and accounts without an address.
 *
 * @param preferred - addresses in lower case by family; granted ones are put first
 * @see CAIP-25, CAIP-10; spec §3.19.1
 */
export function toGrants(
  namespaces: Session['namespaces'],
  preferred: { readonly [family: string]: readonly string[] } = {},
): SessionState['grants'] {
  const grants: Record<string, Grant> = {}
  for (const [key, grant] of Object.entries(namespaces)) {
    const family = CaipNetworkId.split(key)?.namespace ?? key
    const { accounts, networkIds, methods } = (grants[family] ??= {
      accounts: [],
      networkIds: new Set(),
      methods: new Set(),
    })
    for (const id of [key, ...(grant.chains ?? [])])
      if (CaipNetworkId.is(id) && id.startsWith(`${family}:`)) networkIds.add(id)
    for (const id of grant.accounts) {
      const account = CaipAddress.safeParse(id)
      if (account?.namespace !== family) continue
      networkIds.add(account.caipNetworkId)
      accounts.push({ address: account.address, caipNetworkId: account.caipNetworkId })
    }
    for (const method of grant.methods) methods.add(method)
  }
  return Object.fromEntries(
    Object.entries(grants).map(([family, { accounts, networkIds, methods }]) => {
      const rank = (address: string) => {
        const index = preferred[family]?.indexOf(address.toLowerCase()) ?? -1
        return index < 0 ? Number.MAX_SAFE_INTEGER : index
      }
      return [
        family as ChainNamespace.ChainNamespace,
        {
          accounts: accounts.toSorted((a, b) => rank(a.address) - rank(b.address)),
          networkIds: [...networkIds],
          methods: [...methods],
        } satisfies SessionGrant,
      ]
    }),
  )
}

type Grant = {
  accounts: { address: string; caipNetworkId: CaipNetworkId.CaipNetworkId }[]
  networkIds: Set<CaipNetworkId.CaipNetworkId>
  methods: Set<string>
}
