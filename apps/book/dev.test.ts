import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { launchBrowser, type TestBrowser } from '@gatefold/tests/browser'
import { closeAfterTest } from '@gatefold/tests/closeAfterTest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startBookDev } from './src/dev.ts'
import type { RunningBook } from './src/server.ts'

// Runs the server of `npm run dev`.

const root = join(import.meta.dirname, '../..')
let book: RunningBook
let browser: TestBrowser
let secrets: string

beforeAll(async () => {
  const folder = join(root, '.gatefold')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  secrets = await mkdtemp(join(folder, 'test-'))
  await writeFile(join(secrets, 'gatefold.db'), 'SQLite format 3')
  await writeFile(join(secrets, 'keys.json'), '{"secret":true}')
  book = await startBookDev({ port: 0, env: {} })
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await book?.stop()
  await rm(secrets, { recursive: true, force: true })
})

/** Requests a path unchanged; `fetch` would resolve its `..` segments. */
function request(path: string) {
  return new Promise<string>((resolve, reject) => {
    const { port } = new URL(book.url)
    const socket = connect(Number(port), '127.0.0.1')
    let text = ''
    socket.setEncoding('utf8').on('data', (chunk) => (text += chunk))
    socket.once('error', reject).once('close', () => resolve(text))
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`)
  })
}

describe('npm run dev', () => {
  test('serves the Book with all its modules and assets, without a reload', async () => {
    const { page } = closeAfterTest(await browser.newPage())
    const failed: string[] = []
    let loads = 0
    page.on('domcontentloaded', () => loads++)
    page.on('response', (response) => {
      if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`)
    })
    await page.goto(book.url)
    // The server transforms every module at its first request.
    await page.waitForFunction(
      () =>
        Object.keys(document.querySelector('.film-toggle') ?? {}).some((key) =>
          key.startsWith('__reactProps'),
        ),
      undefined,
      { timeout: 120_000 },
    )
    // Loads lazy chunks of the kit, which are outside the app's folder.
    await page.getByRole('button', { name: 'Connect Wallet' }).first().click()
    await page.getByRole('dialog').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'What is a wallet?' }).click()
    await page.getByRole('dialog', { name: 'What is a wallet?' }).waitFor()
    await page.evaluate(() => document.fonts.ready.then(() => {}))
    expect(failed).toEqual([])
    expect(loads).toBe(1)
  })

  test.each(['', '?raw', '?url&raw', '?import&raw', '?inline', '?raw??', '?.svg?.wasm?init'])(
    'attack: refuses files outside the app through /@fs%s',
    async (query) => {
      const inside = await request(`/@fs${join(root, 'apps/book/package.json')}${query}`)
      expect(inside).toMatch(/^HTTP\/1.1 200/)
      for (const file of [
        join(secrets, 'gatefold.db'),
        join(secrets, 'keys.json'),
        join(root, 'package.json'),
        join(root, 'packages/server/package.json'),
        '/etc/passwd',
      ]) {
        for (const path of [
          `/@fs${file}${query}`,
          `/@fs/${file}${query}`,
          `/@fs${join(root, 'apps/book')}/../../${file.slice(root.length)}${query}`,
        ]) {
          const response = await request(path)
          expect(response, path).not.toMatch(/^HTTP\/1.1 200/)
          expect(response, path).not.toMatch(/SQLite format|"secret"|"workspaces"|root:x:/)
        }
      }
    },
  )

  test.each(['/../../package.json', '/..%2f..%2fpackage.json', '/@id/../../../package.json?raw'])(
    'attack: refuses %s',
    async (path) => {
      expect(await request(path)).not.toContain('"workspaces"')
    },
  )

  test('attack: listens only on the loopback interface', async () => {
    const { port } = new URL(book.url)
    expect(await canConnect('127.0.0.1', Number(port))).toBe(true)
    // Every 127.x address reaches a socket bound to 0.0.0.0 on Linux.
    expect(await canConnect('127.0.0.2', Number(port))).toBe(false)
  })
})

function canConnect(host: string, port: number) {
  return new Promise<boolean>((resolve) => {
    const socket = connect({ host, port })
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
