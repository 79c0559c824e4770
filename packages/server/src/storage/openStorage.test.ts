import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localOrigins } from '@gatefold/protocol/gateway'
import { afterEach, describe, expect, test } from 'vitest'
import { createDatabase, engines, type TestDatabase } from '../testing/databases.ts'
import type { EventsTable } from './Database.ts'
import { deleteEventsBefore, saveEvents } from './events.ts'
import { openStorage, StorageError, type Storage } from './openStorage.ts'
import {
  ensureDefaultProject,
  findProject,
  listProjects,
  saveProject,
  type Project,
} from './projects.ts'

const event: EventsTable = {
  project_id: 'default',
  event_id: 'e1',
  kind: 'track',
  name: 'MODAL_OPEN',
  domain: 'localhost',
  page: 'http://localhost/',
  sdk_type: 'appkit',
  sdk_version: 'html-wagmi-1.7.15',
  properties: '{"connected":false}',
  occurred_at: 1_763_700_000_000,
  received_at: 1_763_700_000_500,
}

const project: Project = {
  id: 'harbor',
  name: 'Harbor — “Häfen” 🚢',
  allowedOrigins: ['https://*.harbor.example'],
  defaultOrigins: true,
  features: { swap: 'off', activity: 'local', social_login: ['email'] },
  domains: ['harbor.example'],
  zone: 'harbor.eth',
  analytics: false,
  confirmDevices: true,
  recovery: ['passkey'],
  passkeyLogin: true,
  active: true,
  createdAt: 1_763_700_000_000,
}

describe.each(engines)('%s', (engine) => {
  const opened: Storage[] = []
  let database: TestDatabase

  async function open() {
    database ??= await createDatabase(engine)
    const storage = await openStorage(database.config)
    opened.push(storage)
    return storage
  }

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((storage) => storage.close()))
    await database?.remove()
    database = undefined as never
  })

  test('the default project is created once and allows only local origins', async () => {
    const { db } = await open()
    await ensureDefaultProject(db, 5)
    await ensureDefaultProject(db, 6)
    expect(await listProjects(db)).toEqual([
      expect.objectContaining({
        id: 'default',
        allowedOrigins: localOrigins,
        defaultOrigins: false,
        active: true,
        createdAt: 5,
      }),
    ])
  })

  test('a project survives closing and reopening', async () => {
    const first = await open()
    await saveProject(first.db, project, 7)
    await opened.pop()!.close()
    const { db } = await open()
    expect(await findProject(db, 'harbor')).toEqual(project)
    expect(await findProject(db, 'other')).toBeUndefined()
  })

  test('saving a project again keeps its creation time', async () => {
    const { db } = await open()
    await saveProject(db, project, 7)
    await saveProject(db, { ...project, name: 'Pier', createdAt: 99, active: false }, 8)
    expect(await findProject(db, 'harbor')).toEqual({ ...project, name: 'Pier', active: false })
  })

  test('projects are listed from the oldest to the newest, then by their id', async () => {
    const { db } = await open()
    for (const [id, createdAt] of [
      ['quay', 9],
      ['pier', 9],
      ['weir', 8],
    ] as const)
      await saveProject(db, { ...project, id, createdAt }, 10)
    expect((await listProjects(db)).map(({ id }) => id)).toEqual(['weir', 'pier', 'quay'])
  })

  test('several processes can migrate at the same time', async () => {
    database = await createDatabase(engine)
    const storages = await Promise.all([open(), open(), open(), open()])
    await Promise.all(storages.map(({ db }) => ensureDefaultProject(db, 1)))
    expect(await listProjects(storages[0].db)).toHaveLength(1)
  })

  test('an event sent twice is stored once, and times keep their precision', async () => {
    const { db } = await open()
    await saveEvents(db, [event, { ...event, event_id: 'e2' }])
    await saveEvents(db, [{ ...event, name: 'OTHER' }])
    expect(
      await db.selectFrom('analytics_events').selectAll().orderBy('event_id').execute(),
    ).toEqual([event, { ...event, event_id: 'e2' }])
  })

  test('a thousand events are stored in one call; old ones are deleted', async () => {
    const { db } = await open()
    const events = Array.from({ length: 1_000 }, (_, index) => ({
      ...event,
      event_id: `e${index}`,
      received_at: index,
    }))
    await saveEvents(db, events)
    await deleteEventsBefore(db, 990)
    expect(await db.selectFrom('analytics_events').select('event_id').execute()).toHaveLength(10)
  })

  test('a ping resolves while the storage is open', async () => {
    const storage = await open()
    await expect(storage.ping()).resolves.toBeUndefined()
  })
})

describe.skipIf(process.platform === 'win32')('modes of the SQLite files', () => {
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
  let parent: string

  afterEach(() => rmSync(parent, { recursive: true, force: true }))

  async function modesAfterOpening(dataDir: string) {
    const storage = await openStorage({ dataDir })
    await ensureDefaultProject(storage.db, 1)
    const names = readdirSync(dataDir).sort()
    const modes = names.map((name) => `${name} ${modeOf(join(dataDir, name))}`)
    await storage.close()
    return modes
  }
  const ownerOnly = ['gatefold.db 600', 'gatefold.db-shm 600', 'gatefold.db-wal 600']

  test('attack: new files and folders are accessible only to their owner', async () => {
    parent = mkdtempSync(join(tmpdir(), 'gatefold-modes-'))
    const dataDir = join(parent, 'new', 'data')
    expect(await modesAfterOpening(dataDir)).toEqual(ownerOnly)
    expect([modeOf(dataDir), modeOf(join(parent, 'new'))]).toEqual(['700', '700'])
  })

  test('attack: existing files become accessible only to their owner; an existing folder keeps its mode', async () => {
    parent = mkdtempSync(join(tmpdir(), 'gatefold-modes-'))
    chmodSync(parent, 0o755)
    const before = await openStorage({ dataDir: parent })
    for (const name of readdirSync(parent)) chmodSync(join(parent, name), 0o644)
    expect(await modesAfterOpening(parent)).toEqual(ownerOnly)
    expect(modeOf(parent)).toBe('755')
    await before.close()
  })
})

test('error: an unreachable PostgreSQL is reported without its password', async () => {
  const opening = openStorage({
    databaseUrl: 'postgres://user:hunter2@127.0.0.1:1/name',
    dataDir: '/nowhere',
  })
  await expect(opening).rejects.toThrow(StorageError)
  await expect(opening).rejects.toThrow(/PostgreSQL.*ECONNREFUSED/s)
  await expect(opening).rejects.not.toThrow(/hunter2/)
})
