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
import { join, relative } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { withLock } from '../../../scripts/launcher/lock.mjs'

const root = join(import.meta.dirname, '../../..')
const compressible = /\.(?:js|css|svg|json|txt|html|webmanifest)$/

/**
 * Builds a site for production if its inputs have changed since the last build. Concurrent
 * processes wait for the same build.
 *
 * @param options.name - name of the stamp file in `.gatefold/`
 * @param options.inputs - source files and folders, relative to the repository's root
 * @param options.output - a file that the build writes
 * @param options.files - folder of the files that browsers load, to which compressed copies are added; none by default
 * @returns Whether it was built.
 * @throws The errors of `build`.
 */
export async function buildOnce(options: {
  name: string
  inputs: readonly string[]
  output: string
  files?: string
  build: () => Promise<void>
}): Promise<boolean> {
  const folder = join(root, '.gatefold')
  // Accessible only to this user, because the server of `npm start` stores its database in this folder.
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const stamp = join(folder, options.name)
  return withLock(`${stamp}.lock`, `runs ${options.name}`, async () => {
    const hash = hashInputs(options.inputs)
    const built = existsSync(options.output)
    if (built && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return false
    rmSync(stamp, { force: true }) // an interrupted build must not count as current
    await options.build()
    if (options.files) compressFiles(options.files)
    writeFileSync(stamp, hash)
    return true
  })
}

function hashInputs(inputs: readonly string[]): string {
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

/** Writes `.br` and `.gz` copies of compressible files, so that the server need not compress files on request. */
function compressFiles(folder: string) {
  for (const path of listFiles(folder).filter((path) => compressible.test(path))) {
    const bytes = readFileSync(path)
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11 }
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }))
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
  }
}
