/** What an engine can be asked: a name, plain data in, plain data out. All of it survives a structured clone. */
// oxlint-disable-next-line no-explicit-any -- the widest function there is
export type CommandMap = Record<string, (params: any) => unknown>

/** What an engine knows of one call beside its parameters. */
export type CallContext = {
  /** Unique; the same when a call is issued again because the tab that ran it is gone. */
  commandId: string
  /** Whether an engine in another tab may already have begun this call. */
  resumed: boolean
  /** Aborted when the caller gives up, or its tab is gone. */
  signal: AbortSignal
}

/** What really runs, in one tab at a time. */
export type Engine<commands extends CommandMap> = {
  commands: {
    [name in keyof commands]: (
      params: Parameters<commands[name]>[0],
      context: CallContext,
    ) => Promise<ReturnType<commands[name]>>
  }
  /** Everything stored and every timer and socket ended; another tab may start right after. */
  close(): Promise<void>
}

/** How an engine is heard in every tab. */
export type Tell<events, snapshot> = {
  event<name extends keyof events & string>(name: name, payload: events[name]): void
  /** The whole state after a change. It reaches a tab before any event or result told later. */
  state(snapshot: snapshot): void
}

/**
 * One engine for all tabs of an origin. It runs in the tab that holds the lock `name`; the others
 * send their calls there. When that tab goes, another starts the engine anew from what is stored.
 * Without Web Locks and BroadcastChannel, and outside a page, it runs in place.
 */
export type Host<commands extends CommandMap, events, snapshot> = {
  /**
   * @throws what the command threw, made anew by `reviveError` where it came from another tab;
   * `TabGoneError` when the tab that ran it went and the command may not be issued again;
   * `signal`'s reason at once when it is aborted.
   */
  call<name extends keyof commands & string>(
    name: name,
    params: Parameters<commands[name]>[0],
    options?: { signal?: AbortSignal | undefined },
  ): Promise<Awaited<ReturnType<commands[name]>>>
  on<name extends keyof events & string>(
    name: name,
    listener: (payload: events[name]) => void,
  ): () => void
  /** What the engine told last; `initial` until `ready`. */
  snapshot(): snapshot
  /** Resolves once an engine stands, here or in another tab, and its state is known here. */
  ready(): Promise<void>
  /** Whether the engine runs in this tab. */
  leads(): boolean
  /** Ends the engine if it runs here. Calls that are open reject with `TabGoneError`. */
  close(): Promise<void>
}

export type HostOptions<commands extends CommandMap, events, snapshot> = {
  /** Same for all who share an engine: origin is implied, so a storage prefix will do. */
  name: string
  initial: snapshot
  /**
   * Starts the engine from what is stored. Rejecting makes `ready` and every call reject alike.
   * Nothing may be told before it tells its first state, and that must be before it resolves.
   */
  start: (tell: Tell<events, snapshot>) => Promise<Engine<commands>>
  /**
   * Commands that may be issued again to a new engine with the same `commandId` and parameters: those
   * that only wait or read, and those whose parameters carry the id under which the engine stores
   * what it did. All others reject with `TabGoneError`.
   */
  resumable: readonly (keyof commands & string)[]
  /** Makes an error of this package's classes from what crossed the channel. */
  reviveError?: ((error: WireError) => Error) | undefined
  /** What tabs share; for tests. `undefined` runs the engine in place. */
  page?: SharedPage | undefined
}

/** An error on its way between tabs; own plain fields of a class (`reason`) stand in `fields`. */
export type WireError = {
  name: string
  message: string
  code?: string | undefined
  shortMessage?: string | undefined
  metaMessages?: readonly string[] | undefined
  details?: string | undefined
  fields: Record<string, unknown>
}

export type SharedPage = {
  locks: Pick<LockManager, 'request'>
  BroadcastChannel: typeof BroadcastChannel
}
