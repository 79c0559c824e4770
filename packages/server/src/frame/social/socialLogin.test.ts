import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FrameUser, LoginResponse, SocialLoginResponse } from '@gatefold/protocol/frame'
import { startSocials, visitProvider, type Socials } from '@gatefold/tests/socials'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { saveProject } from '../../storage/projects.ts'
import { pageOrigin, testSet, type TestDevice } from '../../testing/createTestDevice.ts'
import { createClock, createTestFrame, frameUrl } from '../../testing/createTestFrame.ts'
import { createDatabase, engines } from '../../testing/databases.ts'
import { testProject } from '../../testing/testProject.ts'
import { SocialSettings } from './settings.ts'
import * as v from 'valibot'

let socials: Socials
beforeAll(async () => {
  socials = await startSocials()
})
afterAll(() => socials?.stop())

const names = ['google', 'apple', 'github', 'facebook', 'x', 'discord'] as const
type Name = (typeof names)[number]

async function start(engine: (typeof engines)[number] = 'sqlite', change: object = {}) {
  const database = await createDatabase(engine)
  const clock = createClock()
  const frame = await createTestFrame(
    { ...database.config, socials: v.parse(SocialSettings, { ...socials.settings, ...change }) },
    { now: clock.now },
  )

  const begin = async (
    device: TestDevice,
    provider: Name,
    change: Record<string, unknown> = {},
  ) => {
    const verifier = randomBytes(32).toString('base64url')
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    const started = await device.post<SocialLoginResponse>('/api/login/social', {
      origin: pageOrigin,
      provider,
      challenge,
      ...change,
    })
    return { ...started.body, started, verifier }
  }
  /**
   * Opens the callback page of a provider. @returns the URI that it sends to
   * the site's page, and the target origin
   */
  const callback = async ({ url, form }: Awaited<ReturnType<typeof visitProvider>>) => {
    const response = await frame.send(url.pathname + url.search, {
      ...(form && { method: 'POST', body: form.toString() }),
      headers: { origin: 'http://localhost:1', 'sec-fetch-site': 'cross-site' },
    })
    const page = await response.text()
    const read = (name: string) =>
      new RegExp(`data-${name}="([^"]*)"`).exec(page)?.[1]?.replaceAll('&amp;', '&')
    return {
      response,
      page,
      uri: read('result') ?? '',
      named: read('uri'),
      origin: read('origin'),
    }
  }
  const finish = async (
    device: TestDevice,
    body: { uri: string; verifier: string } & Record<string, unknown>,
  ) => device.post<LoginResponse>('/api/login/social/finish', { origin: pageOrigin, ...body })
  /** Logs in, up to the URI that the callback page sends. */
  const result = async (device: TestDevice, provider: Name, email?: string) => {
    const { uri, verifier, state } = await begin(device, provider)
    const back = await callback(await visitProvider(uri, { ...(email && { email }) }))
    return { uri: back.uri, verifier, state }
  }
  return {
    ...frame,
    clock,
    begin,
    callback,
    finish,
    result,
    /** Logs in without a window: the result comes in the URL of the page. */
    async logInByRedirect(device: TestDevice, provider: Name) {
      const { uri, verifier } = await begin(device, provider)
      const page = encodeURIComponent(`${pageOrigin}/`)
      const changed = uri.replace(/state=([^&]*)/, `state=$1--${page}`)
      const { response } = await callback(await visitProvider(changed))
      const target = new URL(response.headers.get('location')!)
      return finish(device, { uri: target.searchParams.get('result_uri')!, verifier })
    },
    async logIn(device: TestDevice, provider: Name, email?: string) {
      return finish(device, await result(device, provider, email))
    },
    async [Symbol.asyncDispose]() {
      await frame.stop()
      await database.remove()
    },
  }
}

