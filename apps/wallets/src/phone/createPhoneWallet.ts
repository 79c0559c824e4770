import type { Namespaces, Session, SignClient, SignEvents } from '@gatefold/sign'
import type { DemoWallet } from '../createDemoWallet.ts'
import type { WalletStorage } from '../provider/memory.ts'
import { answerProposal } from './answerProposal.ts'
import { answerRequest } from './answerRequest.ts'
import { answerSignIn } from './answerSignIn.ts'
import { createQuestions } from './createQuestions.ts'
import { createTeller } from './createTeller.ts'
import type { Phone } from './Phone.ts'
import { noPhoneFaults, type PhoneFaults } from './PhoneFaults.ts'
import { createPhoneMemory } from './phoneMemory.ts'
import { readUri } from './readUri.ts'

/**
 * Makes a wallet that apps reach over a relay: sessions, requests and sign-ins go to a demo wallet,
 * which holds the keys, asks whoever approves, and has the faults. Runs in Node as well as in a browser.
 *
 * Approve and reject through `wallet.controls`: a proposal waits there as `wc_sessionPropose`, a
 * sign-in as `wc_sessionAuthenticate`, a request under its own method.
 *
 * @example
 * const sign = createSignClient({ relayUrl, metadata })
 * const phone = createPhoneWallet({ sign, wallet: createTestWallet({ chains }) })
 * await phone.pair(uri)
 * phone.wallet.controls.switchAccount(1) // the app hears accountsChanged
 */
export function createPhoneWallet(options: createPhoneWallet.Options): PhoneWallet {
  const { sign, wallet } = options
  const storage = options.storage ?? (options.storageKey ? globalThis.localStorage : undefined)
  const memory = createPhoneMemory({ key: options.storageKey, storage })
  const faults: PhoneFaults = { ...noPhoneFaults, ...options.faults }
  const watchers = new Set<() => void>()
  const questions = createQuestions()
  let relay: SignEvents['relay'] = { status: 'idle' }
  let trouble: unknown
  let awaited: string | undefined
  let closed = false

  const changed = () => {
    for (const watcher of Array.from(watchers)) watcher()
  }
  const phone: Phone = {
    sign,
    wallet,
    faults,
    memory,
    tell(error) {
      if (closed) return
      trouble = error
      changed()
    },
  }
  const sessions = () => sign.sessions().filter(({ topic }) => !memory.isDropped(topic))
  const teller = createTeller(phone, sessions)

  /** Opens a question once; one the relay did not take the answer of is opened again by `resume`. */
  async function answer(id: number, topic: string, run: (signal: AbortSignal) => Promise<void>) {
    if (closed || memory.isDropped(topic)) return
    const signal = questions.start(id, topic)
    if (!signal) return
    if (topic === awaited) awaited = undefined
    try {
      await run(signal)
    } catch (error) {
      if (!signal.aborted) phone.tell(error)
    } finally {
      questions.end(id)
      if (!closed) void teller.look()
      changed()
    }
  }
  const onProposal = ({ id, params, verifyContext }: SignEvents['session_proposal']) =>
    void answer(id, params.pairingTopic, (signal) =>
      answerProposal(phone, params, verifyContext, signal),
    )
  const onSignIn = ({ id, params }: Pick<SignEvents['session_authenticate'], 'id' | 'params'>) =>
    void answer(id, params.pairingTopic, (signal) => answerSignIn(phone, params, signal))
  const onRequest = (request: SignEvents['session_request']) =>
    void answer(request.id, request.topic, (signal) => answerRequest(phone, request, signal))
  const onSessionEnd = ({ topic }: { topic: string }) => {
    questions.takeBackAll(topic)
    memory.forget(topic)
    teller.forget(topic)
    changed()
  }

  /** Takes up what is stored and not answered: from before a reload, or while the relay was away. */
  function resume() {
    const signIns = sign.pendingAuthRequests()
    for (const params of signIns) onSignIn({ id: params.id, params })
    for (const proposal of sign.proposals()) {
      // A sign-in comes with a proposal for wallets that know none.
      if (signIns.some(({ pairingTopic }) => pairingTopic === proposal.pairingTopic)) continue
      const { id, verifyContext } = proposal
      onProposal({ id, params: proposal, verifyContext })
    }
    for (const request of sign.pendingRequests()) onRequest(request)
    void teller.look()
  }

  const stops = [
    sign.on('session_proposal', onProposal),
    sign.on('session_authenticate', onSignIn),
    sign.on('session_request', onRequest),
    sign.on('session_connect', changed),
    sign.on('session_delete', onSessionEnd),
    sign.on('session_expire', onSessionEnd),
    sign.on('proposal_expire', ({ id }) => questions.takeBack(id)),
    sign.on('session_request_expire', ({ id }) => questions.takeBack(id)),
    sign.on('relay', (next) => {
      relay = next
      if (next.status === 'connected') resume()
      changed()
    }),
    wallet.controls.watch(() => {
      void teller.look()
      changed()
    }),
  ]
  const starting = sign.ready().then(() => {
    if (closed) return
    resume()
    changed()
  })
  starting.catch((error: unknown) => phone.tell(error))

  return {
    sign,
    wallet,
    faults,
    get sessions() {
      return sessions()
    },
    get relay() {
      return relay
    },
    get awaited() {
      return awaited
    },
    get trouble() {
      return trouble
    },
    ready: () => starting,
    set(next) {
      Object.assign(faults, next)
      changed()
    },
    reset() {
      Object.assign(faults, noPhoneFaults)
      wallet.controls.reset()
    },
    dismiss() {
      trouble = undefined
      awaited = undefined
      changed()
    },
    retry() {
      trouble = undefined
      resume()
      changed()
    },
    async pair(text) {
      const { uri, topic } = readUri(text, Date.now())
      awaited = topic
      changed()
      try {
        await sign.pair({ uri })
      } catch (error) {
        if (awaited === topic) awaited = undefined
        changed()
        throw error
      }
    },
    async disconnect(topic) {
      await sign.disconnect({ topic })
      onSessionEnd({ topic })
    },
    drop(topic) {
      memory.drop(topic)
      questions.takeBackAll(topic)
      changed()
    },
    async update(topic, namespaces) {
      const { acknowledged } = await sign.update({ topic, namespaces })
      await acknowledged()
    },
    watch(listener) {
      watchers.add(listener)
      return () => void watchers.delete(listener)
    },
    destroy() {
      closed = true
      for (const stop of stops) stop()
      questions.takeBackAll()
      watchers.clear()
    },
  }
}

