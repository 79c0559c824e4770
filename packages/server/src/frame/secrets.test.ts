import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addresses, smartAccounts, sponsor } from '@gatefold/chain'
import {
  smartAccountKind,
  type EscrowResponse,
  type ExportCodeResponse,
  type HandoverResponse,
  type LoginResponse,
  type PasskeyChallengeResponse,
  type PaymasterResponse,
  type SocialLoginResponse,
} from '@gatefold/protocol/frame'
import { startOauthProviders, visitProvider } from '@gatefold/tests/socials'
import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { createLog } from '../log.ts'
import { nextSet, pageOrigin, testSet } from '../testing/createTestDevice.ts'
import { saveSponsorPolicy } from '../storage/frame/sponsors.ts'
import { createClock, createTestFrame, frameUrl } from '../testing/createTestFrame.ts'
import { createTestPasskey } from '../testing/createTestPasskey.ts'
import { startTestBundler } from '../testing/startTestBundler.ts'
import { paymasterBody, testOperation, testOwner } from '../testing/testOperation.ts'

/**
 * The forms of a secret: unchanged, as text in hex and base64, and, if it is
 * base64url text, as the decoded bytes.
 */
function formsOf(secret: string): Buffer[] {
  const bytes = Buffer.from(secret, 'base64url')
  const texts = [
    secret,
    ...(['hex', 'base64'] as const).map((form) => Buffer.from(secret).toString(form)),
  ]
  // The six bytes of a code could occur by chance.
  const decoded = bytes.length > 8 ? [bytes, Buffer.from(bytes.toString('hex'))] : []
  return [...texts.map((text) => Buffer.from(text)), ...decoded]
}

const operation = testOperation([{ to: addresses.book, value: 1n }], smartAccounts['eip155:31337'])

