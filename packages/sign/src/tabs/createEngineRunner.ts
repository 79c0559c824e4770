import type { TabEngine, TabCoordinatorOptions } from './TabCoordinator.ts'

/** An engine that stands, and all it tells in order: the state first, then what goes with it. */
export type EngineRunner<command, outcome, snapshot> = {
  /** Its state is known: what it told while it started is heard now, and all else from now on. */
  begin(): void
  run(command: command): Promise<outcome>
  snapshot(): snapshot
  close(): Promise<void>
}

/**
 * Starts an engine.
 *
 * @param heard.changed - called before an event or an outcome whenever the snapshot is a new one
 */
export async function createEngineRunner<command, outcome, event, snapshot>(
  start: TabCoordinatorOptions<command, outcome, event, snapshot>['start'],
  heard: { changed: (snapshot: snapshot) => void; event: (event: event) => void },
): Promise<EngineRunner<command, outcome, snapshot>> {
  let engine: TabEngine<command, outcome, snapshot> | undefined
  let last: snapshot | undefined
  let closed = false
  const early: event[] = []

  function flush() {
    if (!engine || closed) return
    const snapshot = engine.snapshot()
    if (snapshot === last) return
    last = snapshot
    heard.changed(snapshot)
  }

  function event(told: event) {
    if (closed) return
    if (!engine) {
      early.push(told)
      return
    }
    flush()
    heard.event(told)
  }

  const started = await start({ event, changed: flush })
  last = started.snapshot()
  return {
    begin() {
      engine = started
      // A command may have changed it since it was made known.
      flush()
      for (const told of early) event(told)
    },
    async run(command) {
      const outcome = await started.run(command)
      flush()
      return outcome
    },
    snapshot: () => started.snapshot(),
    close() {
      closed = true
      return started.close()
    },
  }
}
