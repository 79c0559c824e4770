/** The kit's lazy chunks, in load order. Each is named after its module in a `chunks` folder. */
const names = ['modal', 'connect', 'session']

const isShared =
  /[\\/]kit[\\/](src|dist)[\\/]core[\\/](platform[\\/](appLink|openLink|safeHref)|kit[\\/]requestErrors)\./

/** Groups the modules of each lazy chunk into one file. */
const codeSplitting = {
  groups: [
    { name: 'initial', tags: ['$initial' as const], priority: names.length + 1 },
    // Modules that other chunks share with the protocol client: loading them must not load the client.
    { name: 'gatefold-shared', test: isShared, priority: 1.5 },
    ...names.map((name, index) => ({
      name: `gatefold-${name}`,
      test: new RegExp(`[\\\\/]kit[\\\\/](src|dist)[\\\\/].+[\\\\/]chunks[\\\\/]${name}\\.`),
      priority: names.length - index,
    })),
  ],
}

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
  return {
    name: 'gatefold',
    configEnvironment: (environment: string) =>
      environment === 'client'
        ? { build: { rolldownOptions: { output: { codeSplitting } } } }
        : undefined,
    generateBundle: { order: 'post' as const, handler: addCompileHints },
  }
}
