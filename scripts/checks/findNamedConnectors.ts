import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { parseSync } from 'vite'
import { findSources, isTestFile } from './sources.ts'
import { visitNodes } from './visitNodes.ts'

const kit = 'packages/kit/src'

/** Folders of the kit whose code works for every connector and every chain family. */
const neutral = ['core', 'react', 'ui']

/** Ids of connectors and chain families, including those that have no folder yet. */
const ids = ['walletConnect', 'eip155', 'solana', 'bip122']

/** Files that may name a connector or chain family, with the reason. */
const allowed: Record<string, string> = {
  [`${kit}/core/connection/Connector.ts`]: 'the spec defines the connector types (§3.1)',
  [`${kit}/core/wallets/walletRows.ts`]: 'the spec defines the groups of the list (§9.9.1)',
  [`${kit}/ui/strings/en.ts`]: 'the catalog contains the texts of every view',
}

/**
 * Reports references in core, react or ui to a particular connector or chain family: imports of its
 * files, and literals with its id (`'walletConnect'`, `'WALLET_CONNECT'`, `{ eip155: … }`,
 * `'eip155:1'`). Such references are allowed in the connector's folder (`connectors/x`), in folders
 * with the connector's name (`ui/views/x`) and in `exports/`.
 *
 * @returns One line for each problem.
 */
export function findNamedConnectors(root: string): string[] {
  const names = [...new Set([...foldersIn(root, 'connectors'), ...foldersIn(root, 'adapters')])]
  return neutral.flatMap((folder) =>
    findSources(root, `${kit}/${folder}`)
      .filter(({ path }) => !isTestFile(path) && !(path in allowed))
      .filter(({ path }) => !names.some((name) => path.split('/').includes(name)))
      .flatMap(({ path, imports }) => [
        ...imports.flatMap(({ specifier }) => {
          const target = posix.join(posix.dirname(path), specifier)
          const name = names.find((one) => toNames(target).includes(one))
          const isOwn = specifier.startsWith('.') && name !== undefined
          return isOwn ? [`${path} imports ${specifier}, which belongs to ${name}`] : []
        }),
        ...findLiterals(path, readFileSync(join(root, path), 'utf8'), [...ids, ...names]),
      ]),
  )
}

/** The names of the folders and files directly in `connectors` or `adapters`. */
function foldersIn(root: string, folder: string): string[] {
  const path = join(root, kit, folder)
  if (!existsSync(path)) return []
  return readdirSync(path)
    .filter((name) => !isTestFile(name))
    .map((name) => name.replace(/\.tsx?$/, ''))
}

/** The segments of a path, without the file extension. */
function toNames(path: string): string[] {
  return path.replace(/\.tsx?$/, '').split('/')
}

function findLiterals(path: string, text: string, names: readonly string[]): string[] {
  const wanted = new Set(names.flatMap(spellings))
  const found = new Set<string>()
  const check = (value: unknown) => {
    if (typeof value === 'string' && wanted.has(value.split(':')[0] ?? '')) found.add(value)
  }
  const { program, errors } = parseSync(path, text)
  if (errors[0]) throw new Error(`${path} does not parse: ${errors[0].message}`)
  visitNodes(program, (node) => {
    if (/^(Import|Export(All|Named))/.test(String(node['type']))) return
    if (node['type'] === 'Literal') check(node['value'])
    if (node['type'] === 'TemplateElement') check((node['value'] as { cooked: string }).cooked)
    if (node['type'] === 'Property' && node['computed'] === false)
      check((node['key'] as { name?: string }).name)
  })
  return [...found].map((value) => `${path} names '${value}'`)
}

/** An id, and its form in connector types: `WALLET_CONNECT`. */
function spellings(name: string): string[] {
  const type = name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()
  return type.includes('_') ? [name, type] : [name]
}
