import { BaseError } from '@gatefold/protocol'
import type { Namespaces, Proposal } from './Session.ts'
import { chainOf, familyOf, findUnsatisfied, mergeNamespaces } from './namespaces.ts'

/**
 * What a wallet may grant to a proposal: of what is asked, required and optional, what it supports.
 * A proposal that asks for nothing in particular gets all.
 *
 * @param supported - By family (`eip155`); `chains` may be left out, then those of the accounts.
 * @throws {UnsatisfiableProposalError} when something required is not supported.
 * @example
 * const namespaces = buildApprovedNamespaces({
 *   proposal: event.params,
 *   supported: { eip155: { accounts: ['eip155:1:0x…'], methods: ['personal_sign'], events: [] } },
 * })
 * await client.approve({ id: event.id, namespaces })
 */
export function buildApprovedNamespaces(parameters: {
  proposal: Pick<Proposal, 'requiredNamespaces' | 'optionalNamespaces'>
  supported: Namespaces
}): Namespaces {
  const { proposal, supported } = parameters
  const all = Object.fromEntries(
    Object.entries(supported).map(([key, entry]) => [
      key,
      { ...entry, chains: entry.chains ?? [...new Set(entry.accounts.map(chainOf))] },
    ]),
  )
  const unsatisfied = findUnsatisfied(proposal.requiredNamespaces, all, 'approve()')
  if (unsatisfied) throw new UnsatisfiableProposalError(unsatisfied)

  const asked = mergeNamespaces(proposal.requiredNamespaces, proposal.optionalNamespaces)
  if (Object.keys(asked).length === 0) return all
  const approved: Namespaces = {}
  for (const [key, entry] of Object.entries(all)) {
    const wanted = asked[familyOf(key)]
    if (!wanted) continue
    const accounts = entry.accounts.filter((account) => wanted.chains?.includes(chainOf(account)))
    if (accounts.length === 0) continue
    approved[key] = {
      chains: entry.chains.filter((chain) => wanted.chains?.includes(chain)),
      accounts,
      methods: entry.methods.filter((method) => wanted.methods.includes(method)),
      events: entry.events.filter((event) => wanted.events.includes(event)),
    }
  }
  if (Object.keys(approved).length === 0)
    throw new UnsatisfiableProposalError(
      `None of the chains asked for is supported: ${Object.values(asked)
        .flatMap(({ chains }) => chains ?? [])
        .join(', ')}`,
    )
  return approved
}

/** A wallet cannot give what a proposal requires. Reject it with `reasons.UNSUPPORTED_CHAINS` or alike. */
export class UnsatisfiableProposalError extends BaseError {
  override name = 'UnsatisfiableProposalError'
  constructor(why: string) {
    super(`Non conforming namespaces. ${why}`, {
      code: 'sign.non_conforming_namespaces',
      docsPath: 'docs/sign.md#as-a-wallet',
    })
  }
}
