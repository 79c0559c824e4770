import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { readConfig } from '../config.ts'
import { createContext } from '../context.ts'
import type { Role } from '../http/Role.ts'
import { saveEvents } from '../storage/events.ts'
import { findProject, saveProject } from '../storage/projects.ts'
import { createTestGateway, type TestGateway } from '../testing/createTestGateway.ts'
import { createDatabase, engines, type TestDatabase } from '../testing/databases.ts'
import { createGatewayRole } from './createGatewayRole.ts'

const event = {
  eventId: '5d5a1c2e-0000-4000-8000-000000000001',
  url: 'http://localhost:3000/wallet?code=1234#secret',
  domain: 'localhost',
  timestamp: 1_763_700_000_000,
  props: {
    type: 'track',
    event: 'CONNECT_SUCCESS',
    address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    properties: {
      method: 'browser',
      name: 'MetaMask',
      caipNetworkId: 'eip155:1',
      amount: '12.5',
      email: 'a@b.example',
      note: 'sent to 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 by someone@example.com',
    },
  },
}

const query = 'projectId=default&st=appkit&sv=html-wagmi-1.7.15'
const post = (body: unknown, origin = 'http://localhost:3000') => ({
  method: 'POST',
  body: typeof body === 'string' ? body : JSON.stringify(body),
  // The content type that `fetch` uses for a text body.
  headers: { 'content-type': 'text/plain;charset=UTF-8', origin },
})

