import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createSlots } from '../../http/createSlots.ts'
import { createTokenBuckets, type TokenBuckets } from '../../http/createTokenBuckets.ts'
import { openStorage, type Storage } from '../../storage/openStorage.ts'
import { watchBurst, watchesPerHour } from '../../storage/relayWatches.ts'
import { createRelayIdentity, makeRelayToken } from '../../testing/openRelayClient.ts'
import { RelayError, RelayStorageError } from '../errors.ts'
import type { RelayContext } from '../RelayContext.ts'
import type { Call } from './Handler.ts'
import { irnWatchRegister, irnWatchUnregister } from './watch.ts'

const identity = createRelayIdentity()
const [url, relayId] = ['wss://relay.example', 'did:key:relay']
const iat = 1_800_000_000
const month = 30 * 86_400
const watch = {
  act: 'irn_watch_register',
  typ: 'subscriber',
  whu: 'https://push.example/relay',
  tag: [1100, 1108],
  sts: ['queued'],
  iat,
  exp: iat + month,
}
const row = {
  client_id: identity.clientId,
  kind: 'subscriber',
  webhook: watch.whu,
  tags: '[1100,1108]',
  statuses: '["queued"]',
  expires_at: (iat + month) * 1000,
}

let storage: Storage
let watches: TokenBuckets
beforeEach(async () => {
  watches = createTokenBuckets({ burst: 500, perSecond: 0, now: () => 0 })
  storage = await openStorage({ databaseUrl: undefined, dataDir: ':memory:' })
})
afterEach(() => storage.close())

const relay = (now = () => iat * 1000, slots = 1) =>
  ({
    context: { config: { relayUrls: [url] }, limits: { watches }, now, storage },
    watchSlots: createSlots({ all: slots, perKey: 1, waiting: 0, waitingPerKey: 0 }),
    relayId,
  }) as unknown as RelayContext
const payer = { address: '192.0.2.1' }
const token = (claims: object) => makeRelayToken(identity, url, { ...watch, ...claims })
const register = async (claims: object = {}, ...options: Parameters<typeof relay>) =>
  irnWatchRegister(relay(...options), {
    clientId: identity.clientId,
    payer,
    params: { registerAuth: token(claims) },
  } as Call<'irn_watchRegister'>)
const unregister = async (claims: object = {}) =>
  irnWatchUnregister(relay(), {
    clientId: identity.clientId,
    payer,
    params: { unregisterAuth: token({ act: 'irn_watch_unregister', ...claims }) },
  } as Call<'irn_watchUnregister'>)
const stored = () => storage.db.selectFrom('relay_watches').selectAll().execute()

test('a watch is stored with the claims of its token until it is unregistered', async () => {
  expect(await register()).toEqual({ relayId })
  expect(await stored()).toEqual([row])
  const other = { typ: 'publisher', whu: 'https://push.example/other' }
  expect(await register(other)).toEqual({ relayId })
  for (const [name, value] of Object.entries(other))
    expect(await unregister({ [name]: value })).toBe(true)
  expect(await stored()).toHaveLength(2)
  // Neither tags nor statuses are needed.
  expect(await unregister({ tag: undefined, sts: undefined })).toBe(true)
  expect(await stored()).toMatchObject([{ kind: 'publisher', webhook: other.whu }])
})

describe('a claim', () => {
  const longUrl = 'https://push.example/'.padEnd(256, 'x')
  const nineteen = 'x'.repeat(19)
  test.each<[string, object, object]>([
    ['a webhook of 256 characters', { whu: longUrl }, { whu: `${longUrl}x` }],
    ['100 tags', { tag: Array<number>(100).fill(1) }, { tag: Array<number>(101).fill(1) }],
    ['a tag of 32 bits', { tag: [0xffff_ffff] }, { tag: [0x1_0000_0000] }],
    ['tag 0', { tag: [0] }, { tag: [-1] }],
    ['an integral tag', { tag: [1] }, { tag: [1.5] }],
    ['10 statuses', { sts: Array<string>(10).fill('') }, { sts: Array<string>(11).fill('') }],
    ['a status of 20 characters', { sts: [`${nineteen}x`] }, { sts: [`${nineteen}xx`] }],
    ['the kind of a watch', { typ: 'publisher' }, { typ: 'reader' }],
    ['the URL of a webhook', { whu: 'https://push.example' }, { whu: 'push' }],
    ['numbers as tags', { tag: [] }, { tag: ['1100'] }],
    ['texts as statuses', { sts: [] }, { sts: [1] }],
  ])('attack: contains %s, and no more', async (_, valid, invalid) => {
    await register(valid)
    await expect(register(invalid)).rejects.toMatchObject({
      kind: 'invalidPayload',
      tag: 'InvalidParams',
      message: expect.stringContaining('a claim in the token'),
    })
    expect(await stored()).toHaveLength(1)
  })

  test.each(['typ', 'whu', 'tag', 'sts'])('`%s` is required', async (name) => {
    await expect(register({ [name]: undefined })).rejects.toMatchObject({ tag: 'InvalidParams' })
    expect(await stored()).toEqual([])
  })
})

