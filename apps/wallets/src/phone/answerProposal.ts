import {
  getReason,
  type Proposal,
  reasons,
  UnsatisfiableProposalError,
  type VerifyContext,
} from '@gatefold/sign'
import type { RequestDetails } from '../provider/RequestDetails.ts'
import { chainIds, fromCaip2, grant } from './namespaces.ts'
import { type Phone, toReason } from './Phone.ts'
import { noPhoneFaults } from './PhoneFaults.ts'
import { originOf, toRequestingApp } from './toRequestingApp.ts'

/**
 * Requests approval of a session proposal, then settles or rejects it. A proposal that the wallet
 * cannot satisfy is rejected without a prompt.
 *
 * @throws if the relay does not accept the response; the proposal then stays pending.
 */
export async function answerProposal(
  phone: Phone,
  proposal: Proposal,
  verifyContext: VerifyContext,
  signal: AbortSignal,
): Promise<void> {
  const { sign, wallet, faults } = phone
  const { id } = proposal
  const app = toRequestingApp(proposal.proposer.metadata, verifyContext)
  const incoming = {
    method: 'wc_sessionPropose',
    params: [proposal],
    origin: originOf(app),
    app,
    signal,
  }
  try {
    await wallet.requestApproval(incoming, detailsOf(phone, proposal))
  } catch (error) {
    if (signal.aborted) return
    const isUnable = error instanceof UnsatisfiableProposalError
    if (isUnable) phone.reportError(error)
    const reason = isUnable
      ? getReason('UNSUPPORTED_CHAINS')
      : toReason(error, reasons.USER_REJECTED)
    await sign.reject({ id, reason })
    return
  }
  // Computed after the approval, because account and faults may have changed in the meantime.
  const namespaces = grant(proposal, wallet.controls, faults)
  const { acknowledged } = await sign.approve({ id, namespaces })
  // The app may still reject the namespaces, which ends the session.
  acknowledged().catch((error: unknown) => phone.reportError(error))
}

function detailsOf(phone: Phone, proposal: Proposal): RequestDetails {
  const { eip155 } = grant(proposal, phone.wallet.controls, noPhoneFaults)
  const requested = { ...proposal.requiredNamespaces, ...proposal.optionalNamespaces }
  const all = Object.entries(requested).flatMap(([key, { chains }]) => chains ?? [key])
  const chains = eip155 ? chainIds({ eip155 }) : []
  return {
    kind: 'session',
    chains,
    unknownChains: [...new Set(all)].filter((chain) => {
      const chainId = fromCaip2(chain)
      return chain.includes(':') && (chainId === undefined || !chains.includes(chainId))
    }),
    methods: eip155?.methods ?? [],
  }
}
