import { posix } from 'node:path'
import { parseSync } from 'vite'

/** An exported declaration, or one that an exported declaration refers to. */
export type Item = {
  name: string
  /** The file of the declaration. */
  path: string
  kind: 'function' | 'class' | 'type' | 'constant' | 'namespace'
  doc: Doc | undefined
  /** The declaration with the comments in it, without its own comment and `export declare`. */
  code: string
  /** The declaration with `{ … }` for each object type; undefined if it contains a union of object types. */
  outline: string | undefined
  members: readonly Member[]
  /** Declarations of the packages that this one refers to. */
  references: readonly Item[]
}

/** A property or method in an item's types; `name` is a path such as `endpoints.relay`. */
export type Member = {
  name: string
  type: string
  optional: boolean
  /** Whether it has only one value, such as the `type` of an event, and needs no description. */
  fixed: boolean
  doc: Doc | undefined
  /** Whether it is in the result of a function. */
  isResult: boolean
}

/** A JSDoc comment. */
export type Doc = {
  text: string
  tags: readonly { name: string; text: string }[]
}

type Node = Record<string, unknown> & { type: string; start: number; end: number }

type Module = {
  path: string
  text: string
  body: Node[]
  comments: { value: string; start: number; end: number; type: string }[]
}

/**
 * Reads the exports of a module from declaration files.
 *
 * @param files - declaration files by path, for example `kit/src/exports/index.d.ts`
 * @param packages - paths of the declaration files of packages, by specifier
 */
export function createReader(
  files: ReadonlyMap<string, string>,
  packages: ReadonlyMap<string, string> = new Map(),
) {
  const modules = new Map<string, Module>()
  const items = new Map<string, Item>()

  /** The exports of a module by name, sorted. */
  function readExports(path: string): Map<string, Item> {
    const found = [...exportNames(path)].flatMap((name) => {
      const item = readItem(path, name)
      return item ? [[name, { ...item, name }] as const] : []
    })
    return new Map(found.toSorted(([a], [b]) => a.localeCompare(b)))
  }

  function exportNames(path: string): Set<string> {
    const names = new Set<string>()
    for (const node of moduleOf(path).body) {
      if (node.type === 'ExportAllDeclaration') {
        const to = pathOf(path, sourceOf(node))
        if (node['exported']) names.add(nameOf(node['exported']))
        else if (to) for (const name of exportNames(to)) names.add(name)
      }
      if (node.type === 'ExportDefaultDeclaration') names.add('default')
      if (node.type !== 'ExportNamedDeclaration') continue
      for (const { exported } of node['specifiers'] as { exported: unknown }[])
        names.add(nameOf(exported))
      for (const name of declaredNames(node['declaration'] as Node | null)) names.add(name)
    }
    return names
  }

  /** Finds the declaration of a name that a module exports, imports or declares. */
  function readItem(path: string, name: string): Item | undefined {
    const module = moduleOf(path)
    for (const node of module.body) {
      const declaration = (node['declaration'] ?? node) as Node
      if (declaredNames(declaration).includes(name) && node.type !== 'ImportDeclaration')
        return itemOf(module, name)
      if (node.type === 'ImportDeclaration' || node.type === 'ExportNamedDeclaration') {
        for (const specifier of (node['specifiers'] as Node[] | undefined) ?? []) {
          const outer = nameOf(specifier['exported'] ?? specifier['local'])
          if (outer !== name) continue
          const inner = nameOf(specifier['imported'] ?? specifier['local'])
          if (!node['source']) return readItem(path, inner) ?? undefined
          const to = pathOf(path, sourceOf(node))
          return to && specifier.type !== 'ImportNamespaceSpecifier'
            ? readItem(to, inner)
            : undefined
        }
      }
      if (node.type === 'ExportAllDeclaration') {
        const to = pathOf(path, sourceOf(node))
        if (!to) continue
        if (node['exported'] && nameOf(node['exported']) === name) return namespaceOf(to, name)
        if (!node['exported'] && exportNames(to).has(name)) return readItem(to, name)
      }
    }
    return undefined
  }

  function namespaceOf(path: string, name: string): Item {
    const references = [...readExports(path).values()]
    const code = `namespace ${name} { ${references.map((item) => item.name).join(', ')} }`
    return {
      name,
      path,
      kind: 'namespace',
      doc: fileDoc(moduleOf(path)),
      code,
      outline: undefined,
      members: [],
      references,
    }
  }

  function itemOf(module: Module, name: string): Item {
    const key = `${module.path}#${name}`
    const known = items.get(key)
    if (known) return known
    const nodes = module.body.filter((node) =>
      declaredNames((node['declaration'] ?? node) as Node).includes(name),
    )
    const references: Item[] = []
    const item: Item = {
      name,
      path: module.path,
      kind: kindOf((nodes[0]!['declaration'] ?? nodes[0]) as Node),
      doc: nodes.map((node) => docBefore(module, node)).find(Boolean),
      code: nodes.map((node) => codeOf(module, node)).join('\n\n'),
      outline: nodes.length === 1 ? outlineOf(module, nodes[0]!) : undefined,
      members: nodes.flatMap((node) => membersOf(module, (node['declaration'] ?? node) as Node)),
      references,
    }
    items.set(key, item)
    const found = new Set<Item>()
    for (const node of nodes) for (const other of referencesOf(module, node)) found.add(other)
    found.delete(item)
    references.push(...found)
    return item
  }

  function referencesOf(module: Module, root: Node): Item[] {
    const found: Item[] = []
    walk(root, (node) => {
      if (isInternal(module, node)) return false
      const [to, name] =
        node.type === 'TSImportType'
          ? [pathOf(module.path, sourceOf(node)), firstName(node['qualifier'])]
          : [module.path, node.type === 'TSTypeReference' ? firstName(node['typeName']) : undefined]
      const item = to && name ? readItem(to, name) : undefined
      if (item) found.push(item)
      return true
    })
    return found
  }

  function moduleOf(path: string): Module {
    const known = modules.get(path)
    if (known) return known
    const text = files.get(path)
    if (text === undefined) throw new Error(`There is no declaration file ${path}`)
    const { program, comments, errors } = parseSync(path, text)
    if (errors[0]) throw new Error(`${path} does not parse: ${errors[0].message}`)
    const module = { path, text, body: program.body as unknown as Node[], comments }
    modules.set(path, module)
    return module
  }

  function pathOf(from: string, specifier: string): string | undefined {
    const path = specifier.startsWith('.')
      ? posix.join(posix.dirname(from), specifier.replace(/\.tsx?$/, '.d.ts'))
      : packages.get(specifier)
    return path !== undefined && files.has(path) ? path : undefined
  }

  return { readExports }
}

