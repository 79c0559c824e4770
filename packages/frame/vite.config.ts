import { join } from 'node:path'
import { defineConfig } from 'vite'
import { listHashes } from './listHashes.ts'

/** Builds the frame's site: static files, to be served by the role `frame` of the server. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  plugins: [listHashes()],
  resolve: {
    conditions: ['@gatefold/source', 'module', 'browser', 'development|production'],
  },
  // The default is an IIFE, which cannot be split.
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    outDir: 'dist',
    rolldownOptions: {
      input: ['index.html', 'page.html'].map((name) => join(import.meta.dirname, name)),
      // Leaves out the schemas of valibot that only the server uses.
      treeshake: { manualPureFunctions: ['v', 'Text', 'Base64Url'] },
      output: {
        codeSplitting: {
          // Each file that is loaded before the first approval costs about 100 bytes.
          groups: [
            {
              name: 'shared',
              test: /frame\/src\/(?:api\/ApiError|rpc\/createRpc|custody\/sealFor|store\/exclusively|strings\/language|wallet\/(?:StoredSet|WalletError))\.ts$|protocol\/src\/(?:caip\/CaipNetworkId|frame\/(?:language|smartAccount)|limits\/frame)\.ts$/,
            },
          ],
        },
      },
    },
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    // A `data:` URL would need another source in the Content-Security-Policy.
    assetsInlineLimit: 0,
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
})