test.each<[string, object, RegExp]>([
  ['for a connection', { act: 'client_auth' }, /not valid/],
  ['for unregistering', { act: 'irn_watch_unregister' }, /not valid/],
  ['for another relay', { aud: 'wss://relay.elsewhere.example' }, /another audience/],
  ['valid for more than 30 days', { exp: iat + month + 1 }, /not valid/],
])('attack: a token %s is refused', async (_, claims, message) => {
  const error = await register(claims).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(RelayError)
  expect(error).toMatchObject({
    kind: 'auth',
    tag: 'InvalidJwt',
    message: expect.stringMatching(message),
  })
  await expect(unregister({ act: 'irn_watch_register' })).rejects.toMatchObject({
    tag: 'InvalidJwt',
  })
  expect(await stored()).toEqual([])
})

test('attack: a token of another client is refused', async () => {
  const call = { clientId: createRelayIdentity().clientId }
  for (const watching of [
    irnWatchRegister(relay(), {
      ...call,
      params: { registerAuth: token({}) },
    } as Call<'irn_watchRegister'>),
    irnWatchUnregister(relay(), {
      ...call,
      params: { unregisterAuth: token({ act: 'irn_watch_unregister' }) },
    } as Call<'irn_watchUnregister'>),
  ])
    await expect(watching).rejects.toMatchObject({ kind: 'auth', tag: 'InvalidJwt' })
  expect(await stored()).toEqual([])
})

test('error: a watch that gets no slot is refused', async () => {
  await expect(register({}, undefined, 0)).rejects.toMatchObject({
    kind: 'tooManyRequests',
    tag: 'TooManyRequests',
    shortMessage: expect.stringMatching(/: try again in a few seconds$/) as string,
  })
  expect(await stored()).toEqual([])
})

test('attack: an address registers 500 watches at once, whichever keys it uses', async () => {
  watches = createTokenBuckets({ burst: 2, perSecond: 0, now: () => 0 })
  await register()
  await register()
  await expect(register()).rejects.toMatchObject({
    kind: 'tooManyRequests',
    tag: 'TooManyRequests',
  })
  expect(watchBurst).toBe(500)
  expect(watchesPerHour).toBe(100)
})

test('error: a watch that expires within a minute is refused', async () => {
  const refused = { kind: 'invalidPayload', tag: 'InvalidParams' }
  await expect(register({}, () => (iat + month - 59) * 1000)).rejects.toMatchObject(refused)
  expect(await stored()).toEqual([])
  await register({}, () => (iat + month - 60) * 1000)
  expect(await stored()).toHaveLength(1)
})

test('attack: a client has at most 100 watches', async () => {
  for (let index = 0; index < 100; index += 1) await register({ whu: `${watch.whu}/${index}` })
  await expect(register()).rejects.toMatchObject({
    kind: 'requestHandler',
    tag: 'SubscriberLimitExceeded',
    message: expect.stringContaining('at most 100 watches'),
  })
  expect(await stored()).toHaveLength(100)
})

test('error: the client receives a storage error if the database fails', async () => {
  await storage.db.schema.dropTable('relay_watches').execute()
  await expect(register()).rejects.toThrow(RelayStorageError)
  await expect(unregister()).rejects.toThrow(RelayStorageError)
})

test('error: an unexpected error is not reported as an invalid token', async () => {
  const bug = new TypeError('no clock')
  const fail = () => {
    throw bug
  }
  await expect(register({}, fail)).rejects.toBe(bug)
})
