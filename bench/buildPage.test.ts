import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'

import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { buildPage } from './buildPage.ts'

let folder: string
let files: Awaited<ReturnType<typeof buildPage>>
beforeAll(async () => {
  // Vitest sets `test`, with which Vite builds React for development.
  vi.stubEnv('NODE_ENV', 'production')
  folder = await mkdtemp(join(tmpdir(), 'gatefold-build-'))
  files = await buildPage({ page: 'gatefold', out: folder })
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true, force: true })
})

const chunks = () => files.filter((file) => file.type === 'chunk')

/** A chunk and its direct and transitive static imports. */
function withImports(fileName: string, found = new Set<string>()): Set<string> {
  if (found.has(fileName)) return found
  found.add(fileName)
  for (const name of chunks().find((chunk) => chunk.fileName === fileName)!.imports)
    withImports(name, found)
  return found
}

/** The page's initial files, including Rolldown's helpers. */
function initial(): Set<string> {
  return withImports(chunks().find(({ isEntry }) => isEntry)!.fileName)
}

/** The files that a lazy module adds to the initial files. */
function added(module: string): string[] {
  const home = chunks().find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(module)))
  expect(home, `${module} is in no chunk`).toBeDefined()
  const before = initial()
  return [...withImports(home!.fileName)].filter((name) => !before.has(name))
}

test('the page initially loads only its script, React and the bundler’s helpers', () => {
  expect([...initial()].map((name) => name.replace(/-[\w-]{8}\.js$/, '')).toSorted()).toEqual([
    'assets/gatefold',
    'assets/react',
    'assets/rolldown-runtime',
  ])
})

test('the first load adds at most 11.5 KB, and with the open modal 36 KB', async () => {
  const bare = await buildPage({ page: 'bare', out: join(folder, 'bare') })
  const size = (names: Iterable<string>, all = chunks()) =>
    [...names].reduce((sum, name) => {
      const { code } = all.find(({ fileName }) => fileName === name)!
      return sum + brotliCompressSync(code).length
    }, 0)
  const without = bare.filter((file) => file.type === 'chunk')
  const base = size(
    without.map(({ fileName }) => fileName),
    without,
  )
  expect(size(initial()) - base).toBeLessThan(11_500)
  const opened = new Set([
    ...initial(),
    ...added('kit/src/exports/chunks/modal.ts'),
    ...added('kit/src/ui/views/connect/ConnectingExternal.tsx'),
  ])
  expect(size(opened) - base).toBeLessThan(36_000)
})

test('opening the modal for the first time loads one file', () => {
  expect(added('kit/src/exports/chunks/modal.ts')).toEqual([
    expect.stringMatching(/^assets\/gatefold-modal-/),
  ])
})

test('the code that is preloaded for connecting is in one additional file', () => {
  const modal = added('kit/src/exports/chunks/modal.ts')
  for (const module of [
    'kit/src/ui/views/connect/ConnectingExternal.tsx',
    'kit/src/adapters/evm/connection/connect.ts',
  ])
    expect(added(module).filter((name) => !modal.includes(name))).toEqual([
      expect.stringMatching(/^assets\/gatefold-connect-/),
    ])
})

test('only the code for phone wallets loads the protocol client', () => {
  const session = chunks().find(({ name }) => name === 'gatefold-session')!
  const loading = chunks().filter(({ imports }) => imports.includes(session.fileName))
  // The client's own lazy chunks.
  const client = /packages\/(sign|protocol)\/|\/node_modules\//
  expect(
    loading
      .filter(({ moduleIds }) => !moduleIds.every((id) => client.test(id)))
      .map(({ name }) => name),
  ).toEqual([])
})

test('the bundled pictures are in files that load only when a view needs them', () => {
  const pictures = chunks().filter(({ moduleIds }) =>
    moduleIds.some((id) => /kit\/src\/data\/pictures\/(wallets|chains)/.test(id)),
  )
  expect(pictures.map(({ name }) => name).toSorted()).toEqual([
    'chains1',
    'chains2',
    'chains3',
    'wallets1',
    'wallets2',
    'wallets3',
  ])
  const before = [
    ...initial(),
    ...added('kit/src/exports/chunks/modal.ts'),
    ...added('kit/src/data/directory.ts'),
    ...added('kit/src/ui/parts/BundledPicture.tsx'),
  ]
  for (const { fileName, imports } of pictures) {
    expect(before).not.toContain(fileName)
    expect(imports).toEqual([])
  }
})

test('the WalletConnect client is in one additional file, apart from shared code', () => {
  const before = [
    ...added('kit/src/exports/chunks/modal.ts'),
    ...added('kit/src/adapters/evm/connection/connect.ts'),
  ]
  const files = added('kit/src/connectors/walletConnect/createClient.ts')
  expect(files.filter((name) => !before.includes(name)).toSorted()).toEqual([
    expect.stringMatching(/^assets\/gatefold-session-/),
    expect.stringMatching(/^assets\/gatefold-shared-/),
  ])
})
