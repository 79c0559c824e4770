import { describe, expect, test } from 'vitest'
import { secureService, useVerify } from './useVerify.ts'

const { attest, check, host, ids, loseService, path, serve, service, visit, visitSecure } =
  useVerify()

describe('§7.12.5, §3.19.5 a page on the project’s domain', () => {
  test('gets an attestation that is VALID only for its own origin, and removes the frame', async () => {
    const page = await visit('localhost')
    const { attestation, tookMs, frames } = await attest(page)
    expect(tookMs).toBeLessThan(3_000)
    expect(frames).toBe(0)
    const origin = `http://localhost:${host().port}`
    expect(await check(attestation, `${origin}/app`)).toEqual({
      verifyUrl: service().verifyUrl,
      validation: 'VALID',
      origin,
      isScam: false,
    })
    expect(await check(attestation, 'https://harbor.example')).toMatchObject({
      validation: 'INVALID',
    })
    // Older wallets can look up the attestation once.
    expect(await check(undefined, origin)).toMatchObject({ validation: 'VALID', origin })
    expect(await check(undefined, origin)).toMatchObject({ validation: 'UNKNOWN' })
  })

  test('attack: is reported to the wallet if its domain is on the scam list', async () => {
    await service().addScamDomains(['scam.harbor.example'])
    const page = await visitSecure('scam.harbor.example')
    const { attestation } = await attest(page, `${secureService}/v3`)
    expect(await check(attestation, 'https://scam.harbor.example')).toMatchObject({ isScam: true })
  })

  test.each(['harbor.example', 'app.harbor.example'])('is attested on https://%s', async (name) => {
    const { attestation } = await attest(await visitSecure(name), `${secureService}/v3`)
    expect(await check(attestation, `https://${name}/x`)).toMatchObject({ validation: 'VALID' })
  })

  test.each([
    ['sends no referrer', { 'referrer-policy': 'no-referrer' }],
    [
      'is cross-origin isolated',
      {
        'cross-origin-embedder-policy': 'require-corp',
        'cross-origin-opener-policy': 'same-origin',
      },
    ],
    [
      'has a strict content security policy',
      { 'content-security-policy': "default-src 'self'; frame-src http://localhost:*" },
    ],
  ])('is attested if it %s', async (_, headers) => {
    Object.assign(host().headers, headers)
    const page = await visit('localhost')
    const framed = page.waitForRequest((request) => request.url().includes('/v3/attestation?'))
    const { attestation } = await attest(page)
    const origin = `http://localhost:${host().port}`
    expect(await check(attestation, origin)).toMatchObject({ validation: 'VALID' })
    // Browsers without `ancestorOrigins` identify the page by it.
    expect(await (await framed).headerValue('referer')).toBe(`${origin}/`)
  })

  test('is attested if it sends no referrer and the client sets no referrer policy', async () => {
    host().headers['referrer-policy'] = 'no-referrer'
    const page = await visit('localhost')
    const origin = `http://localhost:${host().port}`
    const sent = await page.evaluate((url) => window.verifyApi.frame(url, 5_000), path(origin))
    const { attestation } = JSON.parse(sent!.data) as { attestation: string }
    expect(await check(attestation, origin)).toMatchObject({ validation: 'VALID' })
  })

  test('sends one request per message, even for several calls', async () => {
    const page = await visit('localhost')
    const { frames, same } = await page.evaluate(
      async ({ verifyUrl, ids, other }) => {
        const verify = window.verifyApi.open(verifyUrl, 'harbor')
        const all = [verify.attest(ids), verify.attest(ids), verify.attest(other)]
        const frames = document.querySelectorAll('iframe').length
        const [first, second, third] = await Promise.all(all)
        return { frames, same: [first === second, first === third] }
      },
      {
        verifyUrl: service().verifyUrl,
        ids,
        other: { encryptedId: ids.decryptedId, decryptedId: ids.encryptedId },
      },
    )
    expect([frames, same]).toEqual([2, [true, false]])
  })
})

