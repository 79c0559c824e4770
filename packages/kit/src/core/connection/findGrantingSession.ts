import type { ChainNamespace } from '@gatefold/protocol'

import type { State } from '../kit/state.ts'
import type { SessionGrant, SessionState } from './Session.ts'

/** Finds a session that grants accounts of a chain family, whether or not the family has an adapter. */
export function findGrantingSession(
  state: Pick<State, 'sessions'>,
  namespace: ChainNamespace.ChainNamespace,
): SessionState | undefined {
  return Object.values(state.sessions).find(
    (session) => !session.end && session.grants[namespace]?.accounts.length,
  )
}

/** The first account that a session grants on a chain family without an adapter. */
export function getGrantedAccount(
  state: Pick<State, 'chains' | 'sessions'>,
  namespace: ChainNamespace.ChainNamespace,
): SessionGrant['accounts'][number] | undefined {
  if (state.chains[namespace]) return undefined
  return findGrantingSession(state, namespace)?.grants[namespace]?.accounts[0]
}
