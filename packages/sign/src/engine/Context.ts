import type { Keychain } from '../crypto/createKeychain.ts'
import type { Relayer } from '../relayer/Relayer.ts'
import type { Metadata } from '../Session.ts'
import type { Clock, SignClientOptions, SignEvents } from '../SignClient.ts'
import type { Verify } from '../verify/Verify.ts'
import type { Log } from './createLog.ts'
import type { Outcome } from './Engine.ts'
import type { RecentlyDeleted } from './state/recentlyDeleted.ts'
import type { RequestQueue } from './wallet/requestQueue.ts'
import type { Stores } from './state/stores.ts'

/** State shared by an engine's commands and message handlers. */
export type Context = {
  metadata: Metadata
  openLink: SignClientOptions['openLink']
  ethCall: SignClientOptions['ethCall']
  relay: Relayer
  keys: Keychain
  stores: Stores
  verify: Verify | undefined
  clock: Clock
  nextId: () => number
  queue: RequestQueue
  recentlyDeleted: RecentlyDeleted
  /** Events that tabs have reported with the command `listen`. */
  listened: Set<keyof SignEvents>
  /** Ids of requests that are being handled or sent. */
  handling: Set<number>
  /** Ids of requests and proposals to which a response is being sent. */
  answering: Set<number>
  log: Log
  /** Until this Unix time in ms, requests are sent without an attestation. */
  attestationPause: { untilMs: number }
  event: <name extends keyof SignEvents>(name: name, event: SignEvents[name]) => void
  /** Settles the request or proposal with this id. */
  resolve: (id: number, outcome: Outcome) => void
}

/** Unix time in seconds. */
export function nowSeconds({ clock }: Pick<Context, 'clock'>): number {
  return Math.floor(clock.now() / 1_000)
}

/** Unique ids: Unix time in ms and three more digits. @see docs/contracts/relay.md#client-messages */
export function createIds(clock: Clock): () => number {
  let last = 0
  return () => {
    const [random = 0] = crypto.getRandomValues(new Uint16Array(1))
    last = Math.max(clock.now() * 1_000 + (random % 1_000), last + 1)
    return last
  }
}