describe('a page on another origin', () => {
  test('attack: cannot frame the attestation page', async () => {
    const page = await visit('evil.test')
    const { attestation, frames } = await attest(page)
    expect([attestation, frames]).toEqual([undefined, 0])
  })

  test('attack: cannot use a framed page of the project to frame the attestation page', async () => {
    const evil = await visit('evil.test')
    const inner = `http://localhost:${host().port}/`
    await evil.evaluate((url) => {
      const frame = document.createElement('iframe')
      frame.src = url
      document.body.append(frame)
    }, inner)
    await expect.poll(() => evil.frames().some((frame) => frame.url() === inner)).toBe(true)
    const frame = evil.frames().find((candidate) => candidate.url() === inner)!
    await frame.waitForFunction(() => 'verifyApi' in window)
    const attestation = await frame.evaluate(
      ({ url, ids }) => window.verifyApi.open(url, 'harbor').attest(ids),
      { url: service().verifyUrl, ids },
    )
    expect(attestation).toBeUndefined()
  })

  test('attack: cannot frame the attestation page if the query names another origin', async () => {
    const page = await visit('127.0.0.1')
    const claimed = `http://localhost:${host().port}`
    const sent = await page.evaluate((url) => window.verifyApi.frame(url, 3_000), path(claimed))
    expect(sent).toBeUndefined()
    expect(await check(undefined, claimed)).toMatchObject({ validation: 'UNKNOWN' })
  })

  test('attack: gets an unverified attestation if it claims an origin that cannot be verified', async () => {
    const page = await visit('127.0.0.1')
    const claimed = 'https://harbor.test'
    const sent = await page.evaluate((url) => window.verifyApi.frame(url, 5_000), path(claimed))
    const { attestation } = JSON.parse(sent!.data) as { attestation: string }
    const claims = JSON.parse(
      Buffer.from(attestation.split('.')[1]!, 'base64url').toString(),
    ) as unknown
    expect(claims).toMatchObject({ isVerified: false, origin: `http://127.0.0.1:${host().port}` })
    expect(await check(attestation, claimed)).toMatchObject({ validation: 'UNKNOWN' })
    expect(await check(undefined, claimed)).toMatchObject({ validation: 'UNKNOWN' })
  })

  test('attack: cannot load the attestation page into a frame of a page that it frames', async () => {
    host().headers['referrer-policy'] = 'no-referrer'
    host().pages.set('/framed.html', '<iframe></iframe>')
    const page = await visit('127.0.0.1')
    const claimed = `http://localhost:${host().port}`
    await page.evaluate(
      (url) =>
        new Promise((resolve) => {
          const frame = document.createElement('iframe')
          frame.addEventListener('load', resolve)
          frame.src = url
          document.body.append(frame)
        }),
      `${claimed}/framed.html`,
    )
    const outcome = Promise.race([
      page.waitForResponse((answer) => answer.request().method() === 'POST').then(() => 'attested'),
      page
        .waitForEvent('framenavigated', (frame) => frame.url().startsWith('chrome-error:'))
        .then(() => 'blocked'),
    ])
    await page.evaluate((url) => {
      window.frames[0]!.frames[0]!.location.href = url
    }, path(claimed))
    expect(await outcome).toBe('blocked')
    expect(await check(undefined, claimed)).toMatchObject({ validation: 'UNKNOWN' })
  })

  test('attack: cannot read or submit a ticket', async () => {
    const page = await visit('127.0.0.1')
    const read = (url: string, init: { method?: string; body?: string }) =>
      page.evaluate(
        ({ url, init }) =>
          fetch(url, init).then(
            (answer) => answer.text(),
            () => 'refused',
          ),
        { url, init },
      )
    expect(await read(path('x'), {})).toBe('refused')
    const body = JSON.stringify({ ticket: 'x' })
    const submitted = await read(`${service().verifyUrl}/attestation`, { method: 'POST', body })
    expect(submitted).toContain('only pages of this service may send here')
  })
})

