import type { TabEngine, TabCoordinatorOptions } from './TabCoordinator.ts'

/** A started engine that reports its changes in order: each state before the events that go with it. */
export type EngineRunner<command, outcome, snapshot> = {
  /** Starts reporting, beginning with events that the engine emitted while it started. */
  begin(): void
  run(command: command): Promise<outcome>
  snapshot(): snapshot
  close(): Promise<void>
}

/**
 * Starts an engine.
 *
 * @param listener.onChange - called with a new snapshot, before the event or outcome of the same change
 */
export async function createEngineRunner<command, outcome, event, snapshot>(
  start: TabCoordinatorOptions<command, outcome, event, snapshot>['start'],
  listener: { onChange: (snapshot: snapshot) => void; onEvent: (event: event) => void },
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
    listener.onChange(snapshot)
  }

  function onEvent(event: event) {
    if (closed) return
    if (!engine) {
      early.push(event)
      return
    }
    flush()
    listener.onEvent(event)
  }

  const started = await start({ onEvent, onChange: flush })
  last = started.snapshot()
  return {
    begin() {
      engine = started
      // A command may have changed the state since the engine started.
      flush()
      for (const event of early) onEvent(event)
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
