import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chainData, startChain, type Chain } from '@gatefold/chain'
import type { FarcasterLoginResponse, FinishFarcasterResponse } from '@gatefold/protocol/frame'
import { startFarcaster, type Farcaster } from '@gatefold/tests/socials'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { SiweMessage } from 'viem/siwe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pageOrigin, testSet, type TestDevice } from '../../testing/createTestDevice.ts'
import { createClock, createTestFrame } from '../../testing/createTestFrame.ts'

let chain: Chain
let farcaster: Farcaster
beforeAll(async () => {
  chain = await startChain()
  farcaster = await startFarcaster(chain)
})
afterAll(async () => {
  await farcaster?.stop()
  await chain?.stop()
})

async function start() {
  const clock = createClock()
  const frame = await createTestFrame(
    {
      rpcUrls: { [farcaster.settings.chain]: [chain.url] },
      chains: chainData,
      socials: { farcaster: farcaster.settings },
    },
    { now: clock.now, frameTiming: { deviceWaitMs: 60, relayPollMs: 20 } },
  )
  frame.startJobs()
  return {
    ...frame,
    clock,
    begin: async (device: TestDevice) =>
      (await device.post<FarcasterLoginResponse>('/api/login/farcaster', { origin: pageOrigin }))
        .body,
    finish: async (device: TestDevice, loginId: string, more = {}) =>
      device.post<Extract<FinishFarcasterResponse, { isConfirmed: true }>>(
        '/api/login/farcaster/finish',
        { origin: pageOrigin, loginId, ...more },
      ),
    [Symbol.asyncDispose]: () => frame.stop(),
  }
}

let lastFid = 0
/** A Farcaster account with its own key. */
async function createAccount(kind?: 'custody' | 'auth' | 'signer') {
  const account = privateKeyToAccount(generatePrivateKey())
  const fid = (lastFid += 1)
  await farcaster.register(fid, account.address, kind)
  return { fid, account }
}

test.each(['custody', 'auth'] as const)(
  '§1.5 an account logs in with its %s address, and is the same user at the next login',
  async (kind) => {
    await using frame = await start()
    const person = { ...(await createAccount(kind)), username: 'ada' }
    const ids: string[] = []
    for (const device of [await frame.device(), await frame.device()]) {
      const { loginId, url } = await frame.begin(device)
      expect((await frame.finish(device, loginId)).body).toEqual({ isConfirmed: false })
      await farcaster.confirm(url, person)
      const { body } = await frame.finish(device, loginId)
      expect(body).toMatchObject({ isConfirmed: true, user: { email: null, userName: 'ada' } })
      ids.push(body.user.id)
    }
    expect(ids[1]).toBe(ids[0])
  },
)

test('attack: a sign-in to Farcaster that a page initiated does not open the wallet of a user with an address', async () => {
  await using frame = await start()
  const person = await createAccount()
  const logIn = async (device: TestDevice) => {
    const { loginId, url } = await frame.begin(device)
    await farcaster.confirm(url, person)
    return (await frame.finish(device, loginId)).body
  }
  const owner = await frame.device()
  const { session } = await logIn(owner)
  await owner.createWallet(session, testSet())
  const other = await frame.device()
  const before = await logIn(other)
  // Without an address, there is no other way to use the wallet on a further device.
  expect(before.user.needsCode).toBe(false)
  expect((await other.post('/api/wallet/recovery', {}, before.session)).status).toBe(200)

  const email = 'ada@example.com'
  const change = await owner.post<{ changeId: string }>(
    '/api/email/change',
    { email, origin: pageOrigin },
    session,
  )
  const code = frame.lastCode(email)
  await owner.post('/api/email/verify-secondary', { ...change.body, code }, session)
  const thief = await frame.device()
  const after = await logIn(thief)
  expect(after.user).toMatchObject({ email, needsCode: true })
  const { reason } = await thief.post('/api/wallet/recovery', {}, after.session)
  expect(reason?.code).toBe('code_needed')
})

test('an account without a name is shown by its number', async () => {
  await using frame = await start()
  const device = await frame.device()
  const { loginId, url } = await frame.begin(device)
  const person = await createAccount()
  await farcaster.confirm(url, { ...person, username: '\u202e' })
  const { body } = await frame.finish(device, loginId)
  expect(body.user.userName).toBe(`Farcaster ${person.fid}`)
})

