import { flushCompileCache } from 'node:module'
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { readConfig } from '../config.ts'
import { createLog } from '../log.ts'
import { startServer } from '../main.ts'
import { helpOf } from './help.ts'

/**
 * `gatefold serve`: runs until SIGINT or SIGTERM, or until the parent closes the IPC channel. A second
 * signal makes it exit immediately.
 */
export async function serve(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      roles: { type: 'string' },
      host: { type: 'string' },
      port: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) {
    console.log(helpOf('serve'))
    return
  }
  // By default, V8 lets the heap grow to four times the size of the live objects before a full collection, so
  // the memory of a busy relay grows for hours. With a factor of two, the relay is just as fast.
  setFlagsFromString('--heap-growing-percent=100')
  // A limit in NODE_OPTIONS is meant for this thread, whose heap already has it. It would override the limits of
  // worker threads. Reset here, because V8 does not support changing flags while threads run.
  setFlagsFromString('--max-semi-space-size=0')
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    ...(values.roles !== undefined && { GATEFOLD_ROLES: values.roles }),
    ...(values.host !== undefined && { GATEFOLD_HOST: values.host }),
    ...(values.port !== undefined && { GATEFOLD_PORT: values.port }),
  }
  const config = readConfig(env)
  const log = createLog(config.logLevel)
  const movable = [
    ...(env['GATEFOLD_PORT'] ? [] : (['main'] as const)),
    ...(env['GATEFOLD_FRAME_PORT'] ? [] : (['frame'] as const)),
  ]
  const server = await startServer(config, { log, movable })
  const { url, port, frameUrl } = server
  process.send?.({ type: 'ready', url, port, frameUrl })
  // By default, the cache is written only at exit, and not at all after a crash.
  flushCompileCache()

  let isStopping = false
  const stop = () => {
    if (isStopping) process.exit(1)
    isStopping = true
    server.stop().then(
      // Standard input or a debugger may keep the event loop alive.
      () => process.exit(0),
      (error: unknown) => {
        log.fatal({ err: error }, 'stopping failed')
        process.exit(1)
      },
    )
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  if (process.channel) process.on('disconnect', stop)
}
