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
import { dirname, join, relative } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { lock } from './lock.ts'

const root = join(import.meta.dirname, '../../..')
const compressible = /\.(?:js|css|svg|json|txt|html|webmanifest)$/

/**
 * Builds a site for production, unless the last build was made of the same sources. Of several
 * processes at once one builds, and the others wait for it.
 *
 * @param options.name - of the stamp that is kept in `.gatefold/`
 * @param options.inputs - files and folders the build is made of, from the repository's root
 * @param options.proof - a file that is there once it was built
 * @param options.files - folder of what browsers load; compressed copies are put beside
 * @returns Whether it had to build.
 * @throws What `build` throws.
 */
export async function buildOnce(options: {
  name: string
  inputs: readonly string[]
  proof: string
  files: string
  build: () => Promise<void>
}): Promise<boolean> {
  const stamp = join(root, '.gatefold', options.name)
  mkdirSync(dirname(stamp), { recursive: true })
  const release = await lock(`${stamp}.lock`)
  try {
    const now = hashInputs(options.inputs)
    const built = existsSync(options.proof)
    if (built && existsSync(stamp) && readFileSync(stamp, 'utf8') === now) return false
    rmSync(stamp, { force: true }) // a build that is cut off must not pass for the last one
    await options.build()
    compressFiles(options.files)
    writeFileSync(stamp, now)
    return true
  } finally {
    release()
  }
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

/** Writes `.br` and `.gz` beside what shrinks, so that no request waits for a compressor. */
function compressFiles(folder: string) {
  for (const path of listFiles(folder).filter((path) => compressible.test(path))) {
    const bytes = readFileSync(path)
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11 }
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }))
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
  }
}
