import * as v from 'valibot'
import { chainsOf } from '../../namespaces.ts'
import {
  AuthPayload,
  Participant,
  Properties,
  ProposedNamespaces,
  Relay,
  Seconds,
} from '../state/schemas.ts'

// Schemas for the params of methods that only wallets receive.

/** Maximum number of entries in the required, and in the optional, namespaces of a proposal. */
const proposedEntries = 500
/** Maximum number of their chains. */
const proposedChains = 5_000
/** Maximum number of methods, and of events, in an entry. */
const entryActions = 500

/** Limited, because comparing namespaces takes time in proportion to the product of chains and methods. */
const PeerNamespaces = v.pipe(
  ProposedNamespaces,
  v.check((namespaces) => {
    const entries = Object.entries(namespaces)
    const chains = entries.reduce((sum, [key, entry]) => sum + chainsOf(key, entry).length, 0)
    return (
      entries.length <= proposedEntries &&
      chains <= proposedChains &&
      entries.every(
        ([, { methods, events }]) => Math.max(methods.length, events.length) <= entryActions,
      )
    )
  }),
)

export const ProposeParams = v.object({
  expiryTimestamp: v.optional(Seconds),
  requiredNamespaces: v.optional(PeerNamespaces, {}),
  optionalNamespaces: v.optional(PeerNamespaces, {}),
  relays: v.optional(v.array(Relay), [{ protocol: 'irn' }]),
  proposer: Participant,
  sessionProperties: Properties,
  scopedProperties: Properties,
})

export const AuthenticateParams = v.object({
  authPayload: AuthPayload,
  requester: Participant,
  expiryTimestamp: Seconds,
})
