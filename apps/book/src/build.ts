import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { lock } from './lock.ts'

const book = join(import.meta.dirname, '..')
const root = join(book, '../..')
const stamp = join(root, '.gatefold/book-build')

/** Everything the bundles are made of. */
const inputs = [
  'apps/book/app',
  'apps/book/public',
  'apps/book/package.json',
  'apps/book/react-router.config.ts',
  'apps/book/vite.config.ts',
  'apps/wallets/src',
  'packages/kit/src',
  'packages/kit/package.json',
  'packages/protocol/src',
  'package-lock.json',
]

const compressible = /\.(?:js|css|svg|json|txt)$/

/**
 * Builds the book for production, unless the last build was made of the same sources.
 *
 * @returns Whether it had to build.
 * @throws When the build fails; what the bundler said is in the message.
 */
export async function buildBook(): Promise<boolean> {
  mkdirSync(dirname(stamp), { recursive: true })
  const release = await lock(`${stamp}.lock`)
  try {
    const now = hashInputs()
    const built = existsSync(join(book, 'build/server/index.js'))
    if (built && existsSync(stamp) && readFileSync(stamp, 'utf8') === now) return false
    rmSync(stamp, { force: true }) // a build that is cut off must not pass for the last one
    await runBuild()
    compressFiles(join(book, 'build/client'))
    writeFileSync(stamp, now)
    return true
  } finally {
    release()
  }
}

function hashInputs(): string {
  const hash = createHash('sha256')
  for (const path of inputs.flatMap((input) => listFiles(join(root, input))).sort()) {
    if (/\.test(?:-d)?\.tsx?$/.test(path)) continue
    hash.update(relative(root, path)).update('\0').update(readFileSync(path)).update('\0')
  }
  return hash.digest('hex')
}

function listFiles(path: string): string[] {
  if (!existsSync(path)) return []
  if (statSync(path).isFile()) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/** A process of its own: the bundler changes `NODE_ENV` and keeps its plugins' state. */
function runBuild(): Promise<void> {
  const manifest = createRequire(import.meta.url).resolve('@react-router/dev/package.json')
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: Record<string, string> }
  const program = join(dirname(manifest), bin['react-router'] ?? '')
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, 'build'], {
      cwd: book,
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    child.stdout.on('data', (text) => (said += text))
    child.stderr.on('data', (text) => (said += text))
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`The book could not be built:\n${stripVTControlCharacters(said)}`))
    })
  })
}

/** Writes `.br` and `.gz` beside what shrinks, so that no request waits for a compressor. */
function compressFiles(folder: string) {
  for (const path of listFiles(folder).filter((path) => compressible.test(path))) {
    const bytes = readFileSync(path)
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11 }
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }))
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
  }
}

if (import.meta.main) {
  const fresh = await buildBook()
  process.stdout.write(fresh ? 'The book is built.\n' : 'The book was built already.\n')
}
