import { createListeners } from './createListeners.ts'
import { createRunner } from './createRunner.ts'
import type { Host, HostOptions } from './Host.ts'

/** A host whose engine runs in place. */
export function createSingleHost<command, outcome, event, snapshot>(
  options: HostOptions<command, outcome, event, snapshot>,
): Host<command, outcome, event, snapshot> {
  const events = createListeners<event>()
  const engines = createListeners()
  let snapshot = options.initial
  let leads = false
  let close = () => {}
  const closed = new Promise<'closed'>((resolve) => (close = () => resolve('closed')))

  const starting = createRunner(options.start, {
    changed: (changed) => (snapshot = changed),
    event: (event) => events.tell(event),
  }).then((runner) => {
    snapshot = runner.snapshot()
    leads = true
    engines.tell()
    runner.begin()
    return runner
  })
  // Told by `ready` and `run`.
  starting.catch(() => {})

  async function attempt(command: command) {
    try {
      const runner = await starting
      return leads ? await runner.run(command) : options.lost('closed')
    } catch (cause) {
      return options.lost('not_started', cause)
    }
  }

  return {
    async run(command) {
      const outcome = await Promise.race([attempt(command), closed])
      return outcome === 'closed' ? options.lost('closed') : outcome
    },
    onEvent: (listener) => events.add(listener),
    snapshot: () => snapshot,
    async ready() {
      await starting
    },
    onEngine(listener) {
      if (leads) listener()
      return engines.add(listener)
    },
    leads: () => leads,
    async close() {
      close()
      events.clear()
      engines.clear()
      const runner = await starting.catch(() => undefined)
      leads = false
      await runner?.close()
    },
  }
}