describe.each(engines)('social logins on %s', (engine) => {
  test.each(names)(
    '§5.10.3 a visitor logs in with %s, and is the same user at the next login',
    async (name) => {
      await using frame = await start(engine)
      const first = await frame.logIn(await frame.device(), name)
      expect(first.status).toBe(200)
      expect(first.body.user).toMatchObject({
        email: ['facebook', 'x'].includes(name) ? null : 'ada@example.com',
        userName: name === 'google' ? 'Ada' : name === 'apple' ? null : 'ada',
        wallet: null,
      })
      const again = await frame.logIn(await frame.device(), name)
      expect(again.body.user.id).toBe(first.body.user.id)
      const other = await frame.logIn(await frame.device(), name, 'bob@example.com')
      expect(other.body.user.id).not.toBe(first.body.user.id)
    },
  )

  test('a verified address is the same user as its login by email, who is notified', async () => {
    await using frame = await start(engine)
    const device = await frame.device()
    const { user } = await device.login('ada@example.com')
    const linked = await frame.logIn(device, 'github')
    expect(linked.body.user).toMatchObject({ id: user.id, userName: 'ada' })
    expect(frame.lastMail('ada@example.com').subject).toBe('Login with GitHub – Gatefold')
    const { body } = await device.post<{ entries: { event: string }[] }>(
      '/api/audit',
      {},
      linked.body.session,
    )
    expect(body.entries.map(({ event }) => event)).toContain('linked_github')
    const mails = frame.mails().length
    await frame.logIn(device, 'github')
    expect(frame.mails()).toHaveLength(mails)
  })

  test('first logins of an identity at the same time create one user', async () => {
    await using frame = await start(engine)
    const logins = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const device = await frame.device()
        return { device, ...(await frame.result(device, 'x')) }
      }),
    )
    const found = await Promise.all(
      logins.map(async ({ device, ...body }) => frame.finish(device, body)),
    )
    expect(found.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(new Set(found.map(({ body }) => body.user.id)).size).toBe(1)
    const users = await frame.context.storage.db.selectFrom('frame_users').select('id').execute()
    expect(users).toHaveLength(1)
  })

  test('attack: a result is accepted once, even if it is sent several times at once', async () => {
    await using frame = await start(engine)
    const device = await frame.device()
    const body = await frame.result(device, 'github')
    const answers = await Promise.all([1, 2, 3].map(async () => frame.finish(device, body)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const refused = answers.find(({ status }) => status === 400)
    expect(refused?.reason?.code).toBe('social_expired')
  })

  test('attack: a result of another device, page, project or time is refused', async () => {
    await using frame = await start(engine)
    await saveProject(
      frame.context.storage.db,
      testProject({ id: 'other', allowedOrigins: [pageOrigin] }),
      1,
    )
    const device = await frame.device()
    const body = await frame.result(device, 'github')
    const other = await frame.device()
    const answers = [
      await frame.finish(other, body),
      await frame.finish(device, { ...body, origin: 'http://localhost:3999' }),
      await frame.finish(device, { ...body, projectId: 'other' }),
    ]
    frame.clock.advance(601)
    answers.push(await frame.finish(device, body))
    expect(answers.map(({ status, reason }) => [status, reason?.code])).toEqual(
      answers.map(() => [400, 'social_expired']),
    )
    // A refused attempt does not use up the login.
    const next = await frame.result(device, 'github')
    await frame.finish(other, next)
    expect((await frame.finish(device, next)).status).toBe(200)
  })
})

