import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type RunningServer } from '../main.ts'
import { checkFrameFiles } from './checkFrameFiles.ts'

const files = {
  'index.html': '<!doctype html><script>%GATEFOLD_CONFIG%</script>',
  'page.html': '<!doctype html><title>Page</title>%GATEFOLD_CONFIG%',
  'assets/main.js': 'first()',
}

let site: string
let server: RunningServer
beforeAll(async () => {
  site = mkdtempSync(join(tmpdir(), 'gatefold-site-'))
  mkdirSync(join(site, 'assets'))
  for (const [file, text] of Object.entries(files)) writeFileSync(join(site, file), text)
  // Browsers get the compressed copy, which is that of another build.
  writeFileSync(join(site, 'assets', 'other.js'), 'second()')
  writeFileSync(join(site, 'assets', 'other.js.br'), brotliCompressSync('other()'))
  server = await startServer({
    port: 0,
    framePort: 0,
    dataDir: ':memory:',
    rpcUrls: {},
    logLevel: 'silent',
    frameSite: site,
  })
})
afterAll(async () => {
  await server?.stop()
  rmSync(site, { recursive: true })
})

/** Checks the site as if these files had been built. */
async function check(built: Record<string, string>) {
  const hashes = Object.entries(built).map(([file, text]) => [
    file,
    `sha256-${createHash('sha256').update(text).digest('base64')}`,
  ])
  writeFileSync(join(site, 'hashes.json'), JSON.stringify(Object.fromEntries(hashes)))
  const { status, message } = await checkFrameFiles({ url: server.frameUrl!, site })
  return [status, /: (.*)\.$/.exec(message.replace(/^\S+/, ''))?.[1]]
}

test('the served files are those in hashes.json', async () => {
  expect(await check(files)).toEqual(['ok', undefined])
})

test('a file that was built differently, or is not served, is named', async () => {
  const built = { ...files, 'assets/main.js': 'another()', 'assets/gone.js': '' }
  expect(await check(built)).toEqual(['error', 'assets/main.js, assets/gone.js (status 404)'])
})

test('a compressed copy of another build is named', async () => {
  expect(await check({ ...files, 'assets/other.js': 'second()' })).toEqual([
    'error',
    'assets/other.js',
  ])
})

test('of many files, the first are named', async () => {
  const names = Array.from({ length: 7 }, (_, index) => `assets/${index}.js`)
  const [, named] = await check(Object.fromEntries(names.map((name) => [name, ''])))
  expect(named).toMatch(/^assets\/0\.js .*assets\/4\.js \(status 404\) and 2 more$/)
})

test.each([
  ['is missing', undefined],
  ['is not JSON', '{'],
  ['has another form', '[1]'],
])('if hashes.json %s, a warning says so', async (_, text) => {
  rmSync(join(site, 'hashes.json'), { force: true })
  if (text !== undefined) writeFileSync(join(site, 'hashes.json'), text)
  const { status, message } = await checkFrameFiles({ url: server.frameUrl!, site })
  expect(status).toBe('warning')
  expect(message).toContain('hashes.json is missing or damaged')
})

test('attack: a document is compared, except its configuration', async () => {
  // The server keeps a document once it has served it.
  expect(await check(files)).toEqual(['ok', undefined])
  writeFileSync(join(site, 'index.html'), files['index.html'].replace('<!doctype', '<!DOCTYPE'))
  expect(await check(files)).toEqual(['error', 'index.html'])
  writeFileSync(join(site, 'index.html'), files['index.html'])
  expect(await check({ ...files, 'page.html': 'another build' })).toEqual(['error', 'page.html'])
})