describe.each(engines)('%s', (engine) => {
  let database: TestDatabase
  let gateway: TestGateway
  beforeAll(async () => {
    database = await createDatabase(engine)
    gateway = await createTestGateway(database.config, { now: () => 1_763_700_000_900 })
    const { db } = gateway.context.storage
    const base = (await findProject(db, 'default'))!
    await saveProject(db, { ...base, id: 'quiet', analytics: false }, 1)
  })
  afterAll(async () => {
    await gateway?.stop()
    await database?.remove()
  })
  beforeEach(async () => {
    await gateway.context.storage.db.deleteFrom('analytics_events').execute()
  })

  const stored = () =>
    gateway.context.storage.db
      .selectFrom('analytics_events')
      .selectAll()
      .orderBy('event_id')
      .execute()

  test('§7.7.1 an event is stored without personal data', async () => {
    const { status, body } = await gateway.json(`/e?${query}`, post(event))
    expect([status, body]).toEqual([202, {}])
    const [row, ...more] = await stored()
    expect(more).toEqual([])
    expect(row).toEqual({
      project_id: 'default',
      event_id: event.eventId,
      kind: 'track',
      name: 'CONNECT_SUCCESS',
      domain: 'localhost',
      page: 'http://localhost:3000/wallet',
      sdk_type: 'appkit',
      sdk_version: 'html-wagmi-1.7.15',
      properties: expect.any(String) as string,
      occurred_at: event.timestamp,
      received_at: 1_763_700_000_900,
    })
    expect(JSON.parse(row!.properties)).toEqual({
      address: '[removed]',
      properties: {
        method: 'browser',
        name: 'MetaMask',
        caipNetworkId: 'eip155:1',
        amount: '[removed]',
        email: '[removed]',
        note: 'sent to [removed] by [removed]',
      },
    })
  })

  test('attack: text and times that the database cannot store do not fail', async () => {
    const hostile = { ...event, eventId: 'a\0b', props: { event: 'c\0' }, domain: 'd\0' }
    const { status } = await gateway.json('/e?projectId=default&st=%00&sv=%00', post(hostile))
    expect(status).toBe(202)
    expect(await stored()).toMatchObject([{ event_id: 'ab', name: 'c', domain: 'd' }])
    const late = await gateway.json(`/e?${query}`, post({ ...event, timestamp: 1e300 }))
    expect(late.status).toBe(422)
  })

  test('attack: every text field is searched for personal data', async () => {
    const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
    const mail = 'some.one@mail.example'
    const { status } = await gateway.json(
      `/e?projectId=default&st=${mail}&sv=${address}`,
      post({
        ...event,
        eventId: `id ${address}`,
        url: `https://my.app/of/eip155%3A1%3A${address}/${mail}?m=${mail}#${address}`,
        domain: `${mail} ${address}`,
        props: { type: `${mail} ${address}`, event: `${address} of ${mail}`, [mail]: address },
      }),
    )
    expect(status).toBe(202)
    const [row] = await stored()
    expect(row).toMatchObject({
      event_id: 'id [removed]',
      kind: '[removed] [removed]',
      name: '[removed] of [removed]',
      domain: '[removed] [removed]',
      page: 'https://my.app/of/eip155:1:[removed]/[removed]',
      sdk_type: '[removed]',
      sdk_version: '[removed]',
      properties: '{"[removed]":"[removed]"}',
    })
  })

  test('the URL of a page is stored up to 500 characters', async () => {
    const url = `https://my.app${'/wallet'.repeat(80)}`
    expect((await gateway.json(`/e?${query}`, post({ ...event, url }))).status).toBe(202)
    expect((await stored())[0]!.page).toBe(url.slice(0, 500))
  })

  test('§7.7.1 an error event’s time may be an ISO string', async () => {
    const { status } = await gateway.json(
      `/e?${query}`,
      post({
        ...event,
        timestamp: '2026-11-21T05:00:00.000Z',
        props: {
          type: 'error',
          event: 'API_ERROR',
          errorType: 'Error',
          errorMessage: 'HTTP status code: 500',
          stackTrace: 'at x',
        },
      }),
    )
    expect(status).toBe(202)
    expect((await stored())[0]).toMatchObject({
      kind: 'error',
      name: 'API_ERROR',
      occurred_at: Date.parse('2026-11-21T05:00:00.000Z'),
    })
  })

  test('§7.7.1 a batch that is sent twice is stored once, even if it contains an event of the core client', async () => {
    const core = {
      eventId: 'core',
      timestamp: 1,
      props: { event: 'INIT', type: '', properties: { client_id: 'did:key:z6Mk' } },
    }
    const counter = async () => {
      const text = await gateway.context.metrics.registry.metrics()
      return Number(/^gatefold_analytics_events_total (\d+)$/m.exec(text)?.[1])
    }
    const before = await counter()
    for (let time = 0; time < 2; time += 1) {
      const { status, body } = await gateway.json(`/batch?${query}`, post([event, core]))
      expect([status, body]).toEqual([202, {}])
    }
    expect((await stored()).map(({ name }) => name)).toEqual(['CONNECT_SUCCESS', 'INIT'])
    expect(await counter()).toBe(before + 2)
    expect(JSON.stringify(await stored())).not.toContain('z6Mk')
  })

  test('§8.2.1 a page that may not use the project gets a 403, and its events are not stored', async () => {
    for (const path of ['/e', '/batch']) {
      const body = path === '/e' ? event : [event]
      const { status } = await gateway.json(`${path}?${query}`, post(body, 'https://evil.example'))
      expect(status).toBe(403)
    }
    expect(await stored()).toEqual([])
  })

  test('a project can turn its events off; the client still gets a 202', async () => {
    const answer = await gateway.json('/e?projectId=quiet', post(event))
    expect([answer.status, answer.body]).toEqual([202, {}])
    expect(await stored()).toEqual([])
  })

  test('error: one invalid event rejects the whole batch', async () => {
    const { status, body } = await gateway.json(
      `/batch?${query}`,
      post([event, { ...event, eventId: 7 }]),
    )
    expect(status).toBe(422)
    expect(body).toMatchObject({ reasons: [{ field: '1.eventId' }] })
    expect(await stored()).toEqual([])
  })
})

