import type { Keychain } from '../crypto/createKeychain.ts'
import type { Relayer } from '../relayer/Relayer.ts'
import type { Metadata } from '../Session.ts'
import type { Clock, SignClientOptions, SignEvents } from '../SignClient.ts'
import type { Verify } from '../verify/Verify.ts'
import type { Outcome } from './Engine.ts'
import type { RecentlyDeleted } from './state/recentlyDeleted.ts'
import type { RequestQueue } from './wallet/requestQueue.ts'
import type { Stores } from './state/stores.ts'

/** What every command and every handler of an engine works with. */
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
  /** What some tab listens to. */
  listened: Set<keyof SignEvents>
  /** Ids of requests whose handling, or sending, is under way. */
  handling: Set<number>
  /** Ids of what is being answered by this side. */
  answering: Set<number>
  /** Until then, Unix time in ms, requests do not wait for an attestation. */
  attestationPause: { untilMs: number }
  event: <name extends keyof SignEvents>(name: name, event: SignEvents[name]) => void
  /** The answer to what has this id. */
  settle: (id: number, outcome: Outcome) => void
}

/** Unix time in seconds. */
export function nowSeconds({ clock }: Pick<Context, 'clock'>): number {
  return Math.floor(clock.now() / 1_000)
}

/** Ids of this protocol, each once: the time in ms and three more digits. @see contract of the relay, 4 */
export function createIds(clock: Clock): () => number {
  let last = 0
  return () => {
    const [random = 0] = crypto.getRandomValues(new Uint16Array(1))
    last = Math.max(clock.now() * 1_000 + (random % 1_000), last + 1)
    return last
  }
}
