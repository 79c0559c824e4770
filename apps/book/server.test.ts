import { get } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildBook } from './src/build.ts'
import { startBook, type RunningBook } from './src/server.ts'

// Tests a real server with the production build over HTTP.

let book: RunningBook
const others: RunningBook[] = []

beforeAll(async () => {
  await buildBook()
  book = await startBook({ port: 0, env: {} })
})
afterAll(() => Promise.all([book, ...others].map((running) => running?.stop())))

async function start(env: Record<string, string>) {
  const running = await startBook({ port: 0, env })
  others.push(running)
  return running
}

async function page(path = '/', from = book) {
  const response = await fetch(`${from.url}${path}`)
  return { response, html: await response.text() }
}

/** Contents of the meta elements, by name or property. */
function metadata(html: string) {
  const found = html.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)"\/>/g)
  return Object.fromEntries([...found].map(([, name, content]) => [name, content]))
}

/** The text of a document. */
function textOf(html: string) {
  const body = html.slice(html.indexOf('<body'))
  return body
    .replace(/<script[\s\S]*?<\/script>/g, ' ')
    .replace(/<!--.*?-->/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

describe('the cover', () => {
  test('§1.1.1 has a title and a description', async () => {
    const { html } = await page()
    expect(/<title>(.*?)<\/title>/.exec(html)?.[1]).toBe('Book of Ethereum')
    expect(metadata(html)['description']).toBe('Journey through the Ethereum saga')
  })

  test('§2.2.2 has a large social card with image, URL and type', async () => {
    const { html } = await page()
    expect(metadata(html)).toMatchObject({
      'og:title': 'Book of Ethereum',
      'og:description': 'Journey through the Ethereum saga',
      'og:type': 'website',
      'og:url': `${book.url}/`,
      'og:image': `${book.url}/card.jpg`,
      'twitter:card': 'summary_large_image',
    })
    const card = await fetch(`${book.url}/card.jpg`)
    expect(card.headers.get('content-type')).toBe('image/jpeg')
    expect(jpegSize(Buffer.from(await card.arrayBuffer()))).toEqual({ width: 1200, height: 630 })
  })

  test('§2.2.2 uses the configured origin in its metadata', async () => {
    const { html } = await page('/', await start({ BOOK_ORIGIN: 'https://book.example' }))
    expect(metadata(html)).toMatchObject({
      'og:url': 'https://book.example/',
      'og:image': 'https://book.example/card.jpg',
    })
  })

  test('§9.12.3 is server-rendered with title, tagline and connect button', async () => {
    const { html, response } = await page()
    expect(response.status).toBe(200)
    expect(textOf(html)).toContain(
      'Book of Ethereum Journey through the Ethereum saga Connect Wallet',
    )
  })

  test('§2.2.1 is an English document with a toast area and without a progress bar', async () => {
    const { html } = await page()
    expect(html).toMatch(/<html lang="en"/)
    expect(html).toMatch(/<div class="toasts" role="status">/)
    expect(html).not.toMatch(/<progress|role="progressbar"/)
  })

  test('§1.6.1 has a looping, muted film with a poster, in two formats', async () => {
    const { html } = await page()
    const [video = ''] = /<video[\s\S]*?<\/video>/.exec(html) ?? []
    expect(video).toMatch(/ muted/)
    expect(video).toMatch(/ loop/)
    expect(video).toMatch(/ playsInline/i)
    expect(video).toMatch(/ preload="none"/)
    for (const source of ['/film.webm', '/film.mp4', '/film-poster.webp']) {
      expect(video).toContain(`"${source}"`)
      const file = await fetch(`${book.url}${source}`)
      expect(file.status).toBe(200)
      expect((await file.arrayBuffer()).byteLength).toBeLessThan(1_500_000)
    }
    expect(video).toContain('type="video/webm"')
    expect(video).toContain('type="video/mp4"')
  })

  test('§1.6.1 shows the three configured footer links', async () => {
    const { html } = await page(
      '/',
      await start({
        BOOK_LINK_JOIN: 'https://chat.example/join',
        BOOK_LINK_WEBSITE: 'https://site.example/',
        BOOK_LINK_FOLLOW: 'https://social.example/book',
      }),
    )
    const [footer = ''] = /<footer[\s\S]*?<\/footer>/.exec(html) ?? []
    expect([...footer.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)).toEqual([
      'https://chat.example/join',
      'https://site.example/',
      'https://social.example/book',
    ])
    expect(textOf(`<body>${footer}`)).toBe(
      'Join the conversation Visit the website Follow the saga',
    )
  })
})

describe('errors', () => {
  test('§2.1.2 an unknown path responds with 404 and an error page', async () => {
    const { html, response } = await page('/chapter/9')
    expect(response.status).toBe(404)
    expect(textOf(html)).toContain('404 The requested page could not be found. Back to the book')
    expect(html).toMatch(/<footer/)
  })

  test('§2.1.2 other route errors show "Error" and the status text', async () => {
    const response = await fetch(book.url, { method: 'POST' })
    expect(response.status).toBe(405)
    expect(textOf(await response.text())).toContain('Error Method Not Allowed Back to the book')
  })
})

describe('fonts', () => {
  test('§2.2.3 load from the configured service without blocking the first paint', async () => {
    const sheet = 'https://fonts.example/css?family=Newsreader'
    const { html, response } = await page('/', await start({ BOOK_FONT_CSS: sheet }))
    expect(html).toContain(`<link rel="stylesheet" href="${sheet}" media="print"/>`)
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/style-src [^;]*https:\/\/fonts\.example/)
    expect(policy).toMatch(/font-src [^;]*https:\/\/fonts\.example/)
  })

  test('§7.21 are bundled and preloaded by default, without requests to other hosts', async () => {
    const { html } = await page()
    const preloaded = [...html.matchAll(/<link[^>]+as="font"[^>]*>/g)].map(([link]) => link)
    expect(preloaded).toHaveLength(2)
    for (const link of preloaded) {
      const href = /href="([^"]+)"/.exec(link)?.[1] ?? ''
      const font = await fetch(new URL(href, book.url))
      expect(font.headers.get('content-type')).toBe('font/woff2')
    }
  })
})

