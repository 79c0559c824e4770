import { CaipAddress, CaipNetworkId } from '@gatefold/protocol'
import type { ChainNamespace } from '@gatefold/protocol'
import type { Session } from '@gatefold/sign'

import type { SessionGrant, SessionState } from '../../core/connection/Session.ts'

/** Maximum number of a family's accounts that are used. The wallet chooses how many it sends. */
export const maxAccounts = 2_000

/**
 * Reads what a session grants for each chain family, in every form that wallets use: by family
 * (`eip155`) or by chain (`eip155:1`), with or without a list of chains. Ignores accounts of another
 * family, accounts without an address, EVM accounts whose chain id is not a number, and accounts above the
 * maximum.
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
      if (account?.namespace !== family || accounts.length >= maxAccounts) continue
      if (family === 'eip155' && !isChainId(account.reference)) continue
      networkIds.add(account.caipNetworkId)
      accounts.push({ address: account.address, caipNetworkId: account.caipNetworkId })
    }
    for (const method of grant.methods) methods.add(method)
  }
  return Object.fromEntries(
    Object.entries(grants).map(([family, { accounts, networkIds, methods }]) => {
      // A search in the list for each comparison would freeze the page.
      const order = new Map(
        preferred[family]?.map((address, index) => [address, index] as const).toReversed(),
      )
      const rank = (address: string) => order.get(address.toLowerCase()) ?? Number.MAX_SAFE_INTEGER
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

function isChainId(reference: string): boolean {
  const id = Number(reference)
  return Number.isSafeInteger(id) && id > 0 && String(id) === reference
}
