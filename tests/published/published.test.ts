import { spawn } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { gatefold } from '@gatefold/kit/vite'
import react from '@vitejs/plugin-react'
import { build, preview } from 'vite'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { launchBrowser } from '../browser.ts'
import { installPublished } from './install.ts'

const app = fileURLToPath(new URL('./app', import.meta.url))

let installed: Awaited<ReturnType<typeof installPublished>>
beforeAll(async () => {
  installed = await installPublished(app)
})
afterAll(() => rmSync(installed.site, { recursive: true, force: true }))

describe('packed packages', () => {
  test('contain sources and build output, without tests', () => {
    for (const { name, files } of installed.packed) {
      const paths = files.map(({ path }) => path)
      expect(paths, name).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']))
      expect(paths.filter((path) => /\.test\.|\/testing\//.test(path))).toEqual([])
      const outside = paths.filter((path) => !/^(dist|src)\//.test(path) && !path.endsWith('.md'))
      expect(new Set(outside)).toEqual(new Set(['LICENSE', 'package.json']))
    }
  })

  test('have "use client" in the kit’s React entry, so that server components may import it', () => {
    const entry = join(installed.site, 'node_modules/@gatefold/kit/dist/exports/react.js')
    expect(readFileSync(entry, 'utf8')).toMatch(/^['"]use client['"];?\n/)
  })

  test('have types and a source map for each module, and the sources that the maps refer to', () => {
    for (const { name } of installed.packed) {
      const folder = join(installed.site, 'node_modules', name)
      const modules = readdirSync(join(folder, 'dist'), { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.js') && !path.endsWith('.css.js'))
        .map((path) => join(folder, 'dist', path))
      expect(modules.length).toBeGreaterThan(5)
      for (const path of modules) {
        expect(existsSync(path.replace(/\.js$/, '.d.ts')), path).toBe(true)
        const { sources } = JSON.parse(readFileSync(`${path}.map`, 'utf8')) as { sources: string[] }
        for (const source of sources) expect(existsSync(join(dirname(path), source))).toBe(true)
      }
    }
  })
})

describe('a site with the packages from npm', () => {
  test.each([
    ['bundler', []],
    ['Node', ['--module', 'nodenext', '--moduleResolution', 'nodenext', '--skipLibCheck']],
  ])('has the types of every entry, with %s module resolution', async (_, options) => {
    const entries = installed.published.flatMap(({ name, manifest }) =>
      Object.keys(manifest.exports ?? {}).map((entry) => name + entry.slice(1)),
    )
    writeFileSync(
      join(installed.site, 'entries.ts'),
      entries.map((entry, index) => `export * as entry${index} from '${entry}'\n`).join(''),
    )
    const { output } = await run('typescript/bin/tsc', ['-p', '.', '--pretty', 'false', ...options])
    // The compiler checks the types of all packages; errors in third-party types are ignored.
    const errors = output
      .split('\n')
      .filter((line) => /error TS/.test(line))
      .filter((line) => !/^(\.\.\/|node_modules\/(?!@gatefold\/))/.test(line))
    expect(errors).toEqual([])
  })

  test('loads about as many bytes as a build from our sources, initially and in total', async () => {
    const fromSource = join(installed.site, 'from-source')
    vi.stubEnv('NODE_ENV', 'production')
    onTestFinished(() => void vi.unstubAllEnvs())
    await build({
      // Uses the packed sources, because the sources in the repository may change during the test.
      root: installed.site,
      configFile: false,
      logLevel: 'error',
      mode: 'production',
      plugins: [react(), gatefold()],
      resolve: { conditions: ['@gatefold/source', 'module', 'browser', 'production'] },
      build: { outDir: fromSource },
    })
    const { code, output } = await run('vite/bin/vite.js', ['build'])
    expect(code, output).toBe(0)
    const source = sizes(fromSource)
    const published = sizes(join(installed.site, 'dist'))
    expect(Math.abs(published.first / source.first - 1)).toBeLessThan(0.02)
    expect(Math.abs(published.all / source.all - 1)).toBeLessThan(0.02)
    expect(Math.abs(published.files - source.files)).toBeLessThanOrEqual(2)
  })

  test('opens the card, with its styles, on a click', async () => {
    await using browser = await launchBrowser()
    const server = await preview({
      root: installed.site,
      logLevel: 'error',
      preview: { port: 0, host: '127.0.0.1' },
    })
    try {
      const { page, consoleErrors, pageErrors, hosts } = await browser.newPage()
      await page.goto(server.resolvedUrls?.local[0] ?? '')
      await page.getByRole('button', { name: 'Connect Wallet' }).click()
      const card = page.locator('[data-gatefold] [role="dialog"]')
      await card.waitFor()
      expect(
        await page.locator('.gf-cover').evaluate((cover) => getComputedStyle(cover).position),
      ).toBe('fixed')
      // The picture is in a lazy module of the packed kit.
      await card.locator('.gf-row', { hasText: 'MetaMask' }).locator('img[data-loaded]').waitFor()
      expect([...consoleErrors, ...pageErrors]).toEqual([])
      expect(hosts.size).toBe(1)
    } finally {
      await server.close()
    }
  })
})

/** Runs one of the site's tools with this Node, without the condition `@gatefold/source`. */
function run(tool: string, args: string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join('node_modules', tool), ...args], {
      cwd: installed.site,
      env: { ...process.env, NODE_ENV: 'production', NODE_OPTIONS: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    }
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, output }))
  })
}

/** Brotli bytes of a built site's scripts: of those that the HTML loads, and of all scripts. */
function sizes(folder: string) {
  const size = (path: string) => brotliCompressSync(readFileSync(join(folder, path))).length
  const add = (paths: string[]) => paths.map(size).reduce((sum, bytes) => sum + bytes, 0)
  const html = readFileSync(join(folder, 'index.html'), 'utf8')
  const named = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map(([, path]) => path!)
  const all = readdirSync(join(folder, 'assets')).filter((path) => path.endsWith('.js'))
  return {
    first: add(named),
    all: add(all.map((path) => `assets/${path}`)),
    files: all.length,
  }
}
