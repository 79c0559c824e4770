/** The modules of TanStack Query with which components read queries; pages without hooks do not load them. */
const observer =
  '@tanstack/(query-core|react-query)/.+/(queryObserver|useBaseQuery|useQuery|suspense|errorBoundaryUtils|QueryErrorResetBoundary|IsRestoringProvider)'

/** Matches modules. @param paths - a regular expression for the ends of their paths, without extension */
const modules = (paths: string) => new RegExp(`[\\\\/](${paths.replaceAll('/', '[\\\\/]')})\\.`)

/** Matches modules of the kit. @param paths - a regular expression for paths in its source folder, without extension */
const ofKit = (paths: string) => modules(`kit/(src|dist)/(${paths})`)

/** Matches the modules that export a lazy chunk, in folders named `chunks`. */
const exportsOf = (chunk: string) => ofKit(`.+/chunks/${chunk}`)

/** Matches the modules of React. About half of their code runs while a page loads, the most of all libraries. */
const react = modules('node_modules/(react|react-dom|scheduler)/.+')

/** The kit's lazy chunks. A module that several of them need is in the first of these. */
const chunks: readonly { name: string; test: RegExp }[] = [
  { name: 'modal', test: exportsOf('modal') },
  { name: 'connect', test: exportsOf('connect') },
  // Modules that others share with the protocol client: loading them must not
  // load the client. And small modules that would be files of their own, whose
  // names the first load would contain.
  {
    name: 'shared',
    test: modules(
      'protocol/(src|dist)/caip/CaipNetworkId|kit/(src|dist)/core/(platform/(appLink|isOffline|openLink|safeHref)|kit/requestErrors|connection/ProviderRpcError|money/pending/pendingKey|notifications/unauthorizedAlert)',
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
  // What the end, events and requests of a session need.
  {
    name: 'sessions',
    test: ofKit(
      'core/(connection/followSession|wallets/findWallet)|adapters/evm/sessions/createMethods',
    ),
  },
  // Restores and ends connections.
  {
    name: 'connections',
    test: ofKit('adapters/evm/connection/(connections|restore)'),
  },
  { name: 'account', test: exportsOf('account') },
  { name: 'session', test: exportsOf('session') },
]

/** The part of Rolldown's plugin context that the plugin uses. */
type ModuleGraph = {
  /** The ids of all modules. */
  getModuleIds(): IterableIterator<string>
  /** A module, or null if it is not in the graph. */
  getModuleInfo(id: string): ModuleNode | null
}

/** A module in the graph. */
type ModuleNode = {
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
 * modules with them. React is in files of its own.
 *
 * @returns the name of each module's file
 */
function findFiles(graph: ModuleGraph): Map<string, string> {
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
  // Files that more entries need come first.
  const files = [...sizes].toSorted(([, a], [, b]) => b - a).map(([key]) => key)
  return new Map(
    [...needs].map(([id, each]) => {
      const names = react.test(id) ? reactFiles : initialFiles
      return [id, names[files.indexOf(JSON.stringify(each))] ?? '']
    }),
  )
}

/** Modules of further files are left to Rolldown. */
const maxFiles = 32

const indexes = Array.from({ length: maxFiles }, (_, index) => index)
const reactFiles = indexes.map((index) => (index === 0 ? 'react' : `react-${index}`))
const initialFiles = indexes.map((index) => `initial-${index}`)

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
  | {
      type: 'chunk'
      name: string
      fileName: string
      code: string
      moduleIds: string[]
      imports: string[]
    }
  | { type: 'asset'; source: unknown }
>

/** The part of Vite's options of an environment that the plugin reads. */
type EnvironmentOptions = {
  build?:
    | {
        modulePreload?:
          | boolean
          | { resolveDependencies?: ResolveDependencies | undefined }
          | undefined
      }
    | undefined
}

/** The files to preload with a lazy chunk. */
type ResolveDependencies = (
  fileName: string,
  dependencies: string[],
  context: { hostId: string; hostType: 'html' | 'js' },
) => string[]

/** Adds the hint. Runs last, because minification would remove the comment, and Vite prepends lines to chunks. */
function addCompileHints(_options: unknown, bundle: Bundle): void {
  for (const chunk of Object.values(bundle)) {
    if (chunk.type !== 'chunk') continue
    // Without the bundler's virtual modules.
    const ids = chunk.moduleIds.filter((id) => !id.startsWith('\0'))
    const isReact = ids.length > 0 && ids.every((id) => react.test(id))
    if (!isReact && !compiledAhead.includes(chunk.name)) continue
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

/** The files that a lazy chunk needs and that are not yet loaded when the script `hostId` requests it. */
function missing(
  bundle: Bundle,
  parameters: { fileName: string; dependencies: string[]; hostId: string },
): string[] {
  const { fileName, dependencies, hostId } = parameters
  const loaded = new Set([hostId])
  // The set grows while it is iterated.
  for (const name of loaded) {
    const file = bundle[name]
    if (file?.type === 'chunk') for (const imported of file.imports) loaded.add(imported)
  }
  // The request for the chunk itself follows immediately.
  return dependencies.filter((name) => name !== fileName && !loaded.has(name))
}

/**
 * Vite 8 plugin for the build of the page. Optional.
 *
 * - Emits each lazy chunk of the kit as a single file. By default, Rolldown emits one file for every set
 *   of modules that several chunks share, so the first open would load 16 files.
 * - Emits React as a separate file, and marks it and the chunks of the first open, so that Chromium compiles them
 *   while they are downloaded, off the main thread.
 * - Preloads the files that a lazy chunk imports only if they are not loaded yet, unless the site sets
 *   `build.modulePreload.resolveDependencies`.
 *
 * An entry must not wait at its top level for one of its own lazy chunks (`await import('./page')`): the
 * chunk can import the entry's file, which waits for it.
 *
 * @returns the plugins, for `plugins` in Vite's configuration
 * @example
 * // vite.config.ts
 * import { gatefold } from '@gatefold/kit/vite'
 * export default { plugins: [gatefold()] }
 */
export function gatefold(): { name: string }[] {
  let files = new Map<string, string>()
  let bundle: Bundle = {}
  const initial = [...reactFiles, ...initialFiles]
  const groups = [
    // A group also takes the modules that its modules import. The entries that
    // need a module also need everything that it imports.
    ...initial.map((name, index) => ({
      name,
      test: (id: string) => (files.get(id) ?? 'initial-0') === name,
      tags: ['$initial' as const],
      priority: chunks.length + initial.length - index,
    })),
    ...chunks.map(({ name, test }, index) => ({
      name: `gatefold-${name}`,
      test,
      priority: chunks.length - index,
    })),
  ]
  const isClient = ({ name }: { name: string }) => name === 'client'
  const resolveDependencies: ResolveDependencies = (fileName, dependencies, { hostId, hostType }) =>
    hostType === 'js' ? missing(bundle, { fileName, dependencies, hostId }) : dependencies
  const plugins = [
    {
      name: 'gatefold',
      applyToEnvironment: isClient,
      configEnvironment(environment: string, options: EnvironmentOptions) {
        if (environment !== 'client') return
        const { modulePreload } = options.build ?? {}
        const isSet =
          modulePreload === false ||
          (typeof modulePreload === 'object' && modulePreload.resolveDependencies)
        return {
          build: {
            ...(!isSet && { modulePreload: { resolveDependencies } }),
            rolldownOptions: { output: { codeSplitting: { groups } } },
          },
        }
      },
      buildEnd(this: ModuleGraph) {
        files = findFiles(this)
      },
      generateBundle: {
        order: 'pre' as const,
        handler(_options: unknown, emitted: Bundle) {
          bundle = emitted
        },
      },
    },
    {
      name: 'gatefold-compile-hints',
      applyToEnvironment: isClient,
      generateBundle: { order: 'post' as const, handler: addCompileHints },
    },
  ]
  return plugins
}
