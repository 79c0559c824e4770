import { defineConfig } from 'vite'

/** Builds the page script: one file, `dist/inject.js`, for pages without a bundler. */
export default defineConfig({
  resolve: { conditions: ['@gatefold/source', 'module', 'browser', 'development|production'] },
  build: {
    target: 'es2022',
    lib: { entry: 'src/inject.ts', formats: ['es'], fileName: () => 'inject.js' },
  },
})
