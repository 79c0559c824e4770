import { featureIds } from '@gatefold/protocol/gateway'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { saveProject, type Project } from '../storage/projects.ts'
import { createTestGateway, type TestGateway } from '../testing/createTestGateway.ts'
import { createDatabase, engines, type TestDatabase } from '../testing/databases.ts'

const harbor: Project = {
  id: 'harbor',
  name: 'Harbor',
  allowedOrigins: ['https://*.harbor.example', 'https://pier.example'],
  defaultOrigins: true,
  features: { swap: 'off', onramp: 'local', social_login: ['email', 'google'], activity: [] },
  domains: [],
  zone: null,
  analytics: false,
  confirmDevices: false,
  recovery: [],
  passkeyLogin: false,
  active: true,
  createdAt: 1,
}

const query = (projectId: string) => `projectId=${projectId}&st=appkit&sv=html-wagmi-1.7.15`
const from = (origin: string) => ({ headers: { origin } })

describe.each(engines)('%s', (engine) => {
  let database: TestDatabase
  let gateway: TestGateway
  beforeAll(async () => {
    database = await createDatabase(engine)
    gateway = await createTestGateway(database.config)
    const { db } = gateway.context.storage
    await saveProject(db, harbor, 1)
    await saveProject(db, { ...harbor, id: 'closed', active: false }, 1)
  })
  afterAll(async () => {
    await gateway?.stop()
    await database?.remove()
  })

  test('attack: a project id that the database cannot store is unknown', async () => {
    const { status } = await gateway.json('/getWallets?projectId=a%00b')
    expect(status).toBe(401)
  })

  test('§7.2 the configuration has the three states of a feature', async () => {
    const { status, body } = await gateway.json(`/appkit/v1/config?${query('harbor')}`)
    expect(status).toBe(200)
    const { features } = body as { features: { id: string }[] }
    const byId = Object.fromEntries(features.map((feature) => [feature.id, feature]))
    // Old and new official clients treat an entry that is not enabled as off.
    expect(byId['swap']).toEqual({ id: 'swap', isEnabled: false, config: [] })
    // The site's options apply.
    expect(byId['onramp']).toEqual({ id: 'onramp', isEnabled: true, config: null })
    // The project's list applies, even an empty one.
    expect(byId['social_login']).toEqual({
      id: 'social_login',
      isEnabled: true,
      config: ['email', 'google'],
    })
    expect(byId['activity']).toEqual({ id: 'activity', isEnabled: true, config: [] })
  })

  test('§7.2 in the default project, every feature is on, except four that are off by default', async () => {
    const { body } = await gateway.json('/appkit/v1/config')
    const { features } = body as { features: { id: string; isEnabled: boolean; config: unknown }[] }
    expect(features.map(({ id }) => id)).toEqual([...featureIds, 'passkey_login'])
    const off = features.filter(({ isEnabled }) => !isEnabled).map(({ id }) => id)
    expect(off.toSorted()).toEqual([
      'email_capture',
      'fund_from_exchange',
      'payments',
      'reown_authentication',
    ])
    expect(features.every(({ config }) => Array.isArray(config))).toBe(true)
  })

  test('§7.3 a project’s origins are listed', async () => {
    const { status, body } = await gateway.json(`/projects/v1/origins?${query('harbor')}`)
    expect([status, body]).toEqual([200, { allowedOrigins: harbor.allowedOrigins }])
  })

  test('§7.3 a page that may not use the project also gets the origins', async () => {
    const { status } = await gateway.json(
      `/projects/v1/origins?${query('harbor')}`,
      from('https://evil.example'),
    )
    expect(status).toBe(200)
  })

  test('§7.6 analytics are on unless the project turns them off', async () => {
    const on = await gateway.json(`/getAnalyticsConfig?${query('default')}`)
    const off = await gateway.json(`/getAnalyticsConfig?${query('harbor')}`)
    expect(on.body).toEqual({ isAnalyticsEnabled: true })
    expect(off.body).toEqual({ isAnalyticsEnabled: false })
  })

  test('the project limits report that no plan limit is exceeded', async () => {
    const { body } = await gateway.json(`/appkit/v1/project-limits?${query('harbor')}`)
    expect(body).toEqual({
      planLimits: {
        tier: expect.not.stringMatching('starter') as string,
        isAboveRpcLimit: false,
        isAboveMauLimit: false,
      },
    })
  })

  describe.each([
    '/appkit/v1/config',
    '/getWallets',
    '/getAnalyticsConfig',
    '/appkit/v1/project-limits',
  ])('GET %s', (path) => {
    test.each<[project: string, origin: string | undefined, status: number]>([
      ['harbor', undefined, 200],
      ['harbor', 'https://pier.example', 200],
      ['harbor', 'https://a.harbor.example', 200],
      ['harbor', 'https://a.b.harbor.example', 200],
      ['harbor', 'http://localhost:5173', 200],
      ['harbor', 'https://preview.vercel.app', 200],
      ['harbor', 'https://harbor.example', 401],
      ['harbor', 'https://evilharbor.example', 401],
      ['harbor', 'http://pier.example', 401],
      ['harbor', 'null', 401],
      ['default', undefined, 200],
      ['default', 'http://localhost:3000', 200],
      ['default', 'https://127.0.0.1:8443', 200],
      ['default', 'https://preview.vercel.app', 401],
      ['default', 'https://evil.example', 401],
      ['', 'http://localhost:3000', 200],
      ['unknown', undefined, 401],
      ['closed', undefined, 401],
      ['x'.repeat(5_000), undefined, 401],
    ])('§5.7 project %s, origin %s: %s', async (project, origin, status) => {
      const answer = await gateway.json(`${path}?${query(project)}`, origin ? from(origin) : {})
      expect(answer.status).toBe(status)
      if (status !== 401) return
      const { reasons } = answer.body as { reasons: { field: string }[] }
      const field = ['harbor', 'default'].includes(project) ? 'origin' : 'projectId'
      expect(reasons.map((reason) => reason.field)).toEqual([field])
    })
  })

  test('a change by another process is applied within seconds', async () => {
    let time = 0
    const watched = await createTestGateway(database.config, { now: () => time })
    const read = async () =>
      (await watched.json(`/getAnalyticsConfig?${query('moving')}`)).body as unknown
    await saveProject(watched.context.storage.db, { ...harbor, id: 'moving' }, 1)
    expect(await read()).toEqual({ isAnalyticsEnabled: false })
    await saveProject(gateway.context.storage.db, { ...harbor, id: 'moving', analytics: true }, 2)
    time += 2_000
    expect(await read()).toEqual({ isAnalyticsEnabled: true })
    await watched.stop()
  })
})
