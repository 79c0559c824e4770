/** The modules of TanStack Query with which components read queries; pages without hooks do not load them. */
const observer =
  '@tanstack/(query-core|react-query)/.+/(queryObserver|useBaseQuery|useQuery|suspense|errorBoundaryUtils|QueryErrorResetBoundary|IsRestoringProvider)'

/** Matches modules. @param paths - a regular expression for the ends of their paths, without extension */
const modules = (paths: string) => new RegExp(`[\\\\/](${paths.replaceAll('/', '[\\\\/]')})\\.`)

/** Matches modules of the kit. @param paths - a regular expression for paths in its source folder, without extension */
const ofKit = (paths: string) => modules(`kit/(src|dist)/(${paths})`)

/** Matches the modules that export a lazy chunk, in folders named `chunks`. */
const exportsOf = (chunk: string) => ofKit(`.+/chunks/${chunk}`)

/** The kit's lazy chunks. A module that several of them need is in the first of these. */
const chunks: readonly { name: string; test: RegExp }[] = [
  { name: 'modal', test: exportsOf('modal') },
  { name: 'connect', test: exportsOf('connect') },
  // Modules that others share with the protocol client: loading them must not
  // load the client. And small modules that would be files of their own, whose
  // names the first load would contain.
  {
    name: 'shared',
    test: ofKit(
      'core/(platform/(appLink|isOffline|openLink|safeHref)|kit/requestErrors|connection/ProviderRpcError|money/pending/pendingKey|notifications/unauthorizedAlert)',
    ),
  },
  // Modules that the views before and after connecting share. A view that needs
  // them must load neither the account view nor, before connecting, the queries.
  {
    name: 'parts',
    test: ofKit(
      'data/chainNames|core/networks/explorerUrl|ui/(parts/(Avatar|Note|Segmented)|hooks/(useCopy|useEntryState|useLastValue)|icons/account|views/networks/useCurrentNetwork)',
    ),
  },
  {
    name: 'queries',
    test: modules(`${observer}|kit/(src|dist)/(react/(queries|queryKey)|ui/hooks/useWalletArt)`),
  },
  // The data that hooks request, with or without the modal.
  {
    name: 'data',
    test: ofKit(
      'core/(account/balance|money/(tokens|onramp/options)|names/names)|adapters/evm/identity',
    ),
  },
  { name: 'account', test: exportsOf('account') },
  { name: 'session', test: exportsOf('session') },
]

/** The part of Rolldown's plugin context that the plugin uses. */
export type ModuleGraph = {
  /** The ids of all modules. */
  getModuleIds(): IterableIterator<string>
  /** A module, or null if it is not in the graph. */
  getModuleInfo(id: string): ModuleNode | null
}

/** A module in the graph. */
export type ModuleNode = {
  /** Whether it is an entry of the build. */
  isEntry: boolean
  /** The ids of the modules that it imports statically. */
  importedIds: string[]
  /** The ids of the modules that it imports lazily. */
  dynamicallyImportedIds: string[]
}

/**
 * The files of the first load. Modules share a file if they are in the first load of the same entries and in the
 * complete graph of the same entries. A page must not run another page's modules, not even for a lazy chunk that shares
 * modules with them.
 *
 * @returns the index of each module's file; files that more entries need come
 *   first
 */