describe('social logins', () => {
  test('a provider that is not configured is refused', async () => {
    const frame = await createTestFrame()
    const device = await frame.device()
    const { status, reason } = await device.post('/api/login/social', {
      origin: pageOrigin,
      provider: 'google',
      challenge: 'a'.repeat(43),
    })
    expect([status, reason?.code]).toEqual([400, 'social_unavailable'])
    await frame.stop()
  })

  test.each(names)('error: %s, where the visitor cancels', async (provider) => {
    await using frame = await start()
    const device = await frame.device()
    const { uri, verifier } = await frame.begin(device, provider)
    const back = await frame.callback(await visitProvider(uri, { answer: 'no' }))
    const { status, reason } = await frame.finish(device, { uri: back.uri, verifier })
    expect([status, reason?.code]).toEqual([403, 'social_declined'])
  })

  test('error: a provider that does not respond', async () => {
    await using frame = await start()
    const device = await frame.device()
    const body = await frame.result(device, 'discord')
    socials.oauth.isDown = true
    const { status, reason } = await frame.finish(device, body)
    socials.oauth.isDown = false
    expect([status, reason?.code]).toEqual([502, 'social_failed'])
  })

  test.each<[string, { padding?: string; redirects?: boolean }]>([
    ['is a redirect', { redirects: true }],
    ['is larger than 256 KiB', { padding: 'x'.repeat(300_000) }],
  ])('attack: a response of a provider that %s is refused', async (_, { padding, redirects }) => {
    const server = createServer((request, response) => {
      if (redirects && request.url === '/') response.writeHead(302, { location: '/user' }).end()
      else response.end(JSON.stringify({ id: '1', username: 'ada', padding }))
    }).listen(0)
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const userUrl = `http://localhost:${(server.address() as AddressInfo).port}/`
    const discord = { ...socials.settings.discord, userUrl }
    await using frame = await start('sqlite', { discord })
    const device = await frame.device()
    const { status, reason } = await frame.finish(device, await frame.result(device, 'discord'))
    expect([status, reason?.code]).toEqual([502, 'social_failed'])
  })

  test('attack: a code of another login is refused', async () => {
    await using frame = await start()
    for (const provider of names) {
      const device = await frame.device()
      const victim = await frame.result(await frame.device(), provider, 'victim@example.com')
      const own = await frame.result(device, provider, 'thief@example.com')
      const uri = new URL(own.uri)
      uri.searchParams.set('code', new URL(victim.uri).searchParams.get('code')!)
      const { status } = await frame.finish(device, { uri: uri.href, verifier: own.verifier })
      expect([provider, status]).toEqual([provider, 502])
    }
  })

  test('attack: a verifier other than the frame’s is refused without a request to the provider', async () => {
    await using frame = await start()
    const device = await frame.device()
    const body = await frame.result(device, 'facebook')
    const verifier = randomBytes(32).toString('base64url')
    const { status, reason } = await frame.finish(device, { ...body, verifier })
    expect([status, reason?.code]).toEqual([400, 'social_expired'])
  })

  test('attack: an ID token with the nonce of another login is refused', async () => {
    await using frame = await start()
    const device = await frame.device()
    const { uri, verifier } = await frame.begin(device, 'apple')
    const changed = new URL(uri)
    changed.searchParams.set('nonce', 'of another login')
    const back = await frame.callback(await visitProvider(changed.href))
    const { status } = await frame.finish(device, { uri: back.uri, verifier })
    expect(status).toBe(502)
  })

  test('attack: a result of another issuer is refused', async () => {
    await using frame = await start()
    const device = await frame.device()
    const { uri, verifier } = await frame.begin(device, 'github')
    socials.oauth.result = { iss: 'https://evil.example' }
    const back = await frame.callback(await visitProvider(uri))
    socials.oauth.result = {}
    expect((await frame.finish(device, { uri: back.uri, verifier })).status).toBe(502)
  })

  test('attack: a result at the page of another provider is refused', async () => {
    await using frame = await start()
    const device = await frame.device()
    const body = await frame.result(device, 'github')
    const moved = body.uri.replace('/social/github', '/social/discord')
    const { search } = new URL(moved)
    const page = await frame.send(`/social/discord${search}`)
    expect(page.status).toBe(410)
    const { status, reason } = await frame.finish(device, { ...body, uri: moved })
    expect([status, reason?.code]).toEqual([400, 'social_expired'])
  })

  test.each(['google', 'github', 'discord'] as const)(
    'attack: an address that %s has not verified opens nothing and is not stored',
    async (provider) => {
      await using frame = await start()
      const { user } = await (await frame.device()).login('ada@example.com')
      socials.google.isVerified = () => false
      socials.oauth.isVerified = () => false
      const { body } = await frame.logIn(await frame.device(), provider)
      socials.google.isVerified = () => true
      socials.oauth.isVerified = () => true
      expect(body.user.id).not.toBe(user.id)
      expect(body.user.email).toBeNull()
    },
  )

  test('attack: an address whose letters become others in lower case opens nothing', async () => {
    await using frame = await start()
    const { user } = await (await frame.device()).login('kate@example.com')
    const { body } = await frame.logIn(await frame.device(), 'github', '\u212Aate@example.com')
    expect(body.user.id).not.toBe(user.id)
    expect(body.user.email).toBeNull()
  })

  test('attack: identities of different issuers with the same subject are different users', async () => {
    await using frame = await start()
    // GitHub, Facebook, X and Discord give this address the same number.
    const ids: string[] = []
    for (const provider of ['facebook', 'x'] as const)
      ids.push((await frame.logIn(await frame.device(), provider)).body.user.id)
    expect(new Set(ids).size).toBe(2)
  })

  test('attack: an address that was changed does not open the wallet of its former owner', async () => {
    await using frame = await start()
    const device = await frame.device()
    const { session, user } = await device.login('ada@example.com')
    frame.clock.advance(31)
    const change = await device.post<{ changeId: string }>(
      '/api/email/change',
      { email: 'new@example.com', origin: pageOrigin },
      session,
    )
    const { changeId } = change.body
    const code = frame.lastCode('ada@example.com')
    await device.post('/api/email/verify-primary', { changeId, code }, session)
    const next = frame.lastCode('new@example.com')
    await device.post('/api/email/verify-secondary', { changeId, code: next }, session)
    const { body } = await frame.logIn(await frame.device(), 'github')
    expect(body.user.id).not.toBe(user.id)
    expect(body.user.email).toBeNull()
  })
})