function sourceOf(node: Node): string {
  return (node['source'] as { value: string }).value
}

function nameOf(node: unknown): string {
  const { name, value } = node as { name?: string; value?: string }
  return name ?? value ?? ''
}

/** The first name of `A.B.C`. */
function firstName(node: unknown): string | undefined {
  let current = node as Node | undefined
  while (current?.type === 'TSQualifiedName') current = current['left'] as Node
  return current?.type === 'Identifier' ? nameOf(current) : undefined
}

function declaredNames(node: Node | null): string[] {
  if (node?.type === 'VariableDeclaration')
    return (node['declarations'] as { id: unknown }[]).map(({ id }) => nameOf(id))
  return node && /^(TS\w+Declaration|TSDeclareFunction|ClassDeclaration)$/.test(node.type)
    ? [nameOf(node['id'])]
    : []
}

function kindOf(node: Node): Item['kind'] {
  if (node.type === 'TSDeclareFunction') return 'function'
  if (node.type === 'ClassDeclaration') return 'class'
  if (node.type === 'VariableDeclaration') return 'constant'
  return node.type === 'TSModuleDeclaration' ? 'namespace' : 'type'
}

/** The declaration's text without the paths of imports. */
function codeOf(module: Module, node: Node): string {
  return withoutPaths(module.text.slice(node.start, node.end))
    .replace(/^export (?:declare )?/, '')
    .replace(/;$/, '')
}

/** The declaration of a type with each object type as `{ … }`; undefined if it contains a union of object types. */
function outlineOf(module: Module, root: Node): string | undefined {
  let isUnion = false
  const literals: Node[] = []
  walk(root, (node) => {
    if (node.type === 'TSUnionType')
      isUnion ||= (node['types'] as Node[]).some(({ type }) => type === 'TSTypeLiteral')
    if (node.type === 'TSMappedType' || node.type === 'TSConditionalType') isUnion = true
    if (node.type !== 'TSTypeLiteral') return true
    literals.push(node)
    return false
  })
  if (isUnion) return undefined
  let text = ''
  let from = root.start
  for (const { start, end } of literals) {
    text += `${module.text.slice(from, start)}{ … }`
    from = end
  }
  return withoutPaths(text + module.text.slice(from, root.end))
    .replace(/^export (?:declare )?/, '')
    .replace(/;$/, '')
}

