import type { Clock } from '../SignClient.ts'

/** Maximum characters of the log. @see spec §9.10.3 */
const logBufferCharacters = 1_000_000

/**
 * A client's most recent actions and messages, for bug reports: one JSON object per line, oldest first. The log
 * is kept in memory and is not printed. Entries contain no keys, whole topics or message contents.
 */
export type Log = {
  add(entry: LogEntry): void
  text(): string
}

export type LogEntry = {
  what: string
  topic?: string | undefined
  id?: number | undefined
  /** An error's code, or the reason for the relay's status. */
  reason?: string | undefined
}

export function createLog({ clock }: { clock: Clock }): Log {
  const lines: string[] = []
  let characters = 0
  return {
    add({ topic, ...entry }) {
      const time = new Date(clock.now()).toISOString()
      // Shortened, because any client that knows the whole topic can publish to it.
      const line = JSON.stringify({ time, ...entry, topic: topic?.slice(0, 8) })
      lines.push(line)
      characters += line.length + 1
      while (characters > logBufferCharacters) characters -= (lines.shift()?.length ?? 0) + 1
    },
    text: () => lines.join('\n'),
  }
}
