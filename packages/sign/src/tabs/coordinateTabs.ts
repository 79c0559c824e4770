import { createSymKey } from '../crypto/keys.ts'
import { createEmitter } from '../createEmitter.ts'
import { createEngineRunner, type EngineRunner } from './createEngineRunner.ts'
import type { TabCoordinator, TabCoordinatorOptions, TabPlatform } from './TabCoordinator.ts'
import { createLeaderLock } from './createLeaderLock.ts'

/** What tabs say. `term` names one engine: what an older one still says is not heard. */
type Message<command, outcome, event, snapshot> =
  | { type: 'hello' }
  | { type: 'lead'; term: string; snapshot: snapshot }
  | { type: 'state'; term: string; snapshot: snapshot }
  | { type: 'event'; term: string; event: event }
  | { type: 'gone'; term: string }
  | { type: 'run'; term: string; id: string; sentAt: number; command: command }
  | { type: 'taken'; term: string; id: string }
  | { type: 'outcome'; term: string; id: string; outcome: outcome }

type Pending<command, outcome> = {
  command: command
  resolve: (outcome: outcome) => void
  /** An engine may have begun it. */
  begun: boolean
  cancelWait: () => void
}

/** A leader that for so long does not even say it has a command, or leads, is frozen; another tab takes over. */
const silenceMs = 3_000

