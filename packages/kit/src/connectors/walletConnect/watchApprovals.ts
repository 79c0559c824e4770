import type { Session, SignClient } from '@gatefold/sign'

import type { ProposalRecord } from './records.ts'
import type { Records } from './createRecords.ts'

/** How long to wait for another tab to record a session that it requested, in ms. */
const recordMs = 1_000

/**
 * Adopts sessions approved for an earlier page's proposal, because phones may discard the page while the
 * wallet is in front. If the proposal was aborted or another wallet's session was adopted, ends the
 * session, so that the wallet does not keep it.
 *
 * @param parameters.topics - pairing topics of the earlier page's proposal
 */
export function watchApprovals(parameters: {
  topics: readonly string[]
  sign: Pick<SignClient, 'on' | 'ready' | 'sessions'>
  records: Pick<Records, 'session' | 'proposal'>
  adopt: (session: Session, proposal: ProposalRecord) => unknown
  end: (topic: string) => unknown
}): void {
  const { topics, sign, records, adopt, end } = parameters
  function check(session: Session): void {
    const { topic, pairingTopic } = session
    if (!topics.includes(pairingTopic)) return
    const proposal = records.proposal()
    if (proposal?.topics.includes(pairingTopic)) adopt(session, proposal)
    else
      setTimeout(() => {
        if (records.session()?.topic !== topic) end(topic)
      }, recordMs)
  }
  sign.on('session_connect', ({ session }) => check(session))
  // The wallet may have approved before this page started. If the client fails to start, there are no sessions.
  sign.ready().then(
    () => sign.sessions().forEach(check),
    () => {},
  )
}
