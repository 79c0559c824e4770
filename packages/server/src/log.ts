import { destination, pino, type Logger } from 'pino'
import type { Config } from './config.ts'

export type Log = Logger

/**
 * The server's log on standard output, with one JSON line per event. Callers never pass query strings, bodies
 * or client addresses; fields that may contain secrets are removed by name.
 */
export function createLog(level: Config['logLevel'], stream?: { write(line: string): void }): Log {
  return pino(
    {
      level,
      base: undefined,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: [
          'email',
          'address',
          'authorization',
          'token',
          'key',
          'password',
          'secret',
          'url',
        ].flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
        censor: '[removed]',
      },
    },
    stream ?? destination({ sync: false }),
  )
}
