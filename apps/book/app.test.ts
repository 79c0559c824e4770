import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ServerBuild } from 'react-router'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { createApp } from './src/app.ts'
import { buildBook } from './src/build.ts'
import { readConfig } from './src/config.ts'

// The real build with one loader that breaks, as a database behind it would.

let build: ServerBuild

beforeAll(async () => {
  await buildBook()
  const bundle = join(import.meta.dirname, 'build/server/index.js')
  build = (await import(pathToFileURL(bundle).href)) as ServerBuild
}, 120_000)

function withBrokenLoader(thrown: unknown): ServerBuild {
  const root = build.routes['root']
  if (!root) throw new Error('The build has no root route')
  const loader = () => {
    throw thrown
  }
  return {
    ...build,
    routes: { ...build.routes, root: { ...root, module: { ...root.module, loader } } },
  }
}

function ask(broken: ServerBuild) {
  const app = createApp({ config: readConfig({}), build: broken })
  return app.request('http://book.example/')
}

describe('§2.1.2 an unexpected error', () => {
  test('is told as "Oops!" without its secrets, with status 500 and the way home', async () => {
    const lines: string[] = []
    const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((line) => {
      lines.push(String(line))
      return true
    })
    const response = await ask(withBrokenLoader(new Error('password is hunter2')))
    const html = await response.text()
    stderr.mockRestore()
    expect(response.status).toBe(500)
    expect(html).toContain('<h1>Oops!</h1>')
    expect(html).toContain('An unexpected error occurred.')
    expect(html).toContain('href="/"')
    expect(html).not.toContain('hunter2')
    // The operator is told what the visitor is not.
    const reported = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(reported).toContainEqual(
      expect.objectContaining({
        event: 'book.page_failed',
        path: '/',
        message: 'password is hunter2',
      }),
    )
  })

  test('that is a thrown response says its status text', async () => {
    const gone = new Response(null, { status: 410, statusText: 'Gone' })
    const response = await ask(withBrokenLoader(gone))
    const html = await response.text()
    expect(response.status).toBe(410)
    expect(html).toContain('<h1>Error</h1>')
    expect(html).toContain('Gone')
  })
})