function findFiles(graph: ModuleGraph): Map<string, number> {
  const infoOf = (id: string) => graph.getModuleInfo(id)
  const needs = new Map<string, { first: number[]; all: number[] }>()
  const entries = [...graph.getModuleIds()].filter((id) => infoOf(id)?.isEntry)
  for (const [index, entry] of entries.entries()) {
    const first = new Set([entry])
    // The sets grow while they are iterated.
    for (const id of first) for (const next of infoOf(id)?.importedIds ?? []) first.add(next)
    const all = new Set(first)
    for (const id of all) {
      const { importedIds = [], dynamicallyImportedIds = [] } = infoOf(id) ?? {}
      for (const next of [...importedIds, ...dynamicallyImportedIds]) all.add(next)
      const needed = needs.get(id) ?? { first: [], all: [] }
      needs.set(id, needed)
      needed.all.push(index)
      if (first.has(id)) needed.first.push(index)
    }
  }
  const sizes = new Map<string, number>()
  for (const each of needs.values())
    if (each.first.length > 0) sizes.set(JSON.stringify(each), each.first.length + each.all.length)
  const files = [...sizes].toSorted(([, a], [, b]) => b - a).map(([key]) => key)
  return new Map([...needs].map(([id, each]) => [id, files.indexOf(JSON.stringify(each))]))
}

/** Modules of further files are left to Rolldown. */
const maxFiles = 32

/** Chunks whose functions mostly run during the first open. */
const compiledAhead = ['gatefold-modal', 'gatefold-connect']

/**
 * V8's explicit compile hint, valid only in the first line of a file: Chrome 136 and later compile all
 * functions in the file off the main thread, while it downloads, instead of each at its first call.
 */
const compileHint = '//# allFunctionsCalledOnLoad\n'

/** The properties of the emitted files that the plugin uses. */
type Bundle = Record<
  string,
  | { type: 'chunk'; name: string; fileName: string; code: string }
  | { type: 'asset'; source: unknown }
>

/** Adds the hint. Runs last, because minification would remove the comment, and Vite prepends lines to chunks. */
function addCompileHints(_options: unknown, bundle: Bundle): void {
  for (const chunk of Object.values(bundle)) {
    if (chunk.type !== 'chunk' || !compiledAhead.includes(chunk.name)) continue
    // The added line would shift all lines that an inline source map refers to.
    if (chunk.code.includes('sourceMappingURL=data:')) continue
    chunk.code = compileHint + chunk.code
    const map = bundle[`${chunk.fileName}.map`]
    if (map?.type !== 'asset') continue
    const json = JSON.parse(String(map.source)) as { mappings: string }
    // In a source map, each semicolon begins the next line.
    map.source = JSON.stringify({ ...json, mappings: `;${json.mappings}` })
  }
}

/**
 * Vite 8 plugin for the build of the page. Optional.
 *
 * - Emits each lazy chunk of the kit as a single file. By default, Rolldown emits one file for every set
 *   of modules that several chunks share, so the first open would load 16 files.
 * - Marks the chunks of the first open, so that they are compiled off the main thread.
 *
 * An entry must not wait at its top level for one of its own lazy chunks (`await import('./page')`): the
 * chunk can import the entry's file, which waits for it.
 *
 * @returns the plugin, for `plugins` in Vite's configuration
 * @example
 * // vite.config.ts
 * import { gatefold } from '@gatefold/kit/vite'
 * export default { plugins: [gatefold()] }
 */
export function gatefold() {
  let files = new Map<string, number>()
  const groups = [
    // A group also takes the modules that its modules import. The entries that
    // need a module also need everything that it imports.
    ...Array.from({ length: maxFiles }, (_, index) => ({
      name: `initial-${index}`,
      test: (id: string) => (files.get(id) ?? 0) === index,
      tags: ['$initial' as const],
      priority: chunks.length + maxFiles - index,
    })),
    ...chunks.map(({ name, test }, index) => ({
      name: `gatefold-${name}`,
      test,
      priority: chunks.length - index,
    })),
  ]
  return {
    name: 'gatefold',
    applyToEnvironment: ({ name }: { name: string }) => name === 'client',
    configEnvironment: (environment: string) =>
      environment === 'client'
        ? { build: { rolldownOptions: { output: { codeSplitting: { groups } } } } }
        : undefined,
    buildEnd(this: ModuleGraph) {
      files = findFiles(this)
    },
    generateBundle: { order: 'post' as const, handler: addCompileHints },
  }
}
