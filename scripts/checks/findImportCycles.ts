import { posix } from 'node:path'
import { findSources, type Source } from './sources.ts'

/**
 * Reports import cycles in packages and apps, including cycles of type-only imports. The linter
 * (`import/no-cycle`) ignores type-only imports, but files that need each other's types cannot be
 * read, moved or split separately either. `import()` expressions are allowed, because a lazy chunk
 * may use the code that loads it.
 *
 * @returns One line for each group of files that import each other, with its shortest cycle.
 */
export function findImportCycles(root: string): string[] {
  return ['packages', 'apps'].flatMap((folder) => {
    const graph = toGraph(findSources(root, folder))
    return findComponents(graph).map((files) => {
      const cycle = findShortestCycle(graph, files)
      const others = files.length - cycle.length
      const rest = others > 0 ? ` (and ${others} more files in the same group)` : ''
      return `${[...cycle, cycle[0]].join(' -> ')}${rest}`
    })
  })
}

type Graph = ReadonlyMap<string, readonly string[]>

function toGraph(sources: readonly Source[]): Graph {
  const known = new Set(sources.map(({ path }) => path))
  return new Map(
    sources.map(({ path, imports }) => [
      path,
      imports
        .filter(({ specifier, lazy }) => specifier.startsWith('.') && !lazy)
        .map(({ specifier }) => posix.join(posix.dirname(path), specifier))
        .filter((target) => known.has(target)),
    ]),
  )
}

/** Strongly connected components that contain a cycle (Tarjan's algorithm), sorted by path. */
function findComponents(graph: Graph): string[][] {
  const indexes = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const components: string[][] = []

  const visit = (file: string): void => {
    const index = indexes.size
    indexes.set(file, index)
    lowest.set(file, index)
    stack.push(file)
    for (const target of graph.get(file) ?? []) {
      if (!indexes.has(target)) visit(target)
      else if (!stack.includes(target)) continue
      lowest.set(file, Math.min(lowest.get(file) ?? index, lowest.get(target) ?? index))
    }
    if (lowest.get(file) !== index) return
    const files = stack.splice(stack.indexOf(file)).toSorted()
    if (files.length > 1 || graph.get(file)?.includes(file)) components.push(files)
  }

  for (const file of graph.keys()) if (!indexes.has(file)) visit(file)
  return components.toSorted(([a = ''], [b = '']) => a.localeCompare(b))
}

/** The shortest cycle that consists of files of the component. */
function findShortestCycle(graph: Graph, files: readonly string[]): string[] {
  const cycles = files.map((start) => findPathBack(graph, start, new Set(files)))
  return cycles.toSorted((a, b) => a.length - b.length)[0] ?? []
}

function findPathBack(graph: Graph, start: string, within: ReadonlySet<string>): string[] {
  const paths = [[start]]
  const seen = new Set<string>()
  for (const path of paths) {
    for (const target of graph.get(path.at(-1) ?? '') ?? []) {
      if (target === start) return path
      if (seen.has(target) || !within.has(target)) continue
      seen.add(target)
      paths.push([...path, target])
    }
  }
  return []
}
