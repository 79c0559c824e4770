import type { Namespaces, Session, SignClient, SignEvents } from '@gatefold/sign'
import type { DemoWallet } from '../createDemoWallet.ts'
import type { WalletStorage } from '../provider/persistState.ts'
import { answerProposal } from './answerProposal.ts'
import { answerRequest } from './answerRequest.ts'
import { answerSignIn } from './answerSignIn.ts'
import { createOpenRequests } from './createOpenRequests.ts'
import { createSessionSync } from './createSessionSync.ts'
import type { Phone } from './Phone.ts'
import { noPhoneFaults, type PhoneFaults } from './PhoneFaults.ts'
import { persistPhoneState } from './persistPhoneState.ts'
import { readPairingUri } from './readPairingUri.ts'

/**
 * Creates a wallet that apps connect to over a relay. It passes proposals, requests and sign-ins to a
 * demo wallet, which has the keys, handles approvals and applies faults. Runs in Node and in browsers.
 *
 * Approve and reject through `wallet.controls.pending`: a proposal has the method
 * `wc_sessionPropose`, a sign-in `wc_sessionAuthenticate`, a request its own method.
 *
 * @example
 * const sign = createSignClient({ relayUrl, metadata })
 * const phone = createPhoneWallet({ sign, wallet: createTestWallet({ chains }) })
 * await phone.pair(uri)
 * phone.wallet.controls.switchAccount(1) // the app receives accountsChanged
 */
