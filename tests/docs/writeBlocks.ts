import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Block } from './readDocuments.ts'

/** The lines of a block's file, and the block's place in it. */
export type Written = { block: Block; linesAbove: number }

/**
 * Writes blocks as modules of a site, with a tsconfig.json for them.
 *
 * - Blocks with a `file` are the files of one app for each document, or for each `app=` in it, so they can
 *   import one another.
 * - Any other block continues the text above it: it sees the imports of the document's earlier blocks.
 * - Blocks of the API reference are examples of one export or option. They see all exports, and the names in
 *   {@link referenceNames}.
 *
 * @param exports - the names that each entry exports
 * @returns the blocks by the path of their file, relative to the site
 */
export function writeBlocks(
  site: string,
  blocks: readonly Block[],
  exports: Readonly<Record<string, readonly string[]>> = {},
): Map<string, Written> {
  writeFileSync(join(site, 'tsconfig.json'), JSON.stringify(tsconfig))
  return new Map(
    blocks.map((block) => {
      const above = blocks.filter(
        ({ document, line }) => document === block.document && line < block.line,
      )
      if (isReference(block)) return writeReference(site, block, exports)
      const lines = block.attributes['file'] ? [] : inheritImports(block, above)
      if (block.hidden !== '') lines.push(...block.hidden.split('\n'))
      const path = pathOf(block)
      mkdirSync(dirname(join(site, path)), { recursive: true })
      writeFileSync(join(site, path), [...lines, block.code, 'export {}', ''].join('\n'))
      return [path, { block, linesAbove: lines.length }]
    }),
  )
}

/** Whether a block is an example in the API reference, which is generated from the sources. */
export function isReference({ document }: Block) {
  return document.startsWith('docs/api/')
}

/** Whether a block of the API reference is a declaration, which is generated from the checked types. */
export function isSignature(block: Block) {
  return (
    isReference(block) &&
    /^(?:type|interface|(?:abstract )?class|function|declare|const \w+:|import\()/.test(block.code)
  )
}

/** Declarations that the examples of the API reference use without showing them. */
const referenceNames = `
declare const config: import('@wagmi/core').Config
declare const request: Request
declare const error: unknown
declare const address: \`0x\${string}\`
declare const metadata: import('@gatefold/kit').GatefoldOptions['metadata']
declare const token: import('@gatefold/kit').OnrampRequest['token'] & import('@gatefold/kit').Token
declare const quote: import('@gatefold/kit').OnrampQuote
declare const id: string
declare const label: string
declare const cookies: () => Promise<{ get(name: string): { name: string; value: string } | undefined }>`

const otherExports: Record<string, readonly string[]> = {
  'viem/chains': ['mainnet', 'base', 'optimism'],
  '@wagmi/core': ['createConfig', 'http'],
  wagmi: ['WagmiProvider'],
}

function writeReference(
  site: string,
  block: Block,
  exports: Readonly<Record<string, readonly string[]>>,
): [string, Written] {
  const { code } = block
  const isOption = /^\w+: /.test(code)
  const isUsed = (name: string) => new RegExp(`(?<![.\\w])${name}\\b`).test(code)
  const isDeclared = (name: string) =>
    new RegExp(`(?:const|let|function|import \\{) [^=\\n]*\\b${name}\\b`).test(
      code.replace(/\/\/.*/g, ''),
    )
  const names = new Map<string, string>()
  for (const [entry, exported] of Object.entries({ ...exports, ...otherExports }))
    for (const name of exported)
      if (!names.has(name) && isUsed(name) && !isDeclared(name)) names.set(name, entry)
  const lines = [
    ...Array.from(names, ([name, entry]) => `import { ${name} } from '${entry}'`),
    ...referenceNames.split('\n').filter((line) => {
      const [, name = ''] = /const (\w+)/.exec(line) ?? []
      return isUsed(name) && !isDeclared(name)
    }),
    ...(isUsed('kit') && !isDeclared('kit')
      ? [`declare const kit: import('@gatefold/kit').Kit`]
      : []),
  ]
  const hasImports = /^import /m.test(code)
  const [before, after] = isOption
    ? [`const options: Partial<import('@gatefold/kit').GatefoldOptions> = {`, '}; void options']
    : hasImports
      ? ['', '']
      : ['export async function Example() {', '}']
  const path = pathOf(block)
  mkdirSync(dirname(join(site, path)), { recursive: true })
  writeFileSync(join(site, path), [...lines, before, code, after, 'export {}', ''].join('\n'))
  return [path, { block, linesAbove: lines.length + 1 }]
}

function pathOf({ document, line, language, attributes }: Block) {
  const { app = '', file = `line-${line}.${language}` } = attributes
  return join('blocks', document.replace(/\W+/g, '-'), app, file)
}

/** The imports of earlier blocks that a block needs. Later blocks come first. */
function inheritImports({ code, hidden }: Block, above: readonly Block[]): string[] {
  const own = `${hidden}\n${code}`
  const known = new Set(readImports(own).flatMap(({ names }) => names))
  const isUsed = (name: string) => new RegExp(`\\b${name}\\b`).test(own)
  const isDeclared = (name: string) =>
    new RegExp(`\\b(?:const|let|function|class|type|interface) ${name}\\b`).test(own)
  const lines: string[] = []
  for (const { code, hidden } of above.toReversed())
    for (const { statement, names } of readImports(`${hidden}\n${code}`)) {
      const needed = names.filter((name) => !known.has(name) && isUsed(name) && !isDeclared(name))
      for (const name of needed) known.add(name)
      if (needed.length > 0) lines.push(keepNames(statement, needed))
    }
  return lines
}

function readImports(code: string) {
  const statements = code.matchAll(/^import (?:type )?([^'"]+?) from '[^']+'$/gm)
  return Array.from(statements, ([statement, clause = '']) => ({
    statement: statement.replaceAll('\n', ' '),
    names: clause
      .replace(/[{}]/g, ',')
      .split(',')
      .map((one) => one.trim().split(/\s+/).at(-1) ?? '')
      .filter((name) => /^\w+$/.test(name)),
  }))
}

/** An import statement with only some of its names. */
function keepNames(statement: string, names: readonly string[]) {
  return statement.replace(/\{(.*?)\}/, (_, inner: string) => {
    const kept = inner
      .split(',')
      .map((one) => one.trim())
      .filter((one) => names.includes(one.split(/\s+/).at(-1) ?? ''))
    return `{ ${kept.join(', ')} }`
  })
}

const tsconfig = {
  compilerOptions: {
    target: 'es2023',
    lib: ['es2024', 'dom', 'dom.iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    jsx: 'react-jsx',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    resolveJsonModule: true,
    allowImportingTsExtensions: true,
    types: ['node', 'vite/client'],
  },
  include: ['blocks'],
}
