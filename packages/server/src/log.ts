import { destination, pino, type Logger } from 'pino'
import type { Config } from './config.ts'

export type Log = Logger

/**
 * The server's log: one JSON line an event, on standard output. Query strings, bodies and client
 * addresses are never handed to it; what could still carry a secret is cut by name.
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
