import { gatefold } from '@gatefold/kit/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [gatefold()],
})