describe('a login whose result came in the URL of the page', () => {
  /** The requests that such a session must not make on a device without the wallet. */
  const refused: [path: string, body?: object][] = [
    ['/api/wallet/recovery'],
    ['/api/wallet/escrow'],
    ['/api/wallet/methods'],
    ['/api/wallet/share'],
    ['/api/handover/start', { publicKey: 'a'.repeat(87) }],
    ['/api/email/change', { email: 'thief@example.com', origin: pageOrigin }],
    ['/api/devices'],
    ['/api/devices/revoke', { deviceId: 'a'.repeat(43) }],
    ['/api/audit'],
    ['/api/export/code'],
    ['/api/session/end', { everywhere: true }],
  ]
  const tryAll = async (device: TestDevice, { session }: LoginResponse) =>
    Promise.all(
      refused.map(async ([path, body]) => {
        const { reason } = await device.post(path, body, session)
        return [path, reason?.code]
      }),
    )
  const codeNeeded = refused.map(([path]) => [path, 'code_needed'])

  test('attack: does not open a wallet until the user logs in with a mailed code', async () => {
    await using frame = await start()
    const owner = await frame.device()
    const set = testSet()
    await owner.createWallet((await frame.logIn(owner, 'github')).body.session, set)
    const thief = await frame.device()
    const { body } = await frame.logInByRedirect(thief, 'github')
    expect(body.user).toMatchObject({ needsCode: true, wallet: { eip155: set.eip155 } })
    expect(await tryAll(thief, body)).toEqual(codeNeeded)
    // New tokens do not change this.
    const { refreshToken } = body.session
    const next = await thief.post<LoginResponse['session']>('/api/session/refresh', {
      refreshToken,
    })
    const { reason } = await thief.post('/api/wallet/escrow', {}, next.body)
    expect(reason?.code).toBe('code_needed')

    const { session, user } = await thief.login('ada@example.com')
    expect(user.needsCode).toBe(false)
    expect((await thief.post('/api/wallet/recovery', {}, session)).status).toBe(200)
    expect((await thief.post('/api/wallet/escrow', {}, session)).status).toBe(200)
  })

  test('of a new user creates the wallet, and the owner of the address is notified', async () => {
    await using frame = await start()
    const device = await frame.device()
    const { body } = await frame.logInByRedirect(device, 'github')
    expect(frame.lastMail('ada@example.com').subject).toContain('New device')
    const user = await device.createWallet(body.session, testSet())
    expect(user.needsCode).toBe(false)
    expect((await device.post('/api/wallet/share', {}, body.session)).status).toBe(200)
  })

  test('of a device with the wallet is like any other', async () => {
    await using frame = await start()
    const device = await frame.device()
    await device.createWallet((await frame.logIn(device, 'x')).body.session, testSet())
    const { body } = await frame.logInByRedirect(device, 'x')
    expect(body.user.needsCode).toBe(false)
    expect((await device.post('/api/wallet/share', {}, body.session)).status).toBe(200)
  })

  test('attack: cannot add an address to a user without one, even before the wallet exists', async () => {
    await using frame = await start()
    const thief = await frame.device()
    const { body } = await frame.logInByRedirect(thief, 'x')
    expect(body.user).toMatchObject({ email: null, needsCode: true, wallet: null })
    expect(await tryAll(thief, body)).toEqual(codeNeeded)
    const { body: user } = await thief.post<FrameUser>('/api/user', {}, body.session)
    expect(user.needsCode).toBe(true)
  })
})

