import { BaseError } from '@gatefold/protocol'
import type { Namespaces, Proposal } from './Session.ts'
import { chainOf, familyOf, findUnsatisfied, mergeNamespaces } from './namespaces.ts'

/**
 * Builds the namespaces to approve: those that the proposal requests, as required or optional, and the wallet
 * supports. For a proposal without namespaces, all supported ones.
 *
 * @param supported - by namespace (`eip155`); `chains` defaults to the chains of the accounts
 * @throws {UnsatisfiableProposalError} if a required permission, or every requested chain, is not supported
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

  const requested = mergeNamespaces(proposal.requiredNamespaces, proposal.optionalNamespaces)
  if (Object.keys(requested).length === 0) return all
  const approved: Namespaces = {}
  for (const [key, entry] of Object.entries(all)) {
    const wanted = requested[familyOf(key)]
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
      `None of the requested chains is supported: ${Object.values(requested)
        .flatMap(({ chains }) => chains ?? [])
        .join(', ')}`,
    )
  return approved
}

/**
 * The wallet does not support a required permission, or none of the requested chains. Reject the proposal, for
 * example with `UNSUPPORTED_CHAINS`.
 */
export class UnsatisfiableProposalError extends BaseError {
  override name = 'UnsatisfiableProposalError'
  constructor(why: string) {
    super(`Non conforming namespaces. ${why}`, {
      code: 'sign.non_conforming_namespaces',
      docsPath: 'docs/sign.md#a-wallet',
    })
  }
}
