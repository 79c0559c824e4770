import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startChain, type Chain } from '@gatefold/chain'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { helpOf, isCommand } from '../../packages/server/src/cli/help.ts'
import { createDatabase, type TestDatabase } from '../../packages/server/src/testing/databases.ts'
import { exceptions, failing } from './commands.ts'
import { readCommands, readDocuments } from './readDocuments.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { blocks, commands: inline } = readDocuments(root)
const shell = blocks
  .filter(({ language, attributes }) => language === 'sh' && !attributes['file'])
  .map(({ document, line, code }) => ({ document, line, commands: readCommands(code) }))

const isException = (command: string) =>
  Object.keys(exceptions).some(
    (start) =>
      command === start ||
      command.startsWith(`${start} `) ||
      command.startsWith(`${start}@`) ||
      command.startsWith(`${start}/`),
  )
const scripts = (
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
).scripts

let chain: Chain
let database: TestDatabase
beforeAll(async () => {
  ;[chain, database] = await Promise.all([startChain(), createDatabase('postgres')])
})
afterAll(async () => {
  await chain.stop()
  await database.remove()
})

describe.each([...new Set(shell.map(({ document }) => document))])('%s', (document) => {
  let dataDir: string
  beforeAll(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'gatefold-docs-'))
  })
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

  // One folder for a document, because its blocks build on one another.
  const runnable = shell
    .filter((block) => block.document === document)
    .flatMap(({ line, commands }) => commands.map((command) => ({ line, command })))
    .filter(({ command }) => !isException(command))

  test('its shell blocks run as written, in order', async () => {
    for (const { line, command } of runnable) {
      const place = `${document}:${line}: ${command}`
      const { code, output } = await run(command, dataDir)
      const expected = failing[command] ?? { code: 0, output: /./ }
      expect(code, `${place}\n${output}`).toBe(expected.code)
      expect(output, place).toMatch(expected.output)
    }
  }, 300_000)
})

describe('commands in the text', () => {
  test('npm scripts exist', () => {
    const all = [
      ...inline,
      ...shell.flatMap(({ document, line, commands }) =>
        commands.map((command) => ({ document, line, command })),
      ),
    ]
    const used = all.flatMap(({ command, ...place }) =>
      Array.from(command.matchAll(/\bnpm (?:run )?([\w:]+)/g), ([, name = '']) => ({
        name,
        ...place,
      })),
    )
    const own = new Set(['install', 'ci', 'pack', 'create', 'run', 'exec'])
    const missing = used.filter(({ name }) => !own.has(name) && !(name in scripts))
    expect(used.length).toBeGreaterThan(20)
    expect(missing).toEqual([])
  })

  test('every npm script runs a task that the launcher knows', () => {
    const run = spawnSync(process.execPath, [join(root, 'scripts/run.mjs')], { encoding: 'utf8' })
    const [, list = ''] = /available: (.*)/.exec(run.stderr) ?? []
    const tasks = Object.values(scripts).map((script) => script.split(' ').at(-1))
    expect(list.split(', ')).toEqual(expect.arrayContaining(tasks))
  })

  test('gatefold’s commands and options exist', () => {
    const used = inline.flatMap(({ command, ...place }) => {
      const [, words] = /^(?:npx |npm run )?gatefold(?: --)?(?: (.*))?$/.exec(command) ?? []
      return words ? [{ words: words.split(' '), ...place }] : []
    })
    expect(used.length).toBeGreaterThan(3)
    for (const { words, document, line } of used) {
      const [name = '', action] = words
      const place = `${document}:${line}: ${words.join(' ')}`
      expect(['help', '--help'].includes(name) || isCommand(name), place).toBe(true)
      const page = isCommand(name) ? helpOf(name) : ''
      const start = action && !action.startsWith('-') && page ? `gatefold ${name} ${action}` : ''
      expect(page, place).toContain(start)
      for (const option of words.filter((word) => word.startsWith('--') && word !== '--help'))
        expect(page, place).toContain(option)
    }
  })

  test('other commands are listed with the file that covers them', () => {
    const unknown = inline.filter(
      ({ command }) =>
        !/\bgatefold\b/.test(command) &&
        !isException(command) &&
        !command.startsWith('node --conditions'),
    )
    expect(unknown).toEqual([])
  })
})

test('each file that covers a command exists', () => {
  for (const [command, { reason, coveredBy }] of Object.entries(exceptions)) {
    expect(reason, command).toMatch(/\w+ \w+/)
    expect(existsSync(join(root, coveredBy)), `${command}: ${coveredBy}`).toBe(true)
  }
})

/**
 * Runs a command in the shell, as written except for the placeholder of a database. A server is stopped
 * once it has responded.
 */
async function run(command: string, dataDir: string) {
  const { DATABASE_URL: _, REDIS_URL: __, NODE_OPTIONS: ___, ...env } = process.env
  const child = spawn('sh', ['-c', command.replace('postgres://…', database.config.databaseUrl!)], {
    cwd: root,
    env: {
      ...env,
      PATH: [join(root, 'node_modules/.bin'), env['PATH']].join(delimiter),
      GATEFOLD_DATA_DIR: dataDir,
      GATEFOLD_RPC_URLS: JSON.stringify({ 'eip155:31337': [chain.url] }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group, so that a server below npm can be stopped.
    detached: true,
  })
  let output = ''
  let isStopped = false
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const [, port] = /"port":(\d+).*"msg":"listening"/.exec(output) ?? []
      if (!port || isStopped) return
      isStopped = true
      void fetch(`http://127.0.0.1:${port}/health`)
        .then(({ status }) => (output += `\nhealth: ${status}`))
        .finally(() => process.kill(-child.pid!, 'SIGTERM'))
    })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  // npm and the launcher report the signal as their exit code.
  return { code: isStopped ? Number(!output.includes('health: 200')) : code, output }
}