export function createPhoneWallet(options: createPhoneWallet.Options): PhoneWallet {
  const { sign, wallet } = options
  const storage = options.storage ?? (options.storageKey ? globalThis.localStorage : undefined)
  const persisted = persistPhoneState({ key: options.storageKey, storage })
  const faults: PhoneFaults = { ...noPhoneFaults, ...options.faults }
  const listeners = new Set<() => void>()
  const openRequests = createOpenRequests()
  let relay: SignEvents['relay'] = { status: 'idle' }
  let lastError: unknown
  let pairingTopic: string | undefined
  let closed = false

  const notify = () => {
    for (const listener of Array.from(listeners)) listener()
  }
  const phone: Phone = {
    sign,
    wallet,
    faults,
    persisted,
    switchChain(topic, chainId) {
      void sessionSync.switchChain(topic, chainId)
      notify()
    },
    reportError(error) {
      if (closed) return
      lastError = error
      notify()
    },
  }
  const sessions = () => sign.sessions().filter(({ topic }) => !persisted.isDropped(topic))
  const sessionSync = createSessionSync(phone, sessions)

  /** Handles each request once. `resume` handles it again if the response could not be sent. */
  async function answer(id: number, topic: string, run: (signal: AbortSignal) => Promise<void>) {
    if (closed || persisted.isDropped(topic)) return
    const signal = openRequests.start(topic, id)
    if (!signal) return
    if (topic === pairingTopic) pairingTopic = undefined
    try {
      await run(signal)
    } catch (error) {
      if (!signal.aborted) phone.reportError(error)
    } finally {
      openRequests.end(topic, id)
      if (!closed) void sessionSync.run()
      notify()
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
    openRequests.cancel((request) => request.topic === topic)
    persisted.forget(topic)
    sessionSync.forget(topic)
    notify()
  }

  const isStored = (topic: string, id: number) =>
    sign.pendingRequests().some((one) => one.topic === topic && one.id === id) ||
    [...sign.proposals(), ...sign.pendingAuthRequests()].some(
      (one) => one.pairingTopic === topic && one.id === id,
    )
  /** Cancels an expired request. The event lacks its topic, but its entry is no longer stored. */
  const onExpire = ({ id }: { id: number }) => {
    openRequests.cancel((request) => request.id === id && !isStored(request.topic, id))
    persisted.keepAnswers(sign.pendingRequests())
  }

  /** Handles stored requests that have no response yet, after a reload or a reconnect. */
  function resume() {
    const signIns = sign.pendingAuthRequests()
    for (const params of signIns) onSignIn({ id: params.id, params })
    for (const proposal of sign.proposals()) {
      // A sign-in includes a fallback proposal for wallets without `wc_sessionAuthenticate`.
      if (signIns.some(({ pairingTopic }) => pairingTopic === proposal.pairingTopic)) continue
      const { id, verifyContext } = proposal
      onProposal({ id, params: proposal, verifyContext })
    }
    for (const request of sign.pendingRequests()) onRequest(request)
    void sessionSync.run()
  }

  const stops = [
    sign.on('session_proposal', onProposal),
    sign.on('session_authenticate', onSignIn),
    sign.on('session_request', onRequest),
    sign.on('session_connect', notify),
    sign.on('session_delete', onSessionEnd),
    sign.on('session_expire', onSessionEnd),
    sign.on('proposal_expire', onExpire),
    sign.on('session_request_expire', onExpire),
    sign.on('relay', (next) => {
      relay = next
      if (next.status === 'connected') resume()
      notify()
    }),
    wallet.controls.watch(() => {
      void sessionSync.run()
      notify()
    }),
  ]
  const starting = sign.ready().then(() => {
    if (closed) return
    persisted.keepAnswers(sign.pendingRequests())
    resume()
    notify()
  })
  starting.catch((error: unknown) => phone.reportError(error))

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
    get pairingTopic() {
      return pairingTopic
    },
    get lastError() {
      return lastError
    },
    ready: () => starting,
    set(next) {
      Object.assign(faults, next)
      notify()
    },
    reset() {
      Object.assign(faults, noPhoneFaults)
      wallet.controls.reset()
    },
    dismiss() {
      lastError = undefined
      pairingTopic = undefined
      notify()
    },
    retry() {
      lastError = undefined
      resume()
      notify()
    },
    async pair(text) {
      const { uri, topic } = readPairingUri(text, Date.now())
      pairingTopic = topic
      notify()
      try {
        await sign.pair({ uri })
      } catch (error) {
        if (pairingTopic === topic) pairingTopic = undefined
        notify()
        throw error
      }
    },
    async disconnect(topic) {
      await sign.disconnect({ topic })
      onSessionEnd({ topic })
    },
    chainOf: sessionSync.chainOf,
    switchChain: phone.switchChain,
    drop(topic) {
      persisted.drop(topic)
      openRequests.cancel((request) => request.topic === topic)
      notify()
    },
    async update(topic, namespaces) {
      const { acknowledged } = await sign.update({ topic, namespaces })
      await acknowledged()
    },
    watch(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    destroy() {
      closed = true
      for (const stop of stops) stop()
      openRequests.cancel(() => true)
      listeners.clear()
    },
  }
}

export declare namespace createPhoneWallet {
  type Options = {
    /** The WalletConnect client. The caller owns it: `destroy` does not close it. */
    sign: SignClient
    /**
     * The demo wallet: keys, approvals and faults. The caller owns it: `destroy` does not destroy it.
     */
    wallet: DemoWallet
    faults?: Partial<PhoneFaults>
    /** Persists dropped sessions and unsent responses under this key. */
    storageKey?: string
    /** `localStorage` by default; used only with a `storageKey`. */
    storage?: WalletStorage
  }
}

export type PhoneWallet = {
  readonly sign: SignClient
  readonly wallet: DemoWallet
  readonly faults: Readonly<PhoneFaults>
  /** The wallet's sessions, except dropped ones. */
  readonly sessions: readonly Session[]
  /** Status of the relay connection. */
  readonly relay: SignEvents['relay']
  /** Topic of the current pairing, until the proposal is received. */
  readonly pairingTopic: string | undefined
  /** The most recent error; undefined once it is dismissed. */
  readonly lastError: unknown
  /** Resolves once stored sessions and requests are restored. */
  ready(): Promise<void>
  /** Sets faults; omitted ones keep their value. The demo wallet's own faults are in `wallet.controls`. */
  set(faults: Partial<PhoneFaults>): void
  /** Clears all faults, including those of the demo wallet. */
  reset(): void
  /** Clears `lastError` and `pairingTopic`. */
  dismiss(): void
  /** Resends unsent responses, and prompts again for undecided requests. */
  retry(): void
  /**
   * Pairs with an app.
   *
   * @param text - the pairing URI, or a link with it in the parameter `uri`
   * @throws {PairingUriError | CodeExpiredError} if it is malformed or expired
   */
  pair(text: string): Promise<void>
  /** The current chain of a session: the one that it has switched to, otherwise the wallet's. */
  chainOf(topic: string): number
  /** Switches one session to a chain, which is added to it. `wallet.controls.switchChain` switches all. */
  switchChain(topic: string, chainId: number): void
  /** Ends a session and notifies the app. */
  disconnect(topic: string): Promise<void>
  /** Drops a session without notifying the app; its requests then receive no response. */
  drop(topic: string): void
  /** Replaces a session's namespaces. Resolves once the app has acknowledged them. */
  update(topic: string, namespaces: Namespaces): Promise<void>
  /** Calls `listener` after every change, including the demo wallet's. Returns a function that unsubscribes. */
  watch(listener: () => void): () => void
  /** Stops listening and cancels open requests. Sessions are kept. */
  destroy(): void
}
