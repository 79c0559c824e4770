import { parseArgs } from 'node:util'
import type { Finding } from '../doctor/Finding.ts'
import { runDoctor } from '../doctor/runDoctor.ts'
import { helpOf } from './help.ts'
import type { Io } from './Io.ts'
import { UsageError } from './UsageError.ts'

const labels = { ok: 'ok', warning: 'warning', error: 'ERROR', skipped: 'skipped' }

/**
 * `gatefold doctor [--url URL] [--json]`: prints problems with their fixes.
 *
 * @returns whether no error was found.
 * @throws {UsageError} for wrong arguments.
 */
export async function doctor(args: string[], io: Io): Promise<boolean> {
  const { values } = parseArgs({
    args,
    options: {
      url: { type: 'string', multiple: true },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) {
    io.print(helpOf('doctor'))
    return true
  }
  const urls = values.url ?? []
  for (const url of urls)
    if (!/^(https?|wss?):$/.test(URL.parse(url)?.protocol ?? ''))
      throw new UsageError(`--url: “${url}” is not a URL; write https://gate.my.site.`)
  const findings = await runDoctor({ env: io.env, urls })
  const count = (status: Finding['status']) =>
    findings.filter((finding) => finding.status === status).length
  const isOk = count('error') === 0
  if (values.json) io.print(JSON.stringify({ ok: isOk, findings }, null, 2))
  else {
    for (const finding of findings) io.print(format(finding))
    io.print(`\n${plural(count('error'), 'error')}, ${plural(count('warning'), 'warning')}`)
  }
  return isOk
}

function format({ status, check, message, fix }: Finding): string {
  const line = `${labels[status].padEnd(9)}${check.padEnd(10)}${message}`
  return fix ? `${line}\n${' '.repeat(19)}-> ${fix}` : line
}

function plural(count: number, word: string) {
  return `${count === 0 ? 'no' : count} ${word}${count === 1 ? '' : 's'}`
}
