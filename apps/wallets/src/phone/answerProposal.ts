import {
  getReason,
  type Proposal,
  reasons,
  UnsatisfiableProposalError,
  type VerifyContext,
} from '@gatefold/sign'
import type { Subject } from '../provider/Subject.ts'
import { chainIds, fromCaip2, grant } from './namespaces.ts'
import { type Phone, toReason } from './Phone.ts'
import { originOf, toApp } from './toApp.ts'

/**
 * Asks about a session that an app proposes, and settles or rejects it. What the wallet cannot do is
 * rejected without asking.
 *
 * @throws when the relay does not take the answer; the proposal then still waits.
 */
export async function answerProposal(
  phone: Phone,
  proposal: Proposal,
  verifyContext: VerifyContext,
  signal: AbortSignal,
): Promise<void> {
  const { sign, wallet, faults } = phone
  const { id } = proposal
  const app = toApp(proposal.proposer.metadata, verifyContext)
  const asked = {
    method: 'wc_sessionPropose',
    params: [proposal],
    origin: originOf(app),
    app,
    signal,
  }
  try {
    await wallet.ask(asked, subjectOf(phone, proposal))
  } catch (error) {
    if (signal.aborted) return
    const isUnable = error instanceof UnsatisfiableProposalError
    if (isUnable) phone.tell(error)
    const reason = isUnable
      ? getReason('UNSUPPORTED_CHAINS')
      : toReason(error, reasons.USER_REJECTED)
    await sign.reject({ id, reason })
    return
  }
  // Built only now: account and faults may have changed while the question was open.
  const namespaces = grant(proposal, wallet.controls, faults)
  const { acknowledged } = await sign.approve({ id, namespaces })
  // The app may still refuse the terms; the session is then gone again.
  acknowledged().catch((error: unknown) => phone.tell(error))
}

function subjectOf(phone: Phone, proposal: Proposal): Subject {
  const honest = { settleChains: 'asked', answerTwice: false } as const
  const { eip155 } = grant(proposal, phone.wallet.controls, honest)
  const asked = { ...proposal.requiredNamespaces, ...proposal.optionalNamespaces }
  const all = Object.entries(asked).flatMap(([key, { chains }]) => chains ?? [key])
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
