import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/**
 * Builds the phone wallet's page, `build/phone/`. The protocol client is one file: apps load its
 * wallet's side late or never, but here it is needed as soon as a code is in sight.
 */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  resolve: { conditions: ['@gatefold/source', 'module', 'browser', 'development|production'] },
  build: {
    target: 'es2022',
    outDir: '../build/phone',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: 'sign', test: /packages[\\/]sign[\\/]/ }] } },
    },
  },
})
