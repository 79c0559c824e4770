/** The kit's lazy chunks, by the name of the module in a `chunks` folder, in the order in which they load. */
const names = ['modal', 'connect', 'session']

/**
 * Emits each lazy chunk of the kit as one file: for `build.rolldownOptions.output.codeSplitting` of
 * Vite 8. Optional; by default Rolldown emits a file for every set of modules that several chunks share,
 * so that a first open waits for 16 files.
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