describe('the page to which a provider redirects', () => {
  test('sends the result to the page that started the login, without the texts of the provider', async () => {
    await using frame = await start()
    const { uri, state } = await frame.begin(await frame.device(), 'github')
    socials.oauth.result = { error_description: '<script>', scope: 'any' }
    const { response, uri: result, named, origin } = await frame.callback(await visitProvider(uri))
    socials.oauth.result = {}
    expect(origin).toBe(pageOrigin)
    expect(result).toMatch(
      new RegExp(`^${frameUrl}/social/github\\?state=${state}&code=[0-9a-f]{32}$`),
    )
    expect(named).toBe(`${frameUrl}/social/github?state=${state}`)
    expect(response.headers.get('cross-origin-opener-policy')).toBeNull()
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })

  test('§6.7 redirects a page that cannot open windows back to itself', async () => {
    await using frame = await start()
    const device = await frame.device()
    const { uri, verifier } = await frame.begin(device, 'github')
    // In Telegram, the official client appends the page's URL to the state.
    const page = `${pageOrigin}/shop?item=1#top`
    const changed = uri.replace(/state=([^&]*)/, `state=$1--${encodeURIComponent(page)}`)
    const { response } = await frame.callback(await visitProvider(changed))
    expect(response.status).toBe(302)
    const target = new URL(response.headers.get('location')!)
    expect(target.href.startsWith(`${pageOrigin}/shop?item=1&result_uri=`)).toBe(true)
    const result = target.searchParams.get('result_uri')!
    expect((await frame.finish(device, { uri: result, verifier })).status).toBe(200)
  })

  test.each([
    'https://evil.example/',
    `${pageOrigin}.evil.example/`,
    `${pageOrigin}@evil.example/`,
    'javascript:alert(1)',
    '//evil.example',
    '',
  ])('attack: never redirects to another site: %s', async (page) => {
    await using frame = await start()
    const { state } = await frame.begin(await frame.device(), 'github')
    const query = new URLSearchParams({ state: `${state}--${page}`, code: 'any' })
    const response = await frame.send(`/social/github?${query}`)
    expect(response.status).toBe(400)
    expect(response.headers.get('location')).toBeNull()
  })

  test.each(['', 'unknown', `${'0'.repeat(64)}--${pageOrigin}`])(
    'attack: sends nothing if the state belongs to no login: %s',
    async (state) => {
      await using frame = await start()
      const query = new URLSearchParams({ state, code: 'any' })
      const response = await frame.send(`/social/github?${query}`)
      expect(response.status).toBe(410)
      expect(await response.text()).not.toContain('<script>')
    },
  )
})