/** A type's text on one line, without comments. */
function textOf({ text, comments }: Module, { start, end }: { start: number; end: number }) {
  let result = ''
  let from = start
  for (const comment of comments) {
    if (comment.start < start || comment.end > end) continue
    result += text.slice(from, comment.start)
    from = comment.end
  }
  return withoutPaths(result + text.slice(from, end))
    .replaceAll(/;\s*\}/g, ' }')
    .replaceAll(/\s+/g, ' ')
}

function withoutPaths(text: string): string {
  return text.replaceAll(/import\("[^"]+"\)\./g, '')
}

/** The members of all object types in a declaration, except those tagged `@internal`. */
function membersOf(module: Module, declaration: Node): Member[] {
  const members: Member[] = []
  const read = (root: unknown, prefix: string, isResult: boolean) =>
    walk(root, (node) => {
      if (isInternal(module, node)) return false
      if (/^(TSPropertySignature|TSMethodSignature|PropertyDefinition)$/.test(node.type)) {
        const name = `${prefix}${memberName(module, node)}`
        const type = (node['typeAnnotation'] as Node | null)?.['typeAnnotation'] as Node | undefined
        members.push({
          name,
          type: type ? textOf(module, type) : signatureOf(module, node),
          optional: Boolean(node['optional']),
          fixed: type?.type === 'TSLiteralType' || (isClass(node) && name === 'name'),
          doc: docBefore(module, node),
          isResult,
        })
        read(type ?? node['params'], `${name}.`, isResult)
        return false
      }
      if (node.type === 'MethodDefinition') return false
      if (node.type === 'TSDeclareFunction') {
        read(node['params'], prefix, false)
        read(node['returnType'], prefix, true)
        return false
      }
      return true
    })
  read(declaration, '', false)
  return members
}

/** Calls `visitor` with each node, parents first, and skips the children of nodes for which it returns false. */
function walk(node: unknown, visitor: (node: Node) => boolean): void {
  if (typeof node !== 'object' || node === null) return
  if (!Array.isArray(node) && 'type' in node && !visitor(node as Node)) return
  for (const child of Object.values(node)) walk(child, visitor)
}

/** Whether a node is a field of a class. The `name` of an error class needs no description. */
function isClass(node: Node): boolean {
  return node.type === 'PropertyDefinition'
}

function isInternal(module: Module, node: Node): boolean {
  return (
    /Signature$|Definition$/.test(node.type) &&
    Boolean(docBefore(module, node)?.tags.some(({ name }) => name === 'internal'))
  )
}

function memberName(module: Module, node: Node): string {
  const key = node['key'] as Node
  const text = module.text.slice(key.start, key.end)
  return node['computed'] ? `[${text}]` : text.replaceAll(/^['"]|['"]$/g, '')
}

/** The parameters and result of a method. */
function signatureOf(module: Module, node: Node): string {
  const value = (node['value'] as Node | null) ?? node
  const key = node['key'] as Node
  return textOf(module, { start: key.end + (node['computed'] ? 1 : 0), end: value.end })
    .replace(/^\?/, '')
    .replace(/[;,]$/, '')
    .trim()
}

function fileDoc(module: Module): Doc | undefined {
  const [first] = module.comments
  return first && first.start === 0 ? parseDoc(first.value) : undefined
}

/** The JSDoc comment that ends right before a node. */
function docBefore(module: Module, node: Node): Doc | undefined {
  const comment = module.comments.findLast(
    ({ end, type }) =>
      type === 'Block' && end <= node.start && module.text.slice(end, node.start).trim() === '',
  )
  return comment?.value.startsWith('*') ? parseDoc(comment.value) : undefined
}

/** Parses the text between the delimiters of a JSDoc comment. */
function parseDoc(comment: string): Doc {
  const lines = comment
    .replace(/^\*/, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trimEnd())
  const text: string[] = []
  const tags: { name: string; lines: string[] }[] = []
  for (const line of lines.flatMap((one) =>
    one.split(/(?<=[.!?`)\w]) (?=@(?:see|default|example|throws|returns)\b)/),
  )) {
    const [, name, rest] = /^\s*@(\w+)\s?(.*)$/.exec(line) ?? []
    if (name) tags.push({ name, lines: [rest ?? ''] })
    else (tags.at(-1)?.lines ?? text).push(line)
  }
  return {
    text: text.join('\n').trim(),
    tags: tags.map(({ name, lines: found }) => ({ name, text: found.join('\n').trim() })),
  }
}