describe('messages that the host page receives', () => {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  /** A token that looks like an attestation; host pages do not verify the signature. */
  const tokenFor = (hash: string) =>
    [{ alg: 'ES256' }, { id: hash, exp: 9e9, origin: 'x', isVerified: true }, {}]
      .map(encode)
      .join('.')
  const postScript = (message: string) => `<script>parent.postMessage(${message}, '*')</script>`
  const post = (attestation: string | null) =>
    postScript(JSON.stringify(JSON.stringify({ type: 'verify_attestation', attestation })))

  test('are ignored if they are from another frame with the service’s origin', async () => {
    const url = await serve(({ url }, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(url === '/other' ? post(tokenFor(ids.encryptedId)) : '')
    })
    const page = await visit('localhost')
    const result = await page.evaluate(
      async ({ url, ids }) => {
        const verify = window.verifyApi.open(`${url}/v3`)
        const attesting = verify.attest(ids)
        const message = await window.verifyApi.frame(`${url}/other`, 5_000)
        const first = await Promise.race([attesting, Promise.resolve('waits')])
        verify.close()
        return { message: message?.origin, first, end: await attesting }
      },
      { url, ids },
    )
    expect(result).toEqual({ message: url, first: 'waits', end: undefined })
  })

  test('are ignored if the frame has navigated to another origin', async () => {
    host().pages.set('/evil.html', post(tokenFor(ids.encryptedId)))
    const url = await serve((_, response) => {
      response.writeHead(302, { location: `http://127.0.0.1:${host().port}/evil.html` }).end()
    })
    const page = await visit('localhost')
    expect((await attest(page, `${url}/v3`)).attestation).toBeUndefined()
  })

  test.each<[string, () => string, boolean]>([
    ['an attestation for the message', () => post(tokenFor(ids.encryptedId)), true],
    ['no attestation', () => post(null) + post(tokenFor(ids.encryptedId)), false],
    [
      'an invalid attestation, then a valid one',
      () =>
        post(`e30.${encode({ id: ids.encryptedId })}.e30`) +
        post('x') +
        post(tokenFor(ids.encryptedId)),
      true,
    ],
    [
      'an attestation for another message, then the right one',
      () => post(tokenFor(ids.decryptedId)) + post(tokenFor(ids.encryptedId)),
      true,
    ],
    [
      'other messages, then an attestation',
      () =>
        postScript(`'{'`) + postScript('{}') + postScript(`'{}'`) + post(tokenFor(ids.encryptedId)),
      true,
    ],
  ])(
    'resolve `attest` only if they contain an attestation for its message: %s',
    async (_, body, isAccepted) => {
      const url = await serve((_, response) => {
        response.setHeader('content-type', 'text/html')
        response.end(body())
      })
      const { attestation, tookMs } = await attest(await visit('localhost'), `${url}/v3`)
      expect(attestation).toBe(isAccepted ? tokenFor(ids.encryptedId) : undefined)
      expect(tookMs).toBeLessThan(3_000)
    },
  )
})

describe('a service that does not respond', () => {
  test.each([
    ['hangs', () => serve(() => {})],
    ['closes the connection', () => serve(({ socket }) => socket.destroy())],
    ['answers 404', () => serve((_, response) => void response.writeHead(404).end('{}'))],
    ['is not running', async () => 'http://localhost:1'],
    ['has an unknown host', async () => 'nowhere'],
  ])(
    '(%s) delays the page by at most 3 s; the next attestation is not requested',
    async (_, open) => {
      const url = await open()
      const page = await visit('localhost')
      const { first, tookMs, second, frames } = await page.evaluate(
        async ({ url, ids }) => {
          const verify = window.verifyApi.open(`${url}/v3`)
          const start = performance.now()
          const first = await verify.attest(ids)
          const tookMs = performance.now() - start
          const again = verify.attest({ ...ids, encryptedId: ids.decryptedId })
          const frames = document.querySelectorAll('iframe').length
          return { first, tookMs, second: await again, frames }
        },
        { url, ids },
      )
      expect([first, second, frames]).toEqual([undefined, undefined, 0])
      // The timeout is 3 s; the remaining time allows for a busy machine.
      expect(tookMs).toBeLessThan(4_500)
    },
  )

  test('causes no uncaught error in the page if it stops during the attestation', async () => {
    const page = await visit('localhost')
    const uncaught = await loseService(page)
    expect(await attest(page)).toMatchObject({ attestation: undefined, frames: 0 })
    expect(uncaught).toEqual([])
  })

  test('is abandoned immediately by `close`, which also removes the frame', async () => {
    const url = await serve(() => {})
    const page = await visit('localhost')
    const { tookMs, frames } = await page.evaluate(
      async ({ url, ids }) => {
        const verify = window.verifyApi.open(`${url}/v3`)
        const attesting = verify.attest(ids)
        const start = performance.now()
        verify.close()
        await attesting
        await verify.attest(ids)
        return {
          tookMs: performance.now() - start,
          frames: document.querySelectorAll('iframe').length,
        }
      },
      { url, ids },
    )
    expect(frames).toBe(0)
    expect(tookMs).toBeLessThan(1_000)
  })
})
