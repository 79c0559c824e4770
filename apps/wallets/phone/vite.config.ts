import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Builds the phone wallet's page, `build/phone/`. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  resolve: { conditions: ['@gatefold/source', 'module', 'browser', 'development|production'] },
  build: { target: 'es2022', outDir: '../build/phone', emptyOutDir: true, assetsInlineLimit: 0 },
})
