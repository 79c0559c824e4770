import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/**
 * Builds the phone wallet's page into `build/phone/`. The WalletConnect client is bundled into a single
 * chunk, because this page needs the wallet side immediately; apps load it lazily.
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