test('attack: no code, token, link, share or key is in the databases or logs', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatefold-secrets-'))
  const clock = createClock()
  const lines: string[] = []
  const log = createLog('trace', { write: (line) => lines.push(line) })
  const providers = await startOauthProviders()
  const { github } = readConfig({
    GATEFOLD_SOCIALS: JSON.stringify({ github: providers.settings.github }),
  }).socials
  const bundler = await startTestBundler(operation)
  const frame = await createTestFrame(
    {
      dataDir,
      logLevel: 'trace',
      socials: { github },
      smartAccounts,
      bundlerUrls: { 'eip155:31337': [bundler.url] },
      paymasterKey: sponsor.privateKey,
    },
    { now: clock.now, log },
  )
  const secrets: string[] = []
  const device = await frame.device()
  const { loginId } = (await device.requestCode('ada@example.com')).body
  secrets.push(frame.lastCode('ada@example.com'))
  await device.post('/api/login/verify', { loginId, code: '00000' })
  clock.advance(30)
  const { session } = await device.login('ada@example.com')
  const refreshed = await device.post<typeof session>('/api/session/refresh', {
    refreshToken: session.refreshToken,
  })
  const tokens = refreshed.body
  secrets.push(session.accessToken, session.refreshToken, tokens.accessToken, tokens.refreshToken)
  const set = testSet()
  secrets.push(set.authShare, set.recoveryKey!)
  await device.createWallet(tokens, set)
  await device.post('/api/wallet/share', {}, tokens)
  const escrow = await device.post<EscrowResponse>(
    '/api/wallet/escrow',
    { setId: set.setId },
    tokens,
  )
  expect(escrow.body.recoveryKey).toBe(set.recoveryKey)
  await useRecovery()
  clock.advance(30)
  const change = await device.post<{ changeId: string }>(
    '/api/email/change',
    { email: 'new@example.com', origin: pageOrigin },
    tokens,
  )
  const { changeId } = change.body
  for (const [step, email] of [
    ['primary', 'ada@example.com'],
    ['secondary', 'new@example.com'],
  ] as const)
    await device.post(
      `/api/email/verify-${step}`,
      { changeId, code: frame.lastCode(email) },
      tokens,
    )
  secrets.push(/token=([\w-]+)/.exec(frame.lastMail('ada@example.com').text)![1]!)
  // A completed login, a failed one and a pending one.
  for (const outcome of ['finished', 'failed', 'waiting']) {
    const verifier = randomBytes(32).toString('base64url')
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    const started = await device.post<SocialLoginResponse>('/api/login/social', {
      origin: pageOrigin,
      provider: 'github',
      challenge,
    })
    const { url } = await visitProvider(started.body.uri, { email: 'grace@example.com' })
    await frame.send(url.pathname + url.search)
    secrets.push(verifier, started.body.state, url.searchParams.get('code')!)
    if (outcome === 'failed') url.searchParams.set('code', secrets.at(-1)!.replace(/^./, 'x'))
    const body = { origin: pageOrigin, uri: url.href, verifier }
    if (outcome !== 'waiting') await device.post('/api/login/social/finish', body)
  }
  secrets.push(github!.clientSecret, ...providers.issuedTokens)
  await providers.stop()
  await useExport()
  await useSponsor(await usePasskey())

  /** Creates a user with a passkey, who then logs in again. @returns the last session, and its device */
  async function usePasskey() {
    const other = await frame.device()
    const { hostname } = new URL(frameUrl)
    const passkey = createTestPasskey(hostname)
    let last: LoginResponse | undefined
    for (const use of ['create', 'get'] as const) {
      const { body: asked } = await other.post<PasskeyChallengeResponse>('/api/passkey/challenge', {
        origin: pageOrigin,
      })
      secrets.push(asked.challenge)
      const response = passkey[use]({ origin: frameUrl, topOrigin: pageOrigin, ...asked })
      const { body } = await other.post<LoginResponse>('/api/login/passkey', {
        origin: pageOrigin,
        passkey: response,
      })
      secrets.push(body.session.accessToken, body.session.refreshToken)
      last = body
    }
    return { other, session: last!.session }
  }

  /** Has an operation sponsored. */
  async function useSponsor({ other, session: paid }: Awaited<ReturnType<typeof usePasskey>>) {
    const policy = { contracts: [], methods: [], userDayGwei: 1e9, dayGwei: 1e9, totalGwei: 1e9 }
    await saveSponsorPolicy(frame.context.storage.db, 'default', policy)
    const own = testSet({ smartAccount: { kind: smartAccountKind, owner: testOwner } })
    secrets.push(own.authShare, own.recoveryKey!)
    await other.createWallet(paid, own)
    const { body } = await other.post<PaymasterResponse>(
      '/api/paymaster',
      paymasterBody(operation),
      paid,
    )
    expect(body).toHaveProperty('result.paymasterData')
    secrets.push(
      sponsor.privateKey,
      Buffer.from(sponsor.privateKey.slice(2), 'hex').toString('base64url'),
    )
  }

  /** Confirms the export of a phrase. */
  async function useExport() {
    clock.advance(3_601)
    const fresh = await device.login('new@example.com')
    secrets.push(fresh.session.accessToken, fresh.session.refreshToken)
    clock.advance(31)
    const asked = await device.post<ExportCodeResponse>('/api/export/code', {}, fresh.session)
    const { confirmId } = asked.body
    const code = frame.lastCode('new@example.com')
    secrets.push(code)
    const exported = { form: 'phrase', confirmId, code }
    expect((await device.post('/api/audit/export', exported, fresh.session)).status).toBe(200)
  }

  /** Restores the wallet on another device, passes a recovery key on, and replaces the methods and the recovery key of escrow. */
  async function useRecovery() {
    clock.advance(30)
    const other = await frame.device()
    const { session: second } = await other.login('ada@example.com')
    secrets.push(second.accessToken, second.refreshToken, frame.lastCode('ada@example.com'))
    const notice = frame.lastMail('ada@example.com').text
    const [link, removal] = /\/device\/remove\?token=([\w-]+)/.exec(notice)!
    secrets.push(removal!)
    expect((await frame.send(link)).status).toBe(200)
    await other.post('/api/wallet/recovery', {}, second)
    await other.post('/api/wallet/escrow', {}, second)
    const restored = nextSet(set)
    secrets.push(restored.authShare)
    await other.createWallet(second, restored)
    const started = await other.post<HandoverResponse>(
      '/api/handover/start',
      { publicKey: randomBytes(65).toString('base64url') },
      second,
    )
    const { handoverId, token } = started.body
    secrets.push(token)
    const page = await frame.device()
    expect((await page.post('/api/handover/open', { token })).status).toBe(200)
    const sealed = randomBytes(80).toString('base64url')
    expect((await page.post('/api/handover/put', { token, sealed })).status).toBe(200)
    const taken = await other.post('/api/handover/take', { handoverId }, second)
    expect(taken.body).toEqual({ sealed })
    const changed = nextSet(set, {
      wraps: [
        { method: 'passkey', name: 'Mac', createdAt: 1, credentialId: 'AAAA', wrapped: 'AAAA' },
      ],
      version: 1,
      recoveryKey: set.recoveryKey,
    })
    secrets.push(changed.authShare)
    await other.createWallet(second, changed)
  }

  const keys = ['frame.keys', 'escrow.keys'].map((name) =>
    readFileSync(join(dataDir, name), 'utf8').trim(),
  )
  secrets.push(...keys)

  // Reads both the database and its write-ahead log, which may not have been
  // merged yet.
  const files = readdirSync(dataDir).filter((name) => /\.db(-wal)?$/.test(name))
  expect(files).toEqual(expect.arrayContaining(['escrow.db', 'gatefold.db']))
  const written = new Map(files.map((name) => [name, readFileSync(join(dataDir, name))]))
  written.set('log', Buffer.from(lines.join('')))
  expect(written.get('gatefold.db-wal')!.includes(set.recoveryShare)).toBe(true)
  const found = [...written].flatMap(([name, bytes]) =>
    secrets.flatMap((secret, index) =>
      formsOf(secret).some((form) => containsAlone(bytes, form))
        ? [`secret ${index} in ${name}`]
        : [],
    ),
  )
  expect(found).toEqual([])
  // The tables of recovery, social logins, passkeys and sponsors were searched with rows in them.
  const { db } = frame.context.storage
  const tables = [
    'frame_passkeys',
    'frame_recoveries',
    'frame_removals',
    'frame_identities',
    'frame_social_logins',
    'sponsor_spent',
  ] as const
  for (const table of tables)
    expect(await db.selectFrom(table).selectAll().execute(), table).not.toEqual([])
  expect(lines.join('')).not.toContain('@example.com')
  await frame.stop()
  await bundler.stop()
  rmSync(dataDir, { recursive: true })
})

/**
 * Whether the bytes occur outside a longer number: six digits may be part of a
 * timestamp.
 */
function containsAlone(bytes: Buffer, form: Buffer): boolean {
  const isDigit = (code: number | undefined) => code !== undefined && code >= 0x30 && code <= 0x39
  for (let at = bytes.indexOf(form); at >= 0; at = bytes.indexOf(form, at + 1))
    if (form.length > 6 || !(isDigit(bytes[at - 1]) || isDigit(bytes[at + form.length])))
      return true
  return false
}
