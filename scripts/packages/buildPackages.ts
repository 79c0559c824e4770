import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import { buildStyles } from './buildStyles.ts'
import { findPublished } from './findPublished.ts'

/**
 * Builds every published package into its `dist/`: modules, types and source maps.
 *
 * @returns The package names in build order.
 * @throws Error with the compiler's output if a package does not compile.
 */
export async function buildPackages(root: string): Promise<string[]> {
  const published = findPublished(root)
  for (const { folder } of published) await buildPackage(root, folder)
  return published.map(({ name }) => name)
}

async function buildPackage(root: string, folder: string) {
  const dist = join(root, folder, 'dist')
  rmSync(dist, { recursive: true, force: true })
  await compile(root, folder)
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' })
  for (const name of files.filter((name) => name.endsWith('.d.ts'))) {
    rewrite(join(dist, name), pointTypesAtTypes)
  }
  const styles = new Set<string>()
  for (const name of files.filter((name) => name.endsWith('.js'))) {
    rewrite(join(dist, name), (text) => pointStylesAtModules(text, dirname(name), styles))
  }
  await buildStyles({ source: join(root, folder, 'src'), out: dist, styles: [...styles] })
}

function compile(root: string, folder: string): Promise<void> {
  const compiler = createRequire(import.meta.url).resolve('typescript/package.json')
  const args = [join(dirname(compiler), 'bin/tsc'), '-p', join(root, folder, 'tsconfig.build.json')]
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`${folder} failed to build:\n${output}`))
    })
  })
}

function rewrite(path: string, change: (text: string) => string) {
  const text = readFileSync(path, 'utf8')
  const changed = change(text)
  if (changed !== text) writeFileSync(path, changed)
}

/** Rewrites `./x.ts` to `./x.js` in declarations; the compiler does this only in modules. */
function pointTypesAtTypes(text: string) {
  return text.replace(/(\bfrom |\bimport\()(['"])(\.{1,2}\/[^'"]+)\.tsx?\2/g, '$1$2$3.js$2')
}

/**
 * Rewrites `./x.css?inline`, which only Vite resolves, to `./x.css.js`.
 *
 * @param folder - folder of the module, relative to `dist/`
 * @param styles - collects the imported stylesheets, relative to `src/`
 */
function pointStylesAtModules(text: string, folder: string, styles: Set<string>) {
  return text.replace(/(\bfrom ['"])(\.{1,2}\/[^'"]+\.css)\?inline(?=['"])/g, (_, from, path) => {
    styles.add(relative('.', join(folder, path)).replaceAll(sep, '/'))
    return `${from}${path}.js`
  })
}
