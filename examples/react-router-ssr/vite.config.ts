import { reactRouter } from '@react-router/dev/vite'
import { gatefold } from '@gatefold/kit/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [reactRouter(), gatefold()],
  // Without this, Vite finds these packages during the first visit in development, and reloads the page.
  optimizeDeps: {
    include: ['@gatefold/kit', '@gatefold/kit/evm', '@gatefold/kit/react', 'viem/chains'],
  },
})
