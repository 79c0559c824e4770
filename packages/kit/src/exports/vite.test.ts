import { SourceMap } from 'node:module'
import type { SourceMapping } from 'node:module'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import type { InlineConfig, Rolldown } from 'vite'
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

/** Builds pages from the source of their modules. Entries are the ids that start with `page`. */
async function buildPages(sources: Record<string, string>, config: InlineConfig = {}) {
  const { output } = (await build({
    configFile: false,
    logLevel: 'error',
    ...config,
    plugins: [
      gatefold(),
      {
        name: 'pages',
        resolveId: (id) => (id in sources ? id : undefined),
        load: (id) => sources[id],
      },
    ],
    build: {
      write: false,
      ...config.build,
      rolldownOptions: { input: Object.keys(sources).filter((id) => id.startsWith('page')) },
    },
  })) as Rolldown.RolldownOutput
  return output.filter((file) => file.type === 'chunk')
}

test('React is in a separate file with the hint, which only pages with React load', async () => {
  const files = await buildPages({
    'page-a': `import { createRoot } from 'react-dom/client'; import { log } from 'log'; log(createRoot)`,
    'page-b': `import { log } from 'log'; log('page b')`,
    log: `export const log = (value) => console.log(value)`,
  })
  const hinted = files.filter(({ code }) => code.startsWith('//# allFunctionsCalledOnLoad\n'))
  expect(hinted).toHaveLength(1)
  const [react] = hinted
  const packages = react!.moduleIds.map((id) => /node_modules\/([^/]+)/.exec(id)?.[1] ?? 'bundler')
  expect(new Set(packages)).toEqual(new Set(['bundler', 'react', 'react-dom', 'scheduler']))
  const importsOf = (page: string) =>
    files.find(({ facadeModuleId }) => facadeModuleId === page)!.imports
  expect(importsOf('page-a')).toContain(react!.fileName)
  expect(importsOf('page-b')).not.toContain(react!.fileName)
})

/** The files that the page's script preloads with its lazy chunks, by their names without hash. */
function preloaded(files: readonly Rolldown.OutputChunk[]): string[] {
  const page = files.find(({ facadeModuleId }) => facadeModuleId === 'page')!
  const [, list = '[]'] = /m\.f=(\[[^\]]*\])/.exec(page.code) ?? []
  return (JSON.parse(list) as string[]).map((path) => path.replace(/^.*\/(.*)-[\w-]{8}\.js$/, '$1'))
}

const lazyPage = {
  page: `import { shared } from 'shared'; console.log(shared); void import('first'); void import('second')`,
  shared: `export const shared = Math.random()`,
  first: `import { shared } from 'shared'; import { both } from 'both'; console.log('first', shared, both)`,
  second: `import { both } from 'both'; console.log('second', both)`,
  both: `export const both = Math.random()`,
}

test('with a lazy chunk, only files that are not loaded yet are preloaded', async () => {
  expect(preloaded(await buildPages(lazyPage))).toEqual(['both'])
})

test('a site can choose the preloaded files', async () => {
  const files = await buildPages(lazyPage, {
    build: {
      modulePreload: {
        resolveDependencies: (name, dependencies, { hostType }) =>
          hostType === 'js' && name.includes('second') ? dependencies : [],
      },
    },
  })
  expect(preloaded(files).toSorted()).toEqual(['both', 'second'])
  expect(preloaded(await buildPages(lazyPage, { build: { modulePreload: false } }))).toEqual([])
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
