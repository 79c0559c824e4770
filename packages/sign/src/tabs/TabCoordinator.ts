/** What really runs, in one tab at a time. All it takes and gives survives a structured clone. */
export type TabEngine<command, outcome, snapshot> = {
  /** Never rejects. */
  run(command: command): Promise<outcome>
  /** The whole state that is shown. A new object after each change. */
  snapshot(): snapshot
  /** Stops everything that was started; another tab may start right after. */
  close(): Promise<void>
}

/**
 * One engine for all tabs of an origin. It runs in the tab that holds a lock; the others send their
 * commands there and hear the same events. When that tab goes, another starts the engine anew from
 * what is stored. Without Web Locks and BroadcastChannel, and outside a page, it runs in place.
 */
export type TabCoordinator<command, outcome, event, snapshot> = {
  /**
   * Never rejects: what cannot be done is told by `options.lost`. Waits for an engine; a command that
   * was on its way when its tab went is given to the next one, if `isRepeatable` says so.
   */
  run(command: command): Promise<outcome>
  /** The state that belongs to an event, or to a command's outcome, is in `snapshot()` before it. */
  onEvent(listener: (event: event) => void): () => void
  /** A new object after each change; `initial` until `ready`. */
  snapshot(): snapshot
  /** Resolves once an engine stands, here or in another tab, and its state is here. */
  ready(): Promise<void>
  /** Called when an engine has started, here or elsewhere, the first included: tell it anew what it must know. */
  onLeader(listener: () => void): () => void
  /** Whether the engine runs in this tab. */
  isLeader(): boolean
  /** Ends the engine if it runs here. What is on its way ends as lost. */
  close(): Promise<void>
}

/** How the engine is heard in every tab. */
export type Tell<event> = {
  event(event: event): void
  /** The snapshot changed without an event or an outcome. */
  changed(): void
}

export type TabCoordinatorOptions<command, outcome, event, snapshot> = {
  /** Same for all who share an engine; the origin is implied, so a storage prefix will do. */
  name: string
  initial: snapshot
  /** Starts the engine from what is stored. When it rejects, `ready` rejects alike and commands are lost. */
  start: (tell: Tell<event>) => Promise<TabEngine<command, outcome, snapshot>>
  /** Whether a new engine knows what a command with these ids already did. */
  isRepeatable: (command: command) => boolean
  /** The outcome of a command that nobody can answer any more. */
  lost: (reason: FailureReason, cause?: unknown) => outcome
  /** What tabs share; the page's own unless told. `none` runs the engine in place. */
  page?: TabPlatform | 'none' | undefined
}

/** `not_plain`: the command holds what cannot be sent to another tab, such as a function. */
export type FailureReason = 'closed' | 'tab_gone' | 'not_started' | 'not_plain'

export type TabPlatform = {
  locks: Pick<LockManager, 'request'>
  BroadcastChannel: typeof BroadcastChannel
}
