import { flushCompileCache } from 'node:module'
import { parseArgs } from 'node:util'
import { readConfig } from '../config.ts'
import { createLog } from '../log.ts'
import { startServer } from '../main.ts'
import { helpOf } from './help.ts'
import { setHeapFlags } from './setHeapFlags.ts'

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
  setHeapFlags()
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
