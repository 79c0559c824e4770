import { reactRouter } from '@react-router/dev/vite'
import { defineConfig } from 'vite'
// Imported by path, because imports in this file are resolved without the condition below.
import { gatefold } from '../../packages/kit/src/exports/vite.ts'

/** Resolves Gatefold's packages to their sources, in the browser and server bundles. */
const source = '@gatefold/source'

export default defineConfig({
  plugins: [reactRouter(), gatefold()],
  resolve: { conditions: [source, 'module', 'browser', 'development|production'] },
  ssr: {
    noExternal: [/^@gatefold\//],
    resolve: {
      conditions: [source, 'module', 'node', 'development|production'],
      externalConditions: ['node'],
    },
  },
  // Prebundled on start, because bundling them later would reload the page in development. The
  // framework's own entry, which is not in `app/`, imports the included ones.
  optimizeDeps: {
    entries: ['app/**/*.{ts,tsx}', '!app/{routes,entry.server}.{ts,tsx}', '!**/*.test.*'],
    include: ['react-dom/client', 'react-router/dom'],
  },
  build: { assetsInlineLimit: 0 },
})
