/**
 * Keeps the kit's lazily loaded parts in a few files: for `build.rolldownOptions.output.codeSplitting`
 * of Vite 8. Optional; Rolldown's own choice makes a file of every small module that two views share,
 * which costs a page some kilobytes and a first open many requests.
 *
 * @example
 * // vite.config.ts
 * import { codeSplitting } from '@gatefold/kit/vite'
 * export default { build: { rolldownOptions: { output: { codeSplitting } } } }
 */
export const codeSplitting = {
  groups: [
    { name: 'initial', tags: ['$initial' as const], priority: 3 },
    {
      name: 'gatefold-modal',
      test: /[\\/]kit[\\/](src|dist)[\\/]ui[\\/]chunks[\\/]modal\./,
      priority: 2,
    },
    {
      name: 'gatefold-connect',
      test: /[\\/]kit[\\/](src|dist)[\\/](adapters[\\/]evm[\\/](connect|sign|switchNetwork)|core[\\/]features[\\/]loadRemoteConfig|ui[\\/]views[\\/]connect[\\/]ConnectingExternal)\./,
      priority: 1,
    },
    {
      name: 'gatefold-session',
      test: /[\\/]kit[\\/](src|dist)[\\/](connectors[\\/]walletConnect[\\/]createClient|core[\\/]walletConnect[\\/]granted)\./,
      priority: 0,
    },
  ],
}
