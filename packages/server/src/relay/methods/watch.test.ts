import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openStorage } from '../../storage/openStorage.ts'
import { saveWatch } from '../../storage/relayWatches.ts'
import { createDatabase, engines, type TestDatabase } from '../../testing/databases.ts'
import {
  createRelayIdentity,
  makeRelayToken,
  type RelayClient,
} from '../../testing/openRelayClient.ts'
import { startRelay, type TestRelay } from '../../testing/startRelay.ts'

const webhook = 'https://push.example/relay'
const wanted = { typ: 'subscriber', whu: webhook, tag: [1100, 1108], sts: ['queued'] }

describe.each(engines)('watches on %s', (engine) => {
  const identity = createRelayIdentity()
  let database: TestDatabase
  let relay: TestRelay
  let service: RelayClient
  beforeEach(async () => {
    database = await createDatabase(engine)
    relay = await startRelay(database.config)
    service = await relay.connect({ identity })
  })
  afterEach(async () => {
    await relay.stop()
    await database.remove()
  })

  const token = (claims: object) => makeRelayToken(identity, relay.url, claims)
  const register = (claims: object = {}) =>
    service.request('irn_watchRegister', {
      registerAuth: token({ act: 'irn_watch_register', ...wanted, ...claims }),
    })
  const unregister = (claims: object = {}) =>
    service.request('irn_watchUnregister', {
      unregisterAuth: token({
        act: 'irn_watch_unregister',
        typ: wanted.typ,
        whu: webhook,
        ...claims,
      }),
    })
  async function stored() {
    const storage = await openStorage(database.config)
    try {
      return await storage.db.selectFrom('relay_watches').selectAll().execute()
    } finally {
      await storage.close()
    }
  }

  test('a service registers a watch, changes its tags and unregisters it', async () => {
    const { result } = await register()
    expect(result).toEqual({ relayId: expect.stringMatching(/^did:key:z6Mk/) })
    expect(await register({ tag: [1110] })).toMatchObject({ result })
    expect(await stored()).toMatchObject([
      { client_id: service.clientId, kind: 'subscriber', webhook, tags: '[1110]' },
    ])
    expect(await unregister({ whu: 'https://push.example/other' })).toMatchObject({ result: true })
    expect(await stored()).toHaveLength(1)
    expect(await unregister()).toMatchObject({ result: true })
    expect(await stored()).toEqual([])
  })

  test('attack: a webhook that the database cannot store is refused', async () => {
    const refused = { error: { data: 'InvalidParams' } }
    expect(await register({ whu: `${webhook}/\0` })).toMatchObject(refused)
    expect(await unregister({ whu: `${webhook}/\0` })).toMatchObject(refused)
  })

  test('the relay keeps its id across a restart', async () => {
    const { result } = await register()
    await relay.stop()
    relay = await startRelay(database.config)
    service = await relay.connect({ identity })
    expect(await register()).toMatchObject({ result })
    expect(await stored()).toHaveLength(1)
  })

  test('attack: a client has at most 100 watches, and registers at a bounded rate', async () => {
    const begin = performance.now()
    const answers: Awaited<ReturnType<typeof register>>[] = []
    // The number of concurrent requests. Not above the number of connections to
    // PostgreSQL, because further requests would wait too long on a busy
    // machine; and not a divisor of 100, so that the limit is exceeded within
    // one group.
    const atOnce = 8
    while (answers.length < 120)
      answers.push(
        ...(await Promise.all(
          Array.from({ length: atOnce }, (_, index) =>
            register({ whu: `${webhook}/${answers.length + index}` }),
          ),
        )),
      )
    // 100 in a burst, then 20 per second.
    expect(performance.now() - begin).toBeGreaterThan(900)
    const refused = answers.filter(({ error }) => error !== undefined)
    expect(refused).toHaveLength(20)
    expect(refused[0]!.error).toMatchObject({ code: -32_000, data: 'SubscriberLimitExceeded' })
    expect(await stored()).toHaveLength(100)
    const registered = (await stored())[0]!
    expect((await register({ whu: registered.webhook, tag: [1] })).error).toBeUndefined()
  })

  test('only expired watches are deleted when the relay starts', async () => {
    await register()
    await relay.stop()
    const storage = await openStorage(database.config)
    const [row] = await storage.db.selectFrom('relay_watches').selectAll().execute()
    await saveWatch(storage.db, { ...row!, kind: 'publisher', expires_at: Date.now() })
    await storage.close()
    relay = await startRelay(database.config)
    await expect.poll(stored).toEqual([row])
  })

  test.each([
    ['for a connection', { act: 'client_auth' }, 3000, 'InvalidJwt'],
    ['for unregistering', { act: 'irn_watch_unregister' }, 3000, 'InvalidJwt'],
    ['for another relay', { aud: 'wss://relay.elsewhere.example' }, 3000, 'InvalidJwt'],
    ['valid for 31 days', { exp: Date.now() / 1000 + 31 * 86_400 }, 3000, 'InvalidJwt'],
    ['without a webhook', { whu: undefined }, -32_600, 'InvalidParams'],
    ['with a webhook that is not a URL', { whu: 'push' }, -32_600, 'InvalidParams'],
    ['for an unknown kind of watch', { typ: 'reader' }, -32_600, 'InvalidParams'],
  ])('error: a token %s is refused', async (_, claims, code, data) => {
    expect((await register(claims)).error).toMatchObject({ code, data })
    expect(await stored()).toEqual([])
  })
})