/** A host that shares its engine with the other tabs of its origin. */
export function coordinateTabs<command, outcome, event, snapshot>(
  options: TabCoordinatorOptions<command, outcome, event, snapshot>,
  page: TabPlatform,
): TabCoordinator<command, outcome, event, snapshot> {
  const { start, isRepeatable, lost } = options
  const name = `gatefold-sign/1/${options.name}`
  const channel = new page.BroadcastChannel(name)
  const events = createEmitter<event>()
  const engines = createEmitter()
  const pending = new Map<string, Pending<command, outcome>>()
  let snapshot = options.initial
  /** The engine every tab works with. */
  let term: string | undefined
  let runner: EngineRunner<command, outcome, snapshot> | undefined
  /** Why no engine starts in this tab; one of another tab will do. */
  let failure: { cause: unknown } | undefined
  let closed = false
  let stands = () => {}
  let fails = (_cause: unknown) => {}
  const ready = new Promise<void>((resolve, reject) => {
    stands = resolve
    fails = reject
  })
  // Told by `ready`.
  ready.catch(() => {})

  const lock = createLeaderLock({ locks: page.locks, name, onHeld: lead, onLost: stepDown })
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) =>
    hear(data as Message<command, outcome, event, snapshot>),
  )
  post({ type: 'hello' })
  let cancelTake = () => {}
  awaitLeader()

  /** Who has the lock, or gets it next, may be frozen: then it will not say so. */
  function awaitLeader() {
    const timer = setTimeout(() => void lock.take(() => term === undefined), silenceMs)
    cancelTake = () => clearTimeout(timer)
  }

  function post(message: Message<command, outcome, event, snapshot>) {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
    if (!closed) channel.postMessage(message)
  }

  /** The lock is ours: starts the engine. It is let go when that fails. */
  async function lead(isHeld: () => boolean) {
    const mine = createSymKey()
    const isMine = () => term === mine && isHeld()
    try {
      const started = await createEngineRunner(start, {
        changed(changed) {
          if (!isMine()) return
          snapshot = changed
          post({ type: 'state', term: mine, snapshot })
        },
        event(event) {
          if (!isMine()) return
          post({ type: 'event', term: mine, event })
          events.tell(event)
        },
      })
      if (closed || !isHeld()) {
        await started.close()
        return
      }
      runner = started
    } catch (cause) {
      failure = { cause }
      fails(cause)
      settleAll('not_started', cause)
      lock.release()
      return
    }
    // The others first: what this tab's listeners do now may tell more.
    post({ type: 'lead', term: mine, snapshot: runner.snapshot() })
    follow(mine, runner.snapshot())
    runner.begin()
  }

  /** An engine stands, here or elsewhere. What an older one had is given to it or is lost. */
  function follow(next: string, state: snapshot) {
    snapshot = state
    if (next === term) return
    cancelTake()
    term = next
    stands()
    engines.tell()
    for (const [id, entry] of pending) {
      entry.cancelWait()
      if (!entry.begun || isRepeatable(entry.command)) give(id, entry)
      else settle(id, lost('tab_gone'))
    }
  }

  /** Another tab holds the lock now. */
  async function stepDown() {
    const old = runner
    runner = undefined
    await old?.close()
  }

  function give(id: string, entry: Pending<command, outcome>) {
    const mine = runner
    if (mine) {
      entry.begun = true
      // What an engine says that was ended meanwhile is not the last word.
      void mine.run(entry.command).then((outcome) => runner === mine && settle(id, outcome))
    } else if (term !== undefined) {
      send(id, entry, term)
    } else if (failure) {
      settle(id, lost('not_started', failure.cause))
    }
  }

  function send(id: string, entry: Pending<command, outcome>, to: string) {
    const { command } = entry
    try {
      post({ type: 'run', term: to, id, sentAt: Date.now(), command })
    } catch (cause) {
      settle(id, lost('not_plain', cause))
      return
    }
    const timer = setTimeout(() => {
      void lock.take(() => term === to && !entry.begun && pending.has(id))
    }, silenceMs)
    entry.cancelWait = () => clearTimeout(timer)
  }

  function settle(id: string, outcome: outcome) {
    const entry = pending.get(id)
    entry?.cancelWait()
    pending.delete(id)
    entry?.resolve(outcome)
  }

  function settleAll(...why: Parameters<typeof lost>) {
    for (const id of Array.from(pending.keys())) settle(id, lost(...why))
  }

  function hear(message: Message<command, outcome, event, snapshot>) {
    if (closed) return
    if (message.type === 'hello') {
      if (runner && term !== undefined) post({ type: 'lead', term, snapshot })
    } else if (message.type === 'lead') {
      // Two engines: this tab slept while its lock was taken.
      if (runner && message.term !== term) void stepDown()
      follow(message.term, message.snapshot)
    } else if (message.term === term) {
      hearTerm(message)
    }
  }

  function hearTerm(
    message: Exclude<Message<command, outcome, event, snapshot>, { type: 'hello' | 'lead' }>,
  ) {
    const { type } = message
    if (type === 'state') snapshot = message.snapshot
    else if (type === 'event') events.tell(message.event)
    else if (type === 'gone') {
      term = undefined
      awaitLeader()
    } else if (type === 'outcome') settle(message.id, message.outcome)
    else if (type === 'run') void serve(message)
    else {
      const entry = pending.get(message.id)
      entry?.cancelWait()
      if (entry) entry.begun = true
    }
  }

  async function serve({
    term: mine,
    id,
    sentAt,
    command,
  }: {
    term: string
    id: string
    sentAt: number
    command: command
  }) {
    // A tab that slept finds what others have long taken elsewhere.
    if (!runner || Date.now() - sentAt >= silenceMs) return
    post({ type: 'taken', term: mine, id })
    const outcome = await runner.run(command)
    if (term === mine && runner) post({ type: 'outcome', term: mine, id, outcome })
  }

  return {
    run(command) {
      if (closed) return Promise.resolve(lost('closed'))
      return new Promise((resolve) => {
        const id = createSymKey()
        const entry = { command, resolve, begun: false, cancelWait() {} }
        pending.set(id, entry)
        give(id, entry)
      })
    },
    onEvent: (listener) => events.add(listener),
    snapshot: () => snapshot,
    ready: () => ready,
    onLeader(listener) {
      if (term !== undefined) listener()
      return engines.add(listener)
    },
    isLeader: () => runner !== undefined,
    async close() {
      if (closed) return
      cancelTake()
      const old = runner
      runner = undefined
      await old?.close()
      if (old && term !== undefined) post({ type: 'gone', term })
      closed = true
      fails(new Error('It was closed before an engine stood.'))
      settleAll('closed')
      events.clear()
      engines.clear()
      lock.release()
      channel.close()
    },
  }
}
