/** Runs in one tab at a time. Its parameters and results can be structured-cloned. */
export type TabEngine<command, outcome, snapshot> = {
  /** Never rejects. */
  run(command: command): Promise<outcome>
  /** The public state. A new object after each change. */
  snapshot(): snapshot
  /** Stops the engine, so that another tab may start an engine. */
  close(): Promise<void>
}

/**
 * Shares one engine between an origin's tabs. The tab that holds a Web Lock is the leader and runs the engine.
 * Over a BroadcastChannel, the other tabs send it their commands and receive its events. When the leader
 * closes, another tab starts an engine from the stored state. Without Web Locks or BroadcastChannel, and
 * outside a page, each client runs a separate engine.
 */
export type TabCoordinator<command, outcome, event, snapshot> = {
  /**
   * Waits for an engine and runs a command on it. Never rejects: if the command cannot be run, `options.toFailure`
   * returns its outcome. If the leader closes in the meantime, a repeatable command runs on the next leader.
   */
  run(command: command): Promise<outcome>
  /** `snapshot()` is up to date when an event is emitted and when a command resolves. */
  onEvent(listener: (event: event) => void): () => void
  /** A new object after each change; `initial` until `ready`. */
  snapshot(): snapshot
  /** Called after each change of `snapshot()`, before the event or outcome of the same change. */
  onChange(listener: (snapshot: snapshot) => void): () => void
  /** Resolves once an engine runs, in any tab, and `snapshot()` is its state. */
  ready(): Promise<void>
  /** Called when an engine starts, in any tab, including the first. */
  onLeader(listener: () => void): () => void
  /** Whether this tab runs the engine. */
  isLeader(): boolean
  /** Stops the engine if it runs here. Commands in flight fail. */
  close(): Promise<void>
}

/** Receives an engine's reports. */
export type EngineListener<event> = {
  onEvent(event: event): void
  /** Called after the snapshot changed, with or without an event or an outcome. */
  onChange(): void
}

export type TabCoordinatorOptions<command, outcome, event, snapshot> = {
  /** Identifies the shared engine within the origin. */
  name: string
  initial: snapshot
  /** Starts the engine from the stored state. If it rejects, `ready` rejects and commands fail. */
  start: (listener: EngineListener<event>) => Promise<TabEngine<command, outcome, snapshot>>
  /** Whether a command may run again on the engine of another tab. */
  isRepeatable: (command: command) => boolean
  /** Returns the outcome of a command for which no engine reported an outcome. */
  toFailure: (reason: FailureReason, cause?: unknown) => outcome
  /** Defaults to the page's platform. With `none`, each client runs a separate engine. */
  platform?: TabPlatform | 'none' | undefined
}

/** `not_plain`: the command cannot be structured-cloned. */
export type FailureReason = 'closed' | 'tab_closed' | 'not_started' | 'not_plain'

export type TabPlatform = {
  locks: Pick<LockManager, 'request'>
  BroadcastChannel: typeof BroadcastChannel
}
