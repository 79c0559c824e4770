import { createSymKey } from '../crypto/keys.ts'
import { createEmitter } from '../createEmitter.ts'
import { createEngineRunner, type EngineRunner } from './createEngineRunner.ts'
import type { TabCoordinator, TabCoordinatorOptions, TabPlatform } from './TabCoordinator.ts'
import { createLeaderLock } from './createLeaderLock.ts'

/** Messages between tabs. `term` identifies an engine; messages from older engines are ignored. */
type Message<command, outcome, event, snapshot> =
  | { type: 'hello' }
  | { type: 'lead'; term: string; snapshot: snapshot }
  | { type: 'state'; term: string; snapshot: snapshot }
  | { type: 'event'; term: string; event: event }
  | { type: 'stopped'; term: string }
  | { type: 'run'; term: string; id: string; sentAt: number; command: command }
  | { type: 'accepted'; term: string; id: string }
  | { type: 'outcome'; term: string; id: string; outcome: outcome }

type Pending<command, outcome> = {
  command: command
  resolve: (outcome: outcome) => void
  /** Whether an engine may have started to run the command. */
  started: boolean
  cancelTimer: () => void
}

/** A leader that does not acknowledge a command, or announce itself, within this time counts as frozen. */
const leaderTimeoutMs = 3_000

