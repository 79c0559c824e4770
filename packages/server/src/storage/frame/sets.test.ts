import { expect, test } from 'vitest'
import { createDatabase, engines } from '../../testing/databases.ts'
import { openStorage } from '../openStorage.ts'
import { listSharesOfOtherKeys, renewShare, stageSet, type StoredSet } from './sets.ts'
import { ensureUser } from './users.ts'

test.each(engines)(
  'a share that was replaced is not overwritten by its predecessor under another key, on %s',
  async (engine) => {
    const database = await createDatabase(engine)
    const storage = await openStorage(database.config)
    const { db } = storage
    const { user } = await ensureUser(db, 'ada@example.com', 1)
    const set: StoredSet = {
      id: 'set',
      user_id: user.id,
      device_id: 'device',
      epoch: user.epoch,
      eip155: '0x',
      solana: 'solana',
      smart_account_kind: null,
      smart_account_owner: null,
      recovery_share: '',
      recovery_public_key: null,
      wraps: '[]',
      methods_signature: null,
      is_automatic: 0,
      recovery_id: 'set',
      replaces_version: null,
      created_at: 1,
      committed_at: null,
    }
    const share = { set_id: set.id, user_id: user.id, epoch: user.epoch, key_id: 'old' }
    await stageSet(db, set, { ...share, sealed: 'first' })
    const [first] = await listSharesOfOtherKeys(db, 'new')
    await stageSet(db, set, { ...share, sealed: 'second' })
    await renewShare(db, first!, { key_id: 'new', sealed: 'first under the new key' })
    const [second] = await listSharesOfOtherKeys(db, 'new')
    expect(second).toEqual({ ...share, sealed: 'second' })

    await renewShare(db, second!, { key_id: 'new', sealed: 'second under the new key' })
    expect(await listSharesOfOtherKeys(db, 'old')).toEqual([
      { ...share, key_id: 'new', sealed: 'second under the new key' },
    ])
    await storage.close()
    await database.remove()
  },
)