test('attack: a sign-in to Farcaster is accepted once, and only in the login whose nonce it has', async () => {
  await using frame = await start()
  const device = await frame.device()
  const { loginId, url } = await frame.begin(device)
  const signed = await farcaster.confirm(url, await createAccount())
  const answers = await Promise.all([1, 2, 3].map(async () => frame.finish(device, loginId)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  const thief = await frame.device()
  const next = await frame.begin(thief)
  farcaster.send(next.url, signed)
  expect((await frame.finish(thief, next.loginId)).status).toBe(403)
})

test.each<[string, Partial<SiweMessage> | ((fid: number) => Partial<SiweMessage>)]>([
  ['another domain', { domain: 'evil.example' }],
  ['another page', { uri: 'https://evil.example/' }],
  ['another nonce', { nonce: 'abcdefgh12345678' }],
  ['another chain', { chainId: 1 }],
  ['another statement', { statement: 'Transfer my account' }],
  ['a time that has passed', { expirationTime: new Date(1_000) }],
  ['two accounts', (fid) => ({ resources: [`farcaster://fid/${fid}`, 'farcaster://fid/999'] })],
  ['no account', { resources: [] }],
])('attack: a sign-in to Farcaster with %s is refused', async (_what, change) => {
  await using frame = await start()
  const device = await frame.device()
  const { loginId, url } = await frame.begin(device)
  const person = await createAccount()
  await farcaster.confirm(url, {
    ...person,
    change: typeof change === 'function' ? change(person.fid) : change,
  })
  const { status, reason } = await frame.finish(device, loginId)
  expect([status, reason?.code]).toEqual([403, 'social_failed'])
})

test('attack: a sign-in to Farcaster by an address that does not belong to the account is refused', async () => {
  await using frame = await start()
  const { fid } = await createAccount()
  const stranger = privateKeyToAccount(generatePrivateKey())
  const device = await frame.device()
  const first = await frame.begin(device)
  await farcaster.confirm(first.url, { fid, account: stranger })
  expect((await frame.finish(device, first.loginId)).status).toBe(403)
})

test('attack: a key that only signs posts of an account does not sign in to Farcaster', async () => {
  await using frame = await start()
  const app = await createAccount('signer')
  const device = await frame.device()
  const { loginId, url } = await frame.begin(device)
  await farcaster.confirm(url, app)
  expect((await frame.finish(device, loginId)).status).toBe(403)
})

test('attack: a sign-in to Farcaster that its address has not signed is refused', async () => {
  await using frame = await start()
  const { fid, account } = await createAccount()
  const stranger = privateKeyToAccount(generatePrivateKey())
  const device = await frame.device()
  const { loginId, url } = await frame.begin(device)
  await farcaster.confirm(url, { fid, account: { ...stranger, address: account.address } })
  expect((await frame.finish(device, loginId)).status).toBe(403)
})

test('attack: a login with Farcaster of another device, page or time is refused', async () => {
  await using frame = await start()
  const device = await frame.device()
  const { loginId, url } = await frame.begin(device)
  await farcaster.confirm(url, await createAccount())
  const answers = [
    await frame.finish(await frame.device(), loginId),
    await frame.finish(device, loginId, { origin: 'http://localhost:3999' }),
  ]
  frame.clock.advance(601)
  answers.push(await frame.finish(device, loginId))
  expect(answers.map(({ reason }) => reason?.code)).toEqual(answers.map(() => 'social_expired'))
})

test('attack: the token of a channel is not readable in the database', async () => {
  await using frame = await start()
  const { url } = await frame.begin(await frame.device())
  const token = new URL(url).searchParams.get('channelToken')!
  const rows = await frame.context.storage.db
    .selectFrom('frame_social_logins')
    .selectAll()
    .execute()
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain(token)
})

test('attack: a relay that changes the nonce of a login is refused', async () => {
  await using frame = await start()
  const device = await frame.device()
  const relay = createServer((_, response) => {
    response.writeHead(201, { 'content-type': 'application/json' })
    const url = 'https://farcaster.xyz/~/siwf?channelToken=a'
    response.end(JSON.stringify({ channelToken: 'a', url, nonce: 'abcdefgh12345678' }))
  })
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve))
  const { relayUrl } = farcaster.settings
  farcaster.settings.relayUrl = `http://localhost:${(relay.address() as AddressInfo).port}`
  const { status, reason } = await device.post('/api/login/farcaster', { origin: pageOrigin })
  farcaster.settings.relayUrl = relayUrl
  relay.closeAllConnections()
  relay.close()
  expect([status, reason?.code]).toEqual([502, 'social_failed'])
})

test('error: a relay that does not respond', async () => {
  await using frame = await start()
  const device = await frame.device()
  const { loginId } = await frame.begin(device)
  const { relayUrl } = farcaster.settings
  farcaster.settings.relayUrl = 'http://localhost:1'
  const { status, reason } = await frame.finish(device, loginId)
  farcaster.settings.relayUrl = relayUrl
  expect([status, reason?.code]).toEqual([502, 'social_failed'])
})