describe('limits', () => {
  test('error: an event above 8 KiB, or a batch above 64 KiB, is refused', async () => {
    const gateway = await createTestGateway()
    const long = { ...event, props: { ...event.props, properties: { text: 'x'.repeat(8_200) } } }
    const one = await gateway.json(`/e?${query}`, post(long))
    expect(one.status).toBe(413)
    expect(one.body).toMatchObject({ reasons: [{ field: 'body' }] })
    expect((await gateway.json(`/batch?${query}`, post([event, long]))).body).toMatchObject({
      reasons: [{ field: '1' }],
    })
    const many = Array.from({ length: 9 }, () => ({
      ...event,
      props: { ...event.props, properties: { text: 'x'.repeat(8_000) } },
    }))
    expect((await gateway.json(`/batch?${query}`, post(many))).status).toBe(413)
    await gateway.stop()
  })

  test('attack: each event in a batch costs a token of the address and of the project', async () => {
    const batch = Array.from({ length: 6 }, (_, index) => ({ ...event, eventId: `e${index}` }))
    for (const config of [
      { ipRate: 1, ipBurst: 10 },
      { projectRate: 1, projectBurst: 10 },
    ]) {
      const gateway = await createTestGateway(config, { now: () => 0 })
      const send = async () => (await gateway.json(`/batch?${query}`, post(batch))).status
      expect([await send(), await send()]).toEqual([202, 429])
      await gateway.stop()
    }
  })

  test('attack: the stored bytes of an address, and of a project, have a budget that refills within an hour', async () => {
    const mib = 1024 * 1024
    const text = 'x'.repeat(7_500)
    const long = { ...event, props: { ...event.props, properties: { text } } }
    const batch = JSON.stringify(Array.from({ length: 8 }, () => long))
    const granted = Math.floor(mib / (batch.length + 8 * 256))
    const rates = { ipBurst: 10_000, projectBurst: 10_000 }
    for (const [config, field] of [
      [{ analyticsAddressHourlyMib: 1 }, 'ip'],
      [{ analyticsHourlyMib: 1 }, 'projectId'],
    ] as const) {
      let time = 0
      const gateway = await createTestGateway({ ...rates, ...config }, { now: () => time })
      const send = async () => gateway.json(`/batch?${query}`, post(batch))
      for (let count = 0; count < granted; count += 1) expect((await send()).status).toBe(202)
      const { status, body, headers } = await send()
      expect([status, body]).toMatchObject([429, { reasons: [{ field }] }])
      time += 1_000 * Number(headers.get('retry-after'))
      expect((await send()).status).toBe(202)
      await gateway.stop()
    }
  })

  test('events that are not stored need no budget', async () => {
    const gateway = await createTestGateway({ analytics: false, analyticsAddressHourlyMib: 1 })
    const text = 'x'.repeat(7_500)
    const long = { ...event, props: { ...event.props, properties: { text } } }
    const batch = Array.from({ length: 8 }, () => long)
    for (let count = 0; count < 30; count += 1)
      expect((await gateway.json(`/batch?${query}`, post(batch))).status).toBe(202)
    await gateway.stop()
  })

  test('attack: an invalid batch costs as many tokens as a valid one', async () => {
    const gateway = await createTestGateway({ ipRate: 1, ipBurst: 10 }, { now: () => 0 })
    const send = async () =>
      (await gateway.json(`/batch?${query}`, post([{}, {}, {}, {}, {}, {}]))).status
    expect([await send(), await send()]).toEqual([422, 429])
    await gateway.stop()
  })

  test('attack: the response to many invalid events names only the first', async () => {
    const gateway = await createTestGateway()
    const { status, body } = await gateway.json(
      `/batch?${query}`,
      post(`[${'{},'.repeat(1_500)}{}]`),
    )
    expect([status, body]).toEqual([
      422,
      {
        status: 'FAILED',
        reasons: [{ field: '0.eventId', description: '0.eventId is missing' }],
      },
    ])
    await gateway.stop()
  })

  test('attack: a batch of 63 KB that nearly matches the patterns blocks the event loop for less than 20 ms', async () => {
    const gateway = await createTestGateway()
    const batch = Array.from({ length: 9 }, (_, index) => ({
      ...event,
      eventId: `e${index}`,
      domain: 'a'.repeat(253),
      props: { ...event.props, properties: { text: 'a'.repeat(3_300), more: 'eyJ-'.repeat(850) } },
    }))
    const delays: number[] = []
    for (let time = 0; time < 5; time += 1) {
      let [longest, last, isRunning] = [0, performance.now(), true]
      const turn = () => {
        const now = performance.now()
        longest = Math.max(longest, now - last)
        last = now
        if (isRunning) setImmediate(turn)
      }
      setImmediate(turn)
      expect((await gateway.json(`/batch?${query}`, post(batch))).status).toBe(202)
      isRunning = false
      delays.push(longest)
    }
    expect(Math.min(...delays)).toBeLessThan(20)
    await gateway.stop()
  })

  test('attack: a deeply nested body is refused and does not cause a server error', async () => {
    const gateway = await createTestGateway()
    const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`
    const text = JSON.stringify([{ ...event, props: { event: 'X', deep: 0 } }])
    const { status } = await gateway.json(
      `/batch?${query}`,
      post(text.replace('"deep":0', `"deep":${deep}`)),
    )
    expect(status).toBe(400)
    await gateway.stop()
  })

  test('the operator can turn events off for all projects', async () => {
    const gateway = await createTestGateway({ analytics: false })
    expect((await gateway.json(`/e?${query}`, post(event))).status).toBe(202)
    expect((await gateway.json(`/getAnalyticsConfig?${query}`)).body).toEqual({
      isAnalyticsEnabled: false,
    })
    expect(
      await gateway.context.storage.db.selectFrom('analytics_events').selectAll().execute(),
    ).toEqual([])
    await gateway.stop()
  })
})

describe('old events', () => {
  const dayMs = 24 * 60 * 60_000
  let context: Awaited<ReturnType<typeof createContext>>
  let role: Role
  let now = 0
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    now = 1_763_700_000_000
    const config = {
      ...readConfig(),
      logLevel: 'silent' as const,
      dataDir: ':memory:',
      rpcUrls: {},
    }
    context = await createContext(config, { now: () => now })
    role = createGatewayRole(context)
  })
  afterEach(async () => {
    await role.close(0)
    await context.storage.close()
    vi.restoreAllMocks()
    vi.useRealTimers()
  })

  const save = (eventId: string, ageMs: number) =>
    saveEvents(context.storage.db, [
      {
        project_id: 'default',
        event_id: eventId,
        kind: 'track',
        name: 'CONNECT_SUCCESS',
        domain: 'localhost',
        page: '',
        sdk_type: 'appkit',
        sdk_version: '1',
        properties: '{}',
        occurred_at: 0,
        received_at: now - ageMs,
      },
    ])
  const left = async () => {
    const { db } = context.storage
    const rows = await db.selectFrom('analytics_events').select('event_id').execute()
    return rows.map(({ event_id: id }) => id)
  }

  test('are deleted after 90 days, when the server starts and then daily', async () => {
    await save('older', 90 * dayMs + 1)
    await save('newer', 90 * dayMs)
    role.onListening!('http://localhost')
    await expect.poll(left).toEqual(['newer'])
    now += dayMs
    vi.advanceTimersByTime(dayMs - 1)
    await new Promise(setImmediate)
    expect(await left()).toEqual(['newer'])
    vi.advanceTimersByTime(1)
    await expect.poll(left).toEqual([])
  })

  test('error: old events that cannot be deleted are logged', async () => {
    const error = new Error('disk full')
    const logged = vi.spyOn(context.log, 'warn')
    vi.spyOn(context.storage.db, 'getExecutor').mockImplementation(() => {
      throw error
    })
    role.onListening!('http://localhost')
    await expect
      .poll(() => logged.mock.calls)
      .toEqual([[{ err: error }, 'deleting old events failed']])
  })
})
