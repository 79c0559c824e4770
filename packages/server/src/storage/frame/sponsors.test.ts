import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createDatabase, engines, type TestDatabase } from '../../testing/databases.ts'
import { openStorage, type Storage } from '../openStorage.ts'
import {
  addOperation,
  settleOperation,
  spend,
  type SponsoredOperationRow,
  type SponsorPolicy,
} from './sponsors.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const chain = 'eip155:31337'
const policy: SponsorPolicy = {
  contracts: [],
  methods: [],
  userDayGwei: 1_000,
  dayGwei: 10_000,
  totalGwei: 100_000,
}

describe.each(engines)('sponsored operations on %s', (engine) => {
  let database: TestDatabase
  let storage: Storage
  beforeEach(async () => {
    database = await createDatabase(engine)
    storage = await openStorage(database.config)
  })
  afterEach(async () => {
    await storage.close()
    await database.remove()
  })

  /** Signs the same operation, at a maximum of 100 gwei, for a user of a project. */
  async function sign(projectId: string, userId: string): Promise<SponsoredOperationRow> {
    const { db } = storage
    expect(await spend(db, policy, { projectId, chain, userId, gwei: 100, now })).toBeUndefined()
    const row = {
      chain,
      hash: '0x01',
      project_id: projectId,
      user_id: userId,
      gwei: 100,
      block: 1,
      valid_until: 0,
      created_at: now,
      expires_at: now,
    }
    await addOperation(db, row)
    return row
  }

  /** What is counted, by project and key. */
  async function spent() {
    const rows = await storage.db.selectFrom('sponsor_spent').selectAll().execute()
    return Object.fromEntries(
      rows.map(({ project_id, key, gwei }) => [`${project_id} ${key}`, gwei]),
    )
  }

  test('that are signed twice for one user are credited twice', async () => {
    const row = await sign('book', 'ada')
    await sign('book', 'ada')
    await settleOperation(storage.db, row, 30)
    expect(await spent()).toEqual({
      'book total': 30,
      'book 2026-11-21': 30,
      'book 2026-11-21 ada': 30,
    })
  })

  test('attack: what counts for one user is not credited to another one', async () => {
    const row = await sign('book', 'ada')
    await sign('book', 'mallory')
    await settleOperation(storage.db, row, 30)
    expect(await spent()).toEqual({
      'book total': 130,
      'book 2026-11-21': 130,
      'book 2026-11-21 ada': 30,
      'book 2026-11-21 mallory': 100,
    })
  })

  test('attack: what counts for one project is not credited to another one', async () => {
    const row = await sign('book', 'ada')
    await sign('harbor', 'ada')
    await settleOperation(storage.db, row, 30)
    expect(await spent()).toMatchObject({ 'book total': 30, 'harbor total': 100 })
  })
})
