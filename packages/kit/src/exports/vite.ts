/** The kit's lazy chunks, in load order. Each is named after its module in a `chunks` folder. */
const names = ['modal', 'connect', 'session']

/**
 * Emits each lazy chunk of the kit as a single file. Optional; set it as Vite 8's
 * `build.rolldownOptions.output.codeSplitting`. By default, Rolldown emits one file for every set of
 * modules that several chunks share, so the first open would load 16 files.
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
