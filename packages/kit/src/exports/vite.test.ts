import { SourceMap } from 'node:module'
import type { SourceMapping } from 'node:module'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import type { Rolldown } from 'vite'
import { expect, test } from 'vitest'

import { gatefold } from './vite.ts'

const createGatefold = fileURLToPath(new URL('./createGatefold.ts', import.meta.url))
const chunk = fileURLToPath(new URL('./chunks/modal.ts', import.meta.url))

/** Builds a page whose only code imports the modal's chunk. */
async function buildModal(options: { sourcemap: boolean | 'inline' }) {
  const { output } = (await build({
    configFile: false,
    logLevel: 'error',
    plugins: [
      gatefold(),
      {
        name: 'page',
        resolveId: (id) => (id === 'page' ? id : undefined),
        load: (id) => (id === 'page' ? `void import(${JSON.stringify(chunk)})` : undefined),
      },
    ],
    resolve: { conditions: ['@gatefold/source', 'module', 'browser', 'production'] },
    build: { write: false, ...options, rolldownOptions: { input: 'page' } },
  })) as Rolldown.RolldownOutput
  const modal = output.find((file) => file.type === 'chunk' && file.name === 'gatefold-modal')
  if (modal?.type !== 'chunk') throw new Error('no chunk of the modal')
  const map = output.find(({ fileName }) => fileName === `${modal.fileName}.map`)
  return { code: modal.code, map: map?.type === 'asset' ? String(map.source) : undefined }
}

test('the first line of the minified modal chunk is the compile hint', async () => {
  const { code } = await buildModal({ sourcemap: false })
  expect(code.split('\n', 1)).toEqual(['//# allFunctionsCalledOnLoad'])
})

test('the source map of a chunk with the hint maps to the correct source lines', async () => {
  const { code, map } = await buildModal({ sourcemap: true })
  const lines = code.split('\n')
  const line = lines.findIndex((content) => /["'`]gf-cover/.test(content))
  const column = lines[line]!.search(/["'`]gf-cover/)
  const { originalSource, originalLine } = new SourceMap(JSON.parse(map!)).findEntry(
    line,
    column,
  ) as SourceMapping
  const source = JSON.parse(map!).sources.indexOf(originalSource)
  expect(JSON.parse(map!).sourcesContent[source].split('\n')[originalLine]).toContain('gf-cover')
})

test.each([
  ['production', false],
  ['development', true],
])('a %s build contains the checks of options: %s', async (mode, expected) => {
  const { output } = (await build({
    configFile: false,
    logLevel: 'error',
    mode,
    resolve: { conditions: ['@gatefold/source', 'module', 'browser', mode] },
    build: { write: false, lib: { entry: createGatefold, formats: ['es'] }, minify: false },
  }).then((built) => (Array.isArray(built) ? built[0] : built))) as Rolldown.RolldownOutput
  const code = output.map((file) => (file.type === 'chunk' ? file.code : '')).join('\n')
  expect(code.includes('This version of Gatefold has no option')).toBe(expected)
})

test('a chunk with an inline source map gets no hint', async () => {
  const { code } = await buildModal({ sourcemap: 'inline' })
  expect(code).not.toContain('allFunctionsCalledOnLoad')
})

test('on a site with several pages, no page runs another page’s code', async () => {
  const modules: Record<string, string> = {
    a: `import { shared } from 'shared'; import { own } from 'own'; console.log('page a', shared, own); void import('lazy')`,
    b: `import { shared } from 'shared'; import { both } from 'both'; console.log('page b', shared, both)`,
    c: `import { both } from 'both'; console.log('page c', both); void import('later')`,
    later: `import { own } from 'own'; console.log('later', own)`,
    own: `export const own = Math.random()`,
    both: `import { shared } from 'shared'; export const both = ['both', shared]`,
    shared: `export const shared = Math.random()`,
    lazy: `import { shared } from 'shared'; console.log('lazy', shared)`,
  }
  const { output } = (await build({
    configFile: false,
    logLevel: 'error',
    plugins: [
      gatefold(),
      {
        name: 'pages',
        resolveId: (id) => (id in modules ? id : undefined),
        load: (id) => modules[id],
      },
    ],
    build: { write: false, minify: false, rolldownOptions: { input: ['a', 'b', 'c'] } },
  })) as Rolldown.RolldownOutput
  const chunks = new Map(
    output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file] as const] : [])),
  )
  const codeOf = (fileName: string, { lazily = false, seen = new Set<string>() } = {}): string => {
    const chunk = chunks.get(fileName)
    if (!chunk || seen.has(fileName)) return ''
    seen.add(fileName)
    const imports = [...chunk.imports, ...(lazily ? chunk.dynamicImports : [])]
    return imports.map((each) => codeOf(each, { lazily, seen })).join('') + chunk.code
  }
  for (const page of ['a', 'b', 'c']) {
    const entry = [...chunks.values()].find(({ facadeModuleId }) => facadeModuleId === page)
    const code = codeOf(entry!.fileName)
    const complete = codeOf(entry!.fileName, { lazily: true })
    expect(complete.match(/page \w/g), page).toEqual([`page ${page}`])
    expect(code.includes('"both"'), page).toBe(page !== 'a')
  }
})

test('on a site with many pages, no page runs another page’s code', async () => {
  const pages = Array.from({ length: 40 }, (_, index) => `page-${index}`)
  const { output } = (await build({
    configFile: false,
    logLevel: 'error',
    plugins: [
      gatefold(),
      {
        name: 'pages',
        resolveId: (id) => (/^(page-\d+|shared)$/.test(id) ? id : undefined),
        load: (id) =>
          id === 'shared'
            ? 'export const shared = Math.random()'
            : pages.includes(id)
              ? `import { shared } from 'shared'; console.log('${id}.', shared)`
              : undefined,
      },
    ],
    build: { write: false, minify: false, rolldownOptions: { input: pages } },
  })) as Rolldown.RolldownOutput
  const chunks = output.filter((file) => file.type === 'chunk')
  const codeOf = (fileName: string): string => {
    const chunk = chunks.find((each) => each.fileName === fileName)
    return chunk ? chunk.imports.map(codeOf).join('') + chunk.code : ''
  }
  for (const page of pages) {
    const entry = chunks.find(({ facadeModuleId }) => facadeModuleId === page)
    expect(codeOf(entry!.fileName).match(/page-\d+\./g)).toEqual([`${page}.`])
  }
})
