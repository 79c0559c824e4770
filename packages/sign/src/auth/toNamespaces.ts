import { splitDidPkh } from '@gatefold/protocol'
import { chainOf, familyOf, unique } from '../namespaces.ts'
import type { Cacao, Namespaces } from '../Session.ts'
import { getAuthMethods } from './recap.ts'
import { grantedChains } from './terms.ts'

/** The namespaces that signed authorizations grant; undefined if they grant no method. */
export function toNamespaces(cacaos: readonly Cacao[]): Namespaces | undefined {
  const methods: string[] = []
  const accounts: string[] = []
  for (const { p } of cacaos) {
    const account = splitDidPkh(p.iss)
    if (!account) continue
    methods.push(...getAuthMethods(p))
    accounts.push(...(grantedChains(p) ?? []).map((chain) => `${chain}:${account.address}`))
  }
  if (methods.length === 0) return undefined
  const namespaces: Record<string, Namespaces[string]> = {}
  for (const family of unique(accounts.map((account) => familyOf(chainOf(account))))) {
    const own = unique(accounts.filter((account) => familyOf(chainOf(account)) === family))
    namespaces[family] = {
      chains: unique(own.map(chainOf)),
      accounts: own,
      methods: unique(methods),
      events: ['chainChanged', 'accountsChanged'],
    }
  }
  return namespaces
}
