import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ServerBuild } from 'react-router'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { createApp } from './src/app.ts'
import { buildBook } from './src/build.ts'
import { readConfig } from './src/config.ts'

// Runs the production build with a failing loader.

let build: ServerBuild

beforeAll(async () => {
  await buildBook()
  const bundle = join(import.meta.dirname, 'build/server/index.js')
  build = (await import(pathToFileURL(bundle).href)) as ServerBuild
})

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

function request(broken: ServerBuild) {
  const app = createApp({ config: readConfig({}), build: broken })
  return app.request('http://book.example/')
}

test('§2.1.1 the cover is the only page: the other route is for unknown paths', () => {
  const { root, ...routes } = build.routes
  expect(root).toBeDefined()
  expect(Object.values(routes).map((route) => [route?.index ?? false, route?.path])).toEqual([
    [true, undefined],
    [false, '*'],
  ])
})

describe('§2.1.2 the page of a failing loader', () => {
  test('shows "Oops!" with status 500 and a link home, without details of the error', async () => {
    const lines: string[] = []
    const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((line) => {
      lines.push(String(line))
      return true
    })
    const response = await request(withBrokenLoader(new Error('password is hunter2')))
    const html = await response.text()
    stderr.mockRestore()
    expect(response.status).toBe(500)
    expect(html).toContain('<h1>Oops!</h1>')
    expect(html).toContain('An unexpected error occurred.')
    expect(html).toContain('href="/"')
    expect(html).not.toContain('hunter2')
    // Only the log contains the details.
    const reported = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(reported).toContainEqual(
      expect.objectContaining({
        event: 'book.page_failed',
        path: '/',
        message: 'password is hunter2',
      }),
    )
  })

  test('shows the status text of a thrown response', async () => {
    const gone = new Response(null, { status: 410, statusText: 'Gone' })
    const response = await request(withBrokenLoader(gone))
    const html = await response.text()
    expect(response.status).toBe(410)
    expect(html).toContain('<h1>Error</h1>')
    expect(html).toContain('Gone')
  })
})
