import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { parseSync } from 'vite'
import { visitNodes } from './visitNodes.ts'

/**
 * A module that a file imports with `import`, `export … from` or `import()`, or names in a type. `lazy` if
 * each use is an `import()` expression.
 */
export type Import = { specifier: string; lazy: boolean }

/** A source file; `path` is relative to the root, with forward slashes. */
export type Source = { path: string; imports: Import[] }

const skipped = new Set(['node_modules', 'dist', 'build', 'public', 'coverage', 'test-results'])

/** Finds all TypeScript and JavaScript files below a folder, except in generated and hidden folders. */
export function findSources(root: string, folder: string): Source[] {
  return findFiles(root, folder, /\.[cm]?[jt]sx?$/).map((path) => ({
    path,
    imports: readImports(path, readFileSync(join(root, path), 'utf8')),
  }))
}

/**
 * Finds the files below a folder with a matching file name, except in generated and hidden folders.
 *
 * @returns paths relative to the root
 */
export function findFiles(root: string, folder: string, pattern: RegExp): string[] {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name)
    if (entry.name.startsWith('.') || skipped.has(entry.name)) return []
    if (entry.isDirectory()) return findFiles(root, path, pattern)
    return pattern.test(entry.name) ? [path] : []
  })
}

/**
 * Reads the imports of a file. Uses a parser, so that comments and strings that look like imports do
 * not count.
 *
 * @throws Error when the file does not parse.
 */
export function readImports(path: string, text: string): Import[] {
  const { module, program, errors } = parseSync(path, text)
  if (errors[0]) throw new Error(`${path} does not parse: ${errors[0].message}`)
  const fixed = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ),
  ]
  const lazy = module.dynamicImports
    .map(({ moduleRequest }) => text.slice(moduleRequest.start, moduleRequest.end))
    .filter((request) => /^(['"`])[^$]*\1$/.test(request))
    .map((request) => request.slice(1, -1))
  const eager = new Set([...fixed, ...typeImports(program, text)])
  return [...new Set([...eager, ...lazy])].map((specifier) => ({
    specifier,
    lazy: !eager.has(specifier),
  }))
}

/** Finds modules referenced in types: `import('./a.ts').A`. */
function typeImports(program: unknown, text: string): string[] {
  if (!text.includes('import(')) return []
  const found: string[] = []
  visitNodes(program, (node) => {
    if (node['type'] !== 'TSImportType') return
    found.push((node['source'] as { value: string }).value)
  })
  return found
}

/** Whether a file is never shipped, because it is a test or a benchmark, or is used only by tests. */
export function isTestFile(path: string): boolean {
  return (
    /\.(test|test-d|bench|fixture)\.[jt]sx?$/.test(path) ||
    /(^|\/)(tests?|testing|fixtures)\//.test(path)
  )
}

/**
 * The package that a bare specifier names: `@scope/name` or `name`; `undefined` for paths, subpath imports
 * (`#x`), and the prefixes `node:`, `virtual:` and `data:`.
 */
export function packageOf(specifier: string): string | undefined {
  if (/^([./#]|node:|virtual:|data:)/.test(specifier)) return undefined
  const [first = '', second = ''] = specifier.split('/')
  return first.startsWith('@') ? `${first}/${second}` : first
}
