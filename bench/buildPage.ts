import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { gatefold } from '@gatefold/kit/vite'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import type { Rolldown } from 'vite'

export type PageName = 'bare' | 'gatefold'

const pages = fileURLToPath(new URL('./pages', import.meta.url))

/**
 * Builds one of the measured pages as a static site: production React, minified, with hashed file names.
 *
 * @param parameters.out - folder for the site; emptied first
 * @returns the files of the built site
 */
export async function buildPage(parameters: { page: PageName; out: string }) {
  const { page, out } = parameters
  const { output } = (await build({
    root: pages,
    base: './',
    configFile: false,
    logLevel: 'error',
    mode: 'production',
    plugins: [
      react(),
      gatefold(),
      {
        name: 'index-html',
        // The HTML file is named after its page, but a static site needs index.html.
        enforce: 'post',
        generateBundle(_, bundle) {
          const html = bundle[`${page}.html`]
          if (html) html.fileName = 'index.html'
        },
      },
    ],
    resolve: { conditions: ['@gatefold/source', 'module', 'browser', 'production'] },
    build: {
      outDir: out,
      emptyOutDir: true,
      target: 'es2023',
      modulePreload: { polyfill: false },
      rolldownOptions: { input: `${pages}/${page}.html` },
    },
  })) as Rolldown.RolldownOutput
  return output
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      page: { type: 'string', default: 'gatefold' },
      out: { type: 'string', default: fileURLToPath(new URL('./dist/gatefold', import.meta.url)) },
    },
  })
  await buildPage({ page: values.page as PageName, out: values.out })
  console.log(`Built the ${values.page} page into ${values.out}`)
}
