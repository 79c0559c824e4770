import { BaseError } from '@gatefold/protocol'
import { cacheCompiledModules } from './cli/compileCache.ts'
import { helpOf, isCommand } from './cli/help.ts'
import { UsageError } from './cli/UsageError.ts'

const [command, ...rest] = process.argv.slice(2)

try {
  await run()
} catch (error) {
  process.exitCode = error instanceof UsageError || isArgumentError(error) ? 2 : 1
  console.error(explain(error))
}

async function run() {
  // Each command loads only its modules; `serve` loads compiled modules from the cache.
  if (command === 'serve') {
    cacheCompiledModules(process.env)
    return (await import('./cli/serve.ts')).serve(rest)
  }
  const io = { env: process.env, print: console.log }
  if (command === 'project') return (await import('./cli/project.ts')).project(rest, io)
  if (command === 'doctor') {
    const isOk = await (await import('./cli/doctor.ts')).doctor(rest, io)
    process.exitCode = isOk ? 0 : 1
    return undefined
  }
  if (command === 'backup') return (await import('./cli/backup.ts')).backup(rest, io)
  if (command === 'scam') return (await import('./cli/scam.ts')).scam(rest, io)
  if (command === 'names') return (await import('./cli/names.ts')).names(rest, io)
  if (command === 'sponsor') return (await import('./cli/sponsor.ts')).sponsor(rest, io)
  if (command === 'verify') return (await import('./cli/verify.ts')).verify(rest, io)
  if (command === undefined || command === 'help' || command === '--help' || command === '-h') {
    console.log(helpOf(rest[0]))
    return undefined
  }
  throw new UsageError(`Unknown command “${command}”.`)
}

function explain(error: unknown): string {
  const more = `Try gatefold help${isCommand(command) ? ` ${command}` : ''}.`
  if (error instanceof UsageError) return `gatefold: ${error.message}\n${more}`
  if (error instanceof BaseError) {
    const help = error.docsPath ? [`See ${error.docsPath}.`] : []
    return [`gatefold: ${error.message}`, ...help].join('\n')
  }
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
    return `gatefold: Port ${(error as Error & { port?: number }).port} is in use. Choose another: --port or GATEFOLD_PORT for the server, GATEFOLD_FRAME_PORT for the secure frame.`
  if (isArgumentError(error)) return `gatefold: ${error.message.split('. To specify')[0]}\n${more}`
  return `gatefold: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
}

function isArgumentError(error: unknown): error is Error {
  return (
    error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
  )
}
