import { reactRouter } from '@react-router/dev/vite'
import { defineConfig } from 'vite'

/** Gatefold's own packages are read from their sources, in the browser's bundle and the server's. */
const source = '@gatefold/source'

export default defineConfig({
  plugins: [reactRouter()],
  resolve: { conditions: [source, 'module', 'browser', 'development|production'] },
  ssr: {
    noExternal: [/^@gatefold\//],
    resolve: {
      conditions: [source, 'module', 'node', 'development|production'],
      externalConditions: ['node'],
    },
  },
  build: { assetsInlineLimit: 0 },
})
