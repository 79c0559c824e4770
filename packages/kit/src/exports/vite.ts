/** The kit's lazy chunks by the name of their module in a `chunks` folder, in load order. */
const names = ['modal', 'connect', 'session']

/**
 * Emits each lazy chunk of the kit as one file: for `build.rolldownOptions.output.codeSplitting` of
 * Vite 8. Optional. By default, Rolldown emits one file for every set of modules that several chunks
 * share, so the first open would load 16 files.
 *
 * @example
 * // vite.config.ts
 * import { codeSplitting } from '@gatefold/kit/vite'
 * export default { build: { rolldownOptions: { output: { codeSplitting } } } }
 */
export const codeSplitting = {
  groups: [
    { name: 'initial', tags: ['$initial' as const], priority: names.length + 1 },
    ...names.map((name, index) => ({
      name: `gatefold-${name}`,
      test: new RegExp(`[\\\\/]kit[\\\\/](src|dist)[\\\\/].+[\\\\/]chunks[\\\\/]${name}\\.`),
      priority: names.length - index,
    })),
  ],
}
