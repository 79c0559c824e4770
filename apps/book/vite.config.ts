import { reactRouter } from '@react-router/dev/vite'
import { defineConfig } from 'vite'
// By its path: what a configuration imports is resolved without the condition below.
import { codeSplitting } from '../../packages/kit/src/exports/vite.ts'

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
  // Known before the first request, so that development need not reload to bundle them.
  optimizeDeps: {
    include: [
      '@tanstack/react-query',
      '@wagmi/core',
      'eventemitter3',
      'react-dom/client',
      'react-router/dom',
      'viem',
      'viem/accounts',
      'viem/utils',
      'zustand/vanilla',
    ],
  },
  build: { assetsInlineLimit: 0 },
  environments: { client: { build: { rolldownOptions: { output: { codeSplitting } } } } },
})