/** @see TabCoordinator */
export function coordinateTabs<command, outcome, event, snapshot>(
  options: TabCoordinatorOptions<command, outcome, event, snapshot>,
  platform: TabPlatform,
): TabCoordinator<command, outcome, event, snapshot> {
  const { start, isRepeatable, toFailure } = options
  const name = `gatefold-sign/1/${options.name}`
  const channel = new platform.BroadcastChannel(name)
  const events = createEmitter<event>()
  const changes = createEmitter<snapshot>()
  const leaders = createEmitter()
  const pending = new Map<string, Pending<command, outcome>>()
  let snapshot = options.initial
  /** The current engine, in any tab. */
  let term: string | undefined
  /** This tab's engine, if this tab is the leader. */
  let runner: EngineRunner<command, outcome, snapshot> | undefined
  /** Why the engine did not start in this tab. Another tab's engine can still serve this tab. */
  let failure: { cause: unknown } | undefined
  let closed = false
  let resolveReady = () => {}
  let rejectReady = (_cause: unknown) => {}
  const ready = new Promise<void>((resolve, reject) => {
    resolveReady = resolve
    rejectReady = reject
  })
  // Handled by callers of `ready()`.
  ready.catch(() => {})

  const lock = createLeaderLock({ locks: platform.locks, name, onHeld: lead, onLost: stepDown })
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) =>
    onMessage(data as Message<command, outcome, event, snapshot>),
  )
  post({ type: 'hello' })
  let cancelSteal = () => {}
  awaitLeader()

  /** Steals the lock if no leader announces itself: the tab that holds the lock, or is next in line, is frozen. */
  function awaitLeader() {
    const timer = setTimeout(() => void lock.steal(() => term === undefined), leaderTimeoutMs)
    cancelSteal = () => clearTimeout(timer)
  }

  function post(message: Message<command, outcome, event, snapshot>) {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
    if (!closed) channel.postMessage(message)
  }

  /** This tab holds the lock: starts the engine. Releases the lock if that fails. */
  async function lead(isHeld: () => boolean) {
    const mine = createSymKey()
    const isCurrent = () => term === mine && isHeld()
    try {
      const started = await createEngineRunner(start, {
        onChange(changed) {
          if (!isCurrent()) return
          update(changed)
          post({ type: 'state', term: mine, snapshot })
        },
        onEvent(event) {
          if (!isCurrent()) return
          post({ type: 'event', term: mine, event })
          events.emit(event)
        },
      })
      if (closed || !isHeld()) {
        await started.close()
        return
      }
      runner = started
    } catch (cause) {
      failure = { cause }
      rejectReady(cause)
      failAll('not_started', cause)
      lock.release()
      return
    }
    // Posted before this tab's listeners run, because they may cause further messages.
    post({ type: 'lead', term: mine, snapshot: runner.snapshot() })
    follow(mine, runner.snapshot())
    runner.begin()
  }

  function update(next: snapshot) {
    snapshot = next
    changes.emit(next)
  }

  /** Called when an engine runs, in any tab. Commands sent to an older engine are repeated or fail. */
  function follow(next: string, state: snapshot) {
    update(state)
    if (next === term) return
    cancelSteal()
    term = next
    resolveReady()
    leaders.emit()
    for (const [id, entry] of pending) {
      entry.cancelTimer()
      if (!entry.started || isRepeatable(entry.command)) dispatch(id, entry)
      else resolve(id, toFailure('tab_closed'))
    }
  }

  /** Called when another tab holds the lock. */
  async function stepDown() {
    const old = runner
    runner = undefined
    await old?.close()
  }

  function dispatch(id: string, entry: Pending<command, outcome>) {
    const local = runner
    if (local) {
      entry.started = true
      // If the engine was stopped in the meantime, its outcome is not final.
      void local.run(entry.command).then((outcome) => runner === local && resolve(id, outcome))
    } else if (term !== undefined) {
      send(id, entry, term)
    } else if (failure) {
      resolve(id, toFailure('not_started', failure.cause))
    }
  }

  function send(id: string, entry: Pending<command, outcome>, to: string) {
    const { command } = entry
    try {
      post({ type: 'run', term: to, id, sentAt: Date.now(), command })
    } catch (cause) {
      resolve(id, toFailure('not_plain', cause))
      return
    }
    const timer = setTimeout(() => {
      void lock.steal(() => term === to && !entry.started && pending.has(id))
    }, leaderTimeoutMs)
    entry.cancelTimer = () => clearTimeout(timer)
  }

  function resolve(id: string, outcome: outcome) {
    const entry = pending.get(id)
    entry?.cancelTimer()
    pending.delete(id)
    entry?.resolve(outcome)
  }

  function failAll(...reason: Parameters<typeof toFailure>) {
    for (const id of Array.from(pending.keys())) resolve(id, toFailure(...reason))
  }

  function onMessage(message: Message<command, outcome, event, snapshot>) {
    if (closed) return
    if (message.type === 'hello') {
      if (runner && term !== undefined) post({ type: 'lead', term, snapshot })
    } else if (message.type === 'lead') {
      // This tab was frozen, and another tab stole its lock.
      if (runner && message.term !== term) void stepDown()
      follow(message.term, message.snapshot)
    } else if (message.term === term) {
      onTermMessage(message)
    }
  }

  function onTermMessage(
    message: Exclude<Message<command, outcome, event, snapshot>, { type: 'hello' | 'lead' }>,
  ) {
    const { type } = message
    if (type === 'state') update(message.snapshot)
    else if (type === 'event') events.emit(message.event)
    else if (type === 'stopped') {
      term = undefined
      awaitLeader()
    } else if (type === 'outcome') resolve(message.id, message.outcome)
    else if (type === 'run') void serve(message)
    else {
      const entry = pending.get(message.id)
      entry?.cancelTimer()
      if (entry) entry.started = true
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
    // This tab was frozen: the sender has already switched to another leader.
    if (!runner || Date.now() - sentAt >= leaderTimeoutMs) return
    post({ type: 'accepted', term: mine, id })
    const outcome = await runner.run(command)
    if (term === mine && runner) post({ type: 'outcome', term: mine, id, outcome })
  }

  return {
    run(command) {
      if (closed) return Promise.resolve(toFailure('closed'))
      return new Promise((resolve) => {
        const id = createSymKey()
        const entry = { command, resolve, started: false, cancelTimer() {} }
        pending.set(id, entry)
        dispatch(id, entry)
      })
    },
    onEvent: (listener) => events.on(listener),
    snapshot: () => snapshot,
    onChange: (listener) => changes.on(listener),
    ready: () => ready,
    onLeader(listener) {
      if (term !== undefined) listener()
      return leaders.on(listener)
    },
    isLeader: () => runner !== undefined,
    async close() {
      if (closed) return
      cancelSteal()
      const old = runner
      runner = undefined
      await old?.close()
      if (old && term !== undefined) post({ type: 'stopped', term })
      closed = true
      rejectReady(new Error('The client was closed before an engine started.'))
      failAll('closed')
      events.clear()
      changes.clear()
      leaders.clear()
      lock.release()
      channel.close()
    },
  }
}
