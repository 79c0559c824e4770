import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { findFiles, isTestFile } from './sources.ts'
import { visitNodes } from './visitNodes.ts'

const page = 'docs/limits.md'
const exported = 'packages/protocol/src/limits/'
const folders = ['packages/protocol/src', 'packages/server/src', 'packages/sign/src']

/**
 * Reports differences between docs/limits.md and the code. Each constant in
 * `packages/protocol/src/limits/` must have a row, and each row must have the value of the constant
 * with that name.
 *
 * @returns One line for each problem.
 */
export function findLimitProblems(root: string): string[] {
  const rows = readRows(readFileSync(join(root, page), 'utf8'))
  const constants = Map.groupBy(
    folders
      .flatMap((folder) => findFiles(root, folder, /\.ts$/))
      .filter((path) => !isTestFile(path))
      .flatMap((path) => readConstants(path, readFileSync(join(root, path), 'utf8'))),
    ({ name }) => name,
  )
  const names = new Set(rows.map(({ name }) => name))
  const missing = [...constants.values()]
    .flat()
    .filter(({ name, path }) => path.startsWith(exported) && !names.has(name))
    .map(({ name, path }) => `${page} has no row for ${name} from ${path}`)
  const wrong = rows.flatMap(({ name, value }) => {
    const found = constants.get(name) ?? []
    if (found.length === 0) return [`${page} names ${name}, but no constant has that name`]
    if (found.some((constant) => constant.value === value)) return []
    const actual = found.map((constant) => `${constant.value} in ${constant.path}`).join(', ')
    return [`${page} says that ${name} is ${value}, but it is ${actual}`]
  })
  return [...missing, ...wrong]
}

/** Reads the table rows that begin with a name in backticks, followed by a value. */
function readRows(text: string) {
  return [...text.matchAll(/^\| `(\w+)` \| ([^|]*) \|/gm)].map(([, name = '', value = '']) => ({
    name,
    value: value.replaceAll(/(?<=\d),(?=\d{3})/g, '').trim(),
  }))
}

/** Reads the constants of a file, at any level, that are a number, a string or a list of strings. */
function readConstants(path: string, text: string) {
  const constants: { name: string; value: string; path: string }[] = []
  const values = new Map<string, number>()
  visitNodes(parseSync(path, text).program.body, (node) => {
    if (node['type'] !== 'VariableDeclarator') return
    const name = (node['id'] as { name?: string }).name
    const value = evaluate(node['init'] as Expression | null, values)
    if (name === undefined || value === undefined) return
    if (typeof value === 'number') values.set(name, value)
    constants.push({ name, value: Array.isArray(value) ? value.join(', ') : String(value), path })
  })
  return constants
}

type Expression = {
  type: string
  value?: unknown
  name?: string
  operator?: string
  left?: Expression
  right?: Expression
  expression?: Expression
  elements?: Expression[]
}

type Value = number | string | string[]

function evaluate(
  node: Expression | null | undefined,
  values: ReadonlyMap<string, number>,
): Value | undefined {
  switch (node?.type) {
    case 'Literal':
      return typeof node.value === 'number' || typeof node.value === 'string'
        ? node.value
        : undefined
    case 'Identifier':
      return values.get(node.name ?? '')
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'ParenthesizedExpression':
      return evaluate(node.expression, values)
    case 'ArrayExpression': {
      const items = node.elements?.map((element) => evaluate(element, values)) ?? []
      return items.every((item) => typeof item === 'string') ? items : undefined
    }
    case 'BinaryExpression': {
      const left = evaluate(node.left, values)
      const right = evaluate(node.right, values)
      if (typeof left !== 'number' || typeof right !== 'number') return undefined
      if (node.operator === '*') return left * right
      return node.operator === '+' ? left + right : undefined
    }
    default:
      return undefined
  }
}
