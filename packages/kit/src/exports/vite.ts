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
  // What others share with the protocol client: loading it must not load the client.
  {
    name: 'shared',
    test: ofKit('core/(platform/(appLink|openLink|safeHref)|kit/requestErrors)'),
  },
  // What the views before and after connecting share: loading it must not load the account view.
  {
    name: 'parts',
    test: modules(
      `${observer}|kit/(src|dist)/(react/(queries|queryKey|pending)|data/chainNames|core/networks/explorerUrl|ui/(parts/(Avatar|Note|Segmented)|hooks/(useCopy|useEntryState|useLastValue|useWalletArt)|icons/account|views/networks/useCurrentNetwork))`,
    ),
  },
  // What the hooks request, with or without the modal.
  {
    name: 'data',
    test: ofKit(
      'core/(account/balance|money/(tokens|onramp/options)|names/names)|adapters/evm/identity',
    ),
  },
  { name: 'account', test: exportsOf('account') },
  { name: 'session', test: exportsOf('session') },
]

/** What the plugin uses of Rolldown's plugin context. */
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
}

/** The entries that import each module, directly or through others, by their indexes. */
function findEntries(graph: ModuleGraph): Map<string, number[]> {
  const entriesOf = new Map<string, number[]>()
  const entries = [...graph.getModuleIds()].filter((id) => graph.getModuleInfo(id)?.isEntry)
  for (const [index, entry] of entries.entries()) {
    const seen = new Set([entry])
    // The set grows while it is iterated.
    for (const id of seen) {
      entriesOf.set(id, [...(entriesOf.get(id) ?? []), index])
      for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) seen.add(imported)
    }
  }
  return entriesOf
}

/** Up to this number of entries, the pages of a site load nothing of each other. */
const maxEntries = 16

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
 * @returns the plugin, for `plugins` in Vite's configuration
 * @example
 * // vite.config.ts
 * import { gatefold } from '@gatefold/kit/vite'
 * export default { plugins: [gatefold()] }
 */
export function gatefold() {
  let entriesOf = new Map<string, number[]>()
  const groups = [
    // A file for each set of entries: a page must not run the modules of another one. A group takes what its modules
    // import, so what more entries share comes first.
    ...Array.from({ length: maxEntries }, (_, index) => ({
      name(id: string) {
        const entries = entriesOf.get(id) ?? [0]
        if (Math.min(entries.length, maxEntries) !== index + 1) return null
        return `initial-${entries.join('-')}`
      },
      tags: ['$initial' as const],
      priority: chunks.length + 1 + index,
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
      entriesOf = findEntries(this)
    },
    generateBundle: { order: 'post' as const, handler: addCompileHints },
  }
}
