import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { axe, launchBrowser, screenshot, type TestBrowser } from './browser.ts'
import { findChromium } from './chromium.ts'

const document = (body: string) =>
  `<!doctype html><html lang="en"><title>A page</title><main><h1>A page</h1>${body}</main></html>`

const server = createServer((request, response) => {
  const path = request.url ?? '/'
  if (path === '/missing.js') return response.writeHead(404).end()
  if (path === '/favicon.ico') return response.writeHead(204).end()
  response.setHeader('content-type', 'text/html')
  response.setHeader('content-security-policy', "script-src 'unsafe-inline' 'self'")
  if (path === '/bad') {
    return response.end(
      document(`<button></button><script src="/missing.js"></script>
        <script>console.error('logged'); setTimeout(() => { throw new Error('uncaught') })</script>`),
    )
  }
  return response.end(document(`<p id="text" style="font: 20px system-ui">Wallets and words</p>`))
})
let url = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

/** The system's browser and, on Linux, the Chromium from npm. */
const machines: { name: string; env: NodeJS.ProcessEnv }[] = [
  { name: 'the system browser', env: process.env },
  ...(process.platform === 'linux'
    ? [{ name: 'the browser from npm', env: { PATH: '/nowhere' } }]
    : []),
]

describe.each(machines)('$name', ({ env }) => {
  let browser: TestBrowser
  beforeAll(async () => {
    const found = await findChromium(env)
    browser = await launchBrowser({
      executablePath: found.executablePath,
      env: { ...process.env, ...found.env },
    })
  })
  afterAll(() => browser?.close())

  it('renders text in a system font and saves a screenshot', async () => {
    const { page } = await browser.newPage({ width: 390, height: 300, colorScheme: 'dark' })
    await page.goto(url)
    const text = page.locator('#text')
    // Without any font, text has no width.
    const width = await text.evaluate((element) => {
      const range = globalThis.document.createRange()
      range.selectNodeContents(element)
      return range.getBoundingClientRect().width
    })
    expect(width).toBeGreaterThan(100)
    expect(await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)).toBe(true)
    const picture = await readFile(await screenshot(page, `browser-${browser.browser.version()}`))
    expect(picture.subarray(1, 4).toString()).toBe('PNG')
    // A screenshot of a single color would be smaller.
    expect(picture.length).toBeGreaterThan(1500)
  })

  it('requests nothing but the opened page', async () => {
    const { page, ...seen } = await browser.newPage()
    await page.goto(url)
    expect([...seen.hosts]).toEqual([new URL(url).host])
    expect(seen).toMatchObject({ consoleErrors: [], pageErrors: [], failedRequests: [] })
  })

  it('collects errors from a page', async () => {
    const { page, ...seen } = await browser.newPage()
    await page.goto(`${url}/bad`)
    await expect.poll(() => seen.pageErrors).toEqual(['Error: uncaught'])
    expect(seen.consoleErrors).toContain('logged')
    expect(seen.failedRequests).toEqual([`GET ${url}/missing.js: 404`])
  })

  it('audits a page that has a content security policy', async () => {
    const { page } = await browser.newPage()
    await page.goto(url)
    expect(await axe(page)).toEqual([])
    await page.goto(`${url}/bad`)
    expect(await axe(page)).toMatchObject([{ id: 'button-name', nodes: ['<button></button>'] }])
    expect(await axe(page, 'h1')).toEqual([])
  })
})

describe('findChromium', () => {
  it('prefers CHROME_PATH', async () => {
    const found = await findChromium({ ...process.env, CHROME_PATH: process.execPath })
    expect(found).toEqual({ executablePath: process.execPath, env: {} })
  })

  it('error: reports a CHROME_PATH that is not executable', async () => {
    await expect(findChromium({ CHROME_PATH: '/nowhere/chrome' })).rejects.toThrow(
      '/nowhere/chrome',
    )
  })
})
