import { join } from 'node:path'
import { defineConfig } from 'vite'

/** Builds the frame's site: static files, to be served by the role `frame` of the server. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/',
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
              test: /frame\/src\/(?:api\/ApiError|custody\/sealFor|store\/exclusively|wallet\/(?:StoredSet|WalletError))\.ts$/,
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
