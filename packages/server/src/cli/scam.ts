import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readConfig } from '../config.ts'
import { openStorage, type Storage } from '../storage/openStorage.ts'
import { addScamDomains, listScamDomains, removeScamDomain } from '../storage/verify.ts'
import { toDomain } from '../verify/domains.ts'
import type { Io } from './Io.ts'
import { helpOf } from './help.ts'
import { UsageError } from './UsageError.ts'

const options = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const

type Action = (storage: Storage, words: string[], io: Io, asJson: boolean) => Promise<void>

const actions = new Map<string, Action>([
  ['add', add],
  ['remove', remove],
  ['list', list],
  ['import', importFile],
])

/**
 * `gatefold scam add|remove|list|import`. Running servers apply a change immediately.
 *
 * @throws {UsageError} for wrong arguments; the list is then unchanged.
 */
export async function scam(args: string[], io: Io): Promise<void> {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const [action, ...words] = positionals
  if (values.help || action === undefined) {
    io.print(helpOf('scam'))
    return
  }
  const run = actions.get(action)
  if (!run)
    throw new UsageError(`Unknown action “scam ${action}”; use add, remove, list or import.`)
  const storage = await openStorage(readConfig(io.env))
  try {
    await run(storage, words, io, values.json ?? false)
  } finally {
    await storage.close()
  }
}

async function add({ db }: Storage, words: string[], { print }: Io) {
  const domains = readDomains(words)
  await addScamDomains(db, domains, Date.now())
  print(`Added: ${domains.join(' ')}`)
}

async function remove({ db }: Storage, words: string[], { print }: Io) {
  for (const domain of readDomains(words))
    print(
      (await removeScamDomain(db, domain))
        ? `Removed: ${domain}`
        : `${domain} was not on the list.`,
    )
}

async function list({ db }: Storage, words: string[], { print }: Io, asJson: boolean) {
  if (words.length > 0) throw new UsageError(`Unexpected argument “${words[0]}”.`)
  const domains = await listScamDomains(db)
  if (asJson) print(JSON.stringify(domains, null, 2))
  else if (domains.length > 0) print(domains.join('\n'))
}

async function importFile({ db }: Storage, words: string[], { print }: Io) {
  const [file, ...more] = words
  if (file === undefined || more.length > 0)
    throw new UsageError('Name a file: gatefold scam import FILE, with one domain per line.')
  const lines = readLines(file)
  const domains = readDomains(lines)
  await addScamDomains(db, domains, Date.now())
  print(`Added ${domains.length} domains from ${file}.`)
}

function readLines(file: string): string[] {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`Cannot read ${file}: ${(error as Error).message}.`)
  }
  return text
    .split(/\r?\n/)
    .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
    .filter((line) => line !== '')
}

/** Maximum number of invalid entries that an error names. */
const maxNamed = 10

function readDomains(words: string[]): string[] {
  if (words.length === 0) throw new UsageError('Name a domain, such as phishing.example.')
  const wrong = words.filter((word) => toDomain(word) === undefined)
  if (wrong.length > 0)
    throw new UsageError(
      `Not domains: ${wrong
        .slice(0, maxNamed)
        .map((word) => `“${word}”`)
        .join(
          ', ',
        )}${wrong.length > maxNamed ? ` and ${wrong.length - maxNamed} more` : ''}. Write phishing.example, which includes its subdomains.`,
    )
  return [...new Set(words.flatMap((word) => toDomain(word) ?? []))]
}