export declare namespace createPhoneWallet {
  type Options = {
    /** The wallet's side of the protocol. Stays the caller's: `destroy` does not close it. */
    sign: SignClient
    /** Keys, approvals and faults. Stays the caller's, too. */
    wallet: DemoWallet
    faults?: Partial<PhoneFaults>
    /** Remembers dropped sessions and answers on their way under this key. */
    storageKey?: string
    /** `localStorage` by default; used only with a `storageKey`. */
    storage?: WalletStorage
  }
}

export type PhoneWallet = {
  readonly sign: SignClient
  readonly wallet: DemoWallet
  readonly faults: Readonly<PhoneFaults>
  /** The sessions the wallet knows of, those it dropped left out. */
  readonly sessions: readonly Session[]
  /** The way to the relay. */
  readonly relay: SignEvents['relay']
  /** Topic of the pairing that was taken up and has asked for nothing so far. */
  readonly awaited: string | undefined
  /** What went wrong last, until it is dismissed. */
  readonly trouble: unknown
  /** Resolves once earlier sessions and open questions are there. */
  ready(): Promise<void>
  /** Turns switches; those left out stay as they are. The wallet's own are in `wallet.controls`. */
  set(faults: Partial<PhoneFaults>): void
  /** Every fault off, the wallet's included. */
  reset(): void
  /** Forgets `trouble` and `awaited`. */
  dismiss(): void
  /** Tries again what the relay did not take, and asks again where nothing was decided. */
  retry(): void
  /**
   * Takes up a pairing.
   *
   * @param text - the URI, or a link that carries it as `uri`
   * @throws {PairingUriError | CodeExpiredError} for a text that is none, or too old
   */
  pair(text: string): Promise<void>
  /** Ends a session; the app is told. */
  disconnect(topic: string): Promise<void>
  /** Forgets a session without a word: the app still believes in it, and nothing answers it. */
  drop(topic: string): void
  /** Grants a session other namespaces. Resolves once the app agreed. */
  update(topic: string, namespaces: Namespaces): Promise<void>
  /** Calls back after every change, the wallet's included. Returns the function that stops it. */
  watch(listener: () => void): () => void
  /** Stops listening and takes open questions back. Sessions stay. */
  destroy(): void
}
