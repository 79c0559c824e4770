import type { Session, SignClient } from '@gatefold/sign'

import type { Memory } from './memory.ts'
import type { Offered } from './readSession.ts'

/** What another tab needs to note a session that it has waited for, in ms. */
const noteMs = 1_000

/**
 * Takes the session that a wallet makes of what an earlier page offered: a phone's system drops the
 * page while the wallet is in front. Where it was given up since then, or another wallet was quicker,
 * the session is ended, so that the wallet does not go on believing in it.
 *
 * @param parameters.topics - the pairings that were offered before this page
 */
export function takeLate(parameters: {
  topics: readonly string[]
  sign: Pick<SignClient, 'on' | 'ready' | 'sessions'>
  memory: Pick<Memory, 'read' | 'offered'>
  take: (made: Session, late: Offered) => unknown
  leave: (topic: string) => unknown
}): void {
  const { topics, sign, memory, take, leave } = parameters
  function look(made: Session): void {
    const { topic, pairingTopic } = made
    if (!topics.includes(pairingTopic)) return
    const offered = memory.offered()
    if (offered?.topics.includes(pairingTopic)) take(made, offered)
    else
      setTimeout(() => {
        if (memory.read()?.topic !== topic) leave(topic)
      }, noteMs)
  }
  sign.on('session_connect', ({ session }) => look(session))
  // The wallet may have been quicker than this page. Without an engine there is nothing to take.
  sign.ready().then(
    () => sign.sessions().forEach(look),
    () => {},
  )
}
