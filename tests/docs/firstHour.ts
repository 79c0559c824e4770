import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Chain } from '@gatefold/chain'
import type { TestBrowser } from '../browser.ts'
import { createCopy } from '../createCopy.ts'
import { visitExample } from '../examples/visitExample.ts'
import { readCommands, type Block } from './readDocuments.ts'

/** How long a step took, in ms. */
export type Step = { app: string; step: string; ms: number }

/**
 * Pinned versions of the scaffolding tools, which replace `@latest`, so that later releases do not affect the tests.
 */
const pinned: Record<string, string> = {
  'vite@latest': 'vite@9.3.0',
  'create-next-app@latest': 'create-next-app@16.4.3',
}

/** The commands of README.md that replace the installation from npm until the first release. */
export function readUnreleased(blocks: readonly Block[]): { pack: string; install: string } {
  const block = blocks.find(({ attributes }) => 'unreleased' in attributes)
  const [pack = '', install = ''] = block ? readCommands(block.code) : []
  return { pack, install }
}

/** Packs the packages as README.md says, in a copy of the repository. The caller removes the copy. */
export async function packAsDocumented(root: string, blocks: readonly Block[]) {
  const checkout = await createCopy(root)
  try {
    await run(readUnreleased(blocks).pack, checkout.path)
    return checkout
  } catch (error) {
    checkout.remove()
    throw error
  }
}

/**
 * Creates an app in an empty folder by following a document: runs its shell blocks, and writes the blocks that
 * have a `file`, in the order of the page. Then connects a demo wallet in the app. There are two differences
 * from the page: `@gatefold/kit` is installed from the packed packages, as README.md describes for the time
 * before the first release, and the scaffolding tools have fixed versions.
 *
 * @param options.app - the blocks' `app`, such as `vite`
 * @param options.checkout - a repository with packed packages, which is linked as `gatefold` beside the app
 * @param options.isLatest - uses the newest scaffolding tools, as a reader would
 * @returns the steps with their times, and the console's errors and warnings
 */
export async function followDocument(options: {
  blocks: readonly Block[]
  app: string
  checkout: string
  browser: TestBrowser
  chain: Chain
  isLatest?: boolean
}): Promise<{ steps: Step[]; problems: string[] }> {
  const { app, checkout, browser, chain } = options
  const blocks = options.blocks.filter(({ attributes }) => attributes['app'] === app)
  const steps: Step[] = []
  const servers: ChildProcess[] = []
  const empty = realpathSync(mkdtempSync(join(tmpdir(), `gatefold-${app}-`)))
  symlinkSync(checkout, join(empty, 'gatefold'), 'junction')
  let folder = empty
  let url = ''
  const timed = async <Result>(step: string, work: () => Promise<Result>) => {
    const start = Date.now()
    const result = await work()
    steps.push({ app, step, ms: Date.now() - start })
    return result
  }
  try {
    for (const { language, attributes, code } of blocks) {
      if (attributes['file'] !== undefined) {
        const path = join(folder, attributes['file'])
        mkdirSync(dirname(path), { recursive: true })
        writeFileSync(path, `${code}\n`)
        continue
      }
      if (language !== 'sh') throw new Error(`A ${language} block for ${app} has no file.`)
      for (const command of readCommands(code)) {
        const [, target] = /^cd (\S+)$/.exec(command) ?? []
        if (target !== undefined) folder = join(folder, target)
        else if (/^npm run dev\b/.test(command))
          url = await timed(command, async () => {
            const started = await startServer(command, folder, servers)
            // The first request compiles the page. On a busy machine, this may exceed the time limit of a page load.
            await (await fetch(started)).text()
            return started
          })
        else await timed(command, () => run(adapt(command, options.isLatest), folder))
      }
    }
    if (url === '') throw new Error(`No block for ${app} starts a server.`)
    const problems = await timed('connect a wallet', () => connect(browser, chain, url))
    return { steps, problems }
  } finally {
    for (const server of servers) await stop(server)
    rmSync(empty, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Replaces the packages from npm in a document's command with the packed ones, and `@latest` with pinned versions. */
export function adapt(command: string, isLatest = false): string {
  let adapted = command.replace(
    /(?<=^npm install .*)@gatefold\/kit(?= |$)/,
    '../gatefold/gatefold-*.tgz',
  )
  if (!isLatest)
    for (const [latest, version] of Object.entries(pinned))
      adapted = adapted.replace(latest, version)
  return adapted
}

const environment = () => ({
  ...process.env,
  NODE_OPTIONS: '',
  NODE_ENV: undefined,
  CI: '1',
  NEXT_TELEMETRY_DISABLED: '1',
  npm_config_yes: 'true',
  npm_config_prefer_offline: 'true',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
})

async function run(command: string, cwd: string): Promise<void> {
  const child = spawn(command, {
    cwd,
    env: environment(),
    shell: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { code, output } = await finish(child)
  if (code !== 0) throw new Error(`“${command}” failed:\n${output()}`)
}

/** Starts a development server. @returns the URL that it prints */
function startServer(command: string, cwd: string, servers: ChildProcess[]): Promise<string> {
  const child = spawn(command, {
    cwd,
    env: environment(),
    shell: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group, so that the server below npm can be stopped.
    detached: true,
  })
  servers.push(child)
  return new Promise((resolve, reject) => {
    let text = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (part: Buffer) => {
        // eslint-disable-next-line no-control-regex
        text += part.toString().replace(/\u001B\[[\d;]*m/g, '')
        const [url] = /http:\/\/localhost:\d+/.exec(text) ?? []
        if (url) resolve(url)
      })
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`“${command}” ended:\n${text}`)))
  })
}

async function finish(child: ReturnType<typeof spawn>) {
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (part: Buffer) => (text += part.toString()))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  return { code, output: () => text }
}

async function stop(server: ChildProcess) {
  if (server.exitCode !== null || server.signalCode !== null) return
  const exited = new Promise((resolve) => server.once('exit', resolve))
  process.kill(-server.pid!, 'SIGTERM')
  await exited
}

/** Next's warning about a disabled browser cache. Playwright disables the cache while a test handles requests. */
const cacheWarning = 'cache-bypass-in-dev'

/** Connects a demo wallet as a visitor does. @returns the console's errors and warnings */
async function connect(browser: TestBrowser, chain: Chain, url: string): Promise<string[]> {
  const site = await visitExample(browser, chain, url)
  try {
    await site.clickHydrated('Connect Wallet')
    await site.card.getByRole('button', { name: /^Halyard/ }).click()
    await site.approve()
    await site.page.getByRole('button', { name: /0xf39F/i }).waitFor()
    await site.page.reload()
    await site.page.getByRole('button', { name: /0xf39F/i }).waitFor()
    return site.problems().filter((problem) => !problem.includes(cacheWarning))
  } finally {
    await site.context.close()
  }
}