describe('requests', () => {
  test('§7.21 the document and its styles load nothing from other hosts', async () => {
    const { html } = await page()
    const loaded = [...html.matchAll(/<(?:link|script|img|video|source|iframe)\b[^>]*>/g)]
      .flatMap(([tag]) => [...tag.matchAll(/(?:src|href|poster)="([^"]+)"/g)])
      .map(([, url]) => url as string)
    expect(loaded.length).toBeGreaterThan(8)
    expect(loaded.filter((url) => new URL(url, book.url).origin !== book.url)).toEqual([])
    for (const sheet of loaded.filter((url) => url.endsWith('.css'))) {
      const css = await (await fetch(new URL(sheet, book.url))).text()
      const urls = [...css.matchAll(/url\(["']?([^"')]+)/g)].map(([, url]) => url as string)
      expect(urls.length).toBeGreaterThan(0)
      expect(urls.filter((url) => new URL(url, book.url).origin !== book.url)).toEqual([])
    }
  })

  test('the policy allows only the configured hosts, and inline scripts by nonce', async () => {
    const { html, response } = await page(
      '/',
      await start({ BOOK_GATEWAY_URL: 'https://gate.example' }),
    )
    const policy = response.headers.get('content-security-policy') ?? ''
    const directives = Object.fromEntries(
      policy.split('; ').map((directive) => {
        const [name = '', ...sources] = directive.split(' ')
        return [name, sources]
      }),
    )
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1]
    expect(directives['default-src']).toEqual(["'none'"])
    expect(directives['script-src']).toEqual(["'self'", `'nonce-${nonce}'`])
    expect(directives['connect-src']).toContain('https://gate.example')
    expect(directives['frame-ancestors']).toEqual(["'none'"])
    const scripts = [...html.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag)
    expect(scripts.length).toBeGreaterThan(0)
    for (const tag of scripts) expect(tag).toContain(`nonce="${nonce}"`)
    const { response: next } = await page()
    expect(next.headers.get('content-security-policy')).not.toContain(nonce)
  })

  test('byte ranges of the film can be requested', async () => {
    const whole = Buffer.from(await (await fetch(`${book.url}/film.mp4`)).arrayBuffer())
    const part = await fetch(`${book.url}/film.mp4`, { headers: { range: 'bytes=100-199' } })
    expect(part.status).toBe(206)
    expect(part.headers.get('content-range')).toBe(`bytes 100-199/${whole.length}`)
    expect(Buffer.from(await part.arrayBuffer())).toEqual(whole.subarray(100, 200))
    const beyond = await fetch(`${book.url}/film.mp4`, {
      headers: { range: `bytes=${whole.length}-` },
    })
    expect(beyond.status).toBe(416)
  })

  test('hashed files are served compressed and as immutable, and can be revalidated', async () => {
    const { html } = await page()
    const script = /href="(\/assets\/entry[^"]+\.js)"/.exec(html)?.[1] ?? ''
    const first = await raw(script, { 'accept-encoding': 'gzip, br' })
    expect(first.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(first.headers['content-encoding']).toBe('br')
    expect(first.headers['vary']).toBe('Accept-Encoding')
    const etag = String(first.headers.etag)
    const again = await raw(script, { 'accept-encoding': 'gzip, br', 'if-none-match': etag })
    expect(again.status).toBe(304)
    expect((await raw(script, {})).headers['content-encoding']).toBeUndefined()
  })

  test.each([
    '/../package.json',
    '/..%2f..%2fpackage.json',
    '/assets/%2e%2e/%2e%2e/server/index.js',
  ])('error: %s responds with 404', async (path) => {
    expect((await raw(path, {})).status).toBe(404)
  })
})

/** Sends a request without normalizing its path. */
function raw(path: string, headers: Record<string, string>) {
  type Answer = { status: number | undefined; headers: NodeJS.Dict<string | string[]> }
  return new Promise<Answer>((resolve, reject) => {
    const request = get({ port: book.port, path, headers, agent: false }, (response) => {
      response.resume()
      response.once('end', () =>
        resolve({ status: response.statusCode, headers: response.headers }),
      )
    })
    request.once('error', reject)
  })
}

/** Reads the frame header of a JPEG. @see https://www.w3.org/Graphics/JPEG/itu-t81.pdf B.2.2 */
function jpegSize(file: Buffer) {
  let at = 2
  while (at < file.length) {
    const marker = file.readUInt8(at + 1)
    const isFrame = marker >= 0xc0 && marker <= 0xc2
    if (isFrame) return { width: file.readUInt16BE(at + 7), height: file.readUInt16BE(at + 5) }
    at += 2 + file.readUInt16BE(at + 2)
  }
  return undefined
}
