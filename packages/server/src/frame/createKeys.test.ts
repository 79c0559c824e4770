import { randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { checkFrame } from '../doctor/checkFrame.ts'
import { openEscrow } from '../storage/frame/openEscrow.ts'
import { testSet } from '../testing/createTestDevice.ts'
import { createClock, createTestFrame } from '../testing/createTestFrame.ts'
import { createKeys, KeyError } from './createKeys.ts'
import { maintain } from './maintain.ts'
import { createFrameService } from './service.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatefold-keys-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const newKey = () => randomBytes(32).toString('base64url')

/** Writes a key file. */
function write(name: string, ...keys: string[]) {
  const file = join(folder, name)
  writeFileSync(file, `${keys.join('\n')}\n`)
  return { file, dataDir: folder, name: 'unused' }
}

/** Ids of the keys that the escrow store in a data folder uses. */
async function usedKeys(dataDir: string) {
  const escrow = openEscrow({ databaseUrl: undefined, dataDir })
  const ids = await escrow.listKeyIds()
  await escrow.close()
  return ids
}

describe('a key file', () => {
  test('is created once in the data folder, and only its owner can read it', () => {
    const dataDir = join(folder, 'data')
    const options = { file: undefined, dataDir, name: 'frame.keys' }
    const [first, second] = [createKeys(options), createKeys(options)]
    expect(second.ids).toEqual(first.ids)
    expect(statSync(join(dataDir, 'frame.keys')).mode & 0o777).toBe(0o600)
    expect(readdirSync(dataDir)).toEqual(['frame.keys'])
  })

  test('is not created for a database in memory', () => {
    createKeys({ file: undefined, dataDir: ':memory:', name: 'frame.keys' })
    expect(existsSync(':memory:')).toBe(false)
  })

  test('error: it is missing, empty or damaged; no message contains a key', () => {
    const key = newKey()
    expect(() => createKeys({ ...write('none'), file: join(folder, 'nowhere') })).toThrow(KeyError)
    expect(() => createKeys(write('empty', ''))).toThrow('is not a list of keys')
    const read = () => createKeys(write('damaged', key, key.slice(1)))
    expect(read).toThrow('is not a list of keys')
    expect(read).not.toThrow(key)
  })
})

describe('rotation', () => {
  const [old, next] = [newKey(), newKey()]
  const bound = ['user', 'set', 1] as const

  test('the first key encrypts, all keys decrypt', () => {
    const before = createKeys(write('before', old))
    const after = createKeys(write('after', next, old))
    const sealed = before.seal('auth share', bound, 'share')
    expect(after.open('auth share', bound, sealed)).toBe('share')
    expect(after.seal('auth share', bound, 'share').keyId).toBe(after.ids[0])
    expect(after.macs('code', '123456')).toContain(before.mac('code', '123456'))
    const alone = createKeys(write('alone', next))
    expect(() => alone.open('auth share', bound, sealed)).toThrow(`The key ${before.ids[0]}`)
  })

  test('attack: a share is bound to its user, set, epoch and purpose, and cannot be changed', () => {
    const keys = createKeys(write('one', old))
    const sealed = keys.seal('auth share', bound, 'share')
    for (const other of [
      ['other', 'set', 1],
      ['user', 'other', 1],
      ['user', 'set', 2],
    ])
      expect(() => keys.open('auth share', other, sealed)).toThrow(KeyError)
    expect(() => keys.open('recovery key', bound, sealed)).toThrow(KeyError)
    const bytes = Buffer.from(sealed.sealed, 'base64url')
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes)
      changed[at]! ^= 1
      const text = changed.toString('base64url')
      expect(() => keys.open('auth share', bound, { ...sealed, sealed: text })).toThrow(KeyError)
    }
    const short = { ...sealed, sealed: bytes.subarray(0, 20).toString('base64url') }
    expect(() => keys.open('auth share', bound, short)).toThrow(KeyError)
  })

  test('shares are encrypted under the new key, after which the old one can be removed', async () => {
    const files = write('rotated', old)
    const data = { dataDir: join(folder, 'rotated-data'), frameKeys: files.file }
    const frame = await createTestFrame(data)
    const device = await frame.device()
    const { session } = await device.login('ada@example.com')
    const set = testSet()
    await device.createWallet(session, set)
    await frame.stop()

    write('rotated', next, old)
    const second = await createTestFrame(data)
    const { signal } = new AbortController()
    await maintain(await createFrameService(second.context, () => '', signal))
    await second.stop()

    write('rotated', next)
    const third = await createTestFrame(data)
    const { accessToken } = session
    const proof = await device.prove('/api/wallet/share', { accessToken })
    const challenge = await third.send('/api/wallet/share', {
      method: 'POST',
      headers: { dpop: proof, authorization: `DPoP ${accessToken}` },
      body: '{}',
    })
    const nonce = challenge.headers.get('dpop-nonce')
    const answer = await third.send('/api/wallet/share', {
      method: 'POST',
      headers: {
        dpop: await device.prove('/api/wallet/share', { accessToken, claims: { nonce } }),
        authorization: `DPoP ${accessToken}`,
      },
      body: '{}',
    })
    expect(await answer.json()).toMatchObject({ authShare: set.authShare })
    await third.stop()
  })

  test('the escrow key is replaced while a wallet uses it, after which the old one can be removed', async () => {
    const files = write('escrow', old)
    const data = { dataDir: join(folder, 'escrow-data'), escrowKeys: files.file }
    const signal = new AbortController().signal
    const first = await createTestFrame(data)
    const set = testSet()
    const device = await first.device()
    await device.createWallet((await device.login('ada@example.com')).session, set)
    await first.stop()

    // A process whose first key is still the old one can read what the other processes store.
    write('escrow', old, next)
    const second = await createTestFrame(data)
    await maintain(await createFrameService(second.context, () => '', signal))
    expect(await usedKeys(data.dataDir)).toHaveLength(1)
    const before = await usedKeys(data.dataDir)
    await second.stop()

    write('escrow', next, old)
    const third = await createTestFrame(data)
    await maintain(await createFrameService(third.context, () => '', signal))
    expect(await usedKeys(data.dataDir)).not.toEqual(before)
    await third.stop()

    write('escrow', next)
    const clock = createClock(Date.now() + 31_000)
    const fourth = await createTestFrame(data, { now: clock.now })
    const restored = await fourth.device()
    const { session } = await restored.login('ada@example.com')
    const { body } = await restored.post('/api/wallet/escrow', {}, session)
    expect(body).toEqual({ recoveryKey: set.recoveryKey })
    await fourth.stop()
  })

  test('error: without a key that the escrow store uses, a process does not start, and doctor says what to do', async () => {
    const { file } = write('lost', old)
    const data = { dataDir: join(folder, 'lost-data'), escrowKeys: file }
    const frame = await createTestFrame(data)
    const device = await frame.device()
    const set = testSet()
    await device.createWallet((await device.login('ada@example.com')).session, set)
    const [id] = await usedKeys(data.dataDir)
    await frame.stop()

    write('lost', next)
    const failure = await createTestFrame(data).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(KeyError)
    expect(failure).toMatchObject({
      code: 'frame.keys',
      shortMessage: `The keys of the escrow store lack the key ${id}, which encrypts recovery keys in its database.`,
      metaMessages: [expect.stringContaining('GATEFOLD_ESCROW_KEYS')],
    })
    const { findings } = await checkFrame({ ...readConfig(), ...data }, [])
    expect(findings).toContainEqual({
      check: 'frame',
      status: 'error',
      message: `The keys of the escrow store lack ${id}, which the database needs.`,
      fix: `Add the replaced keys to ${file} as additional lines.`,
    })
    write('lost', next, old)
    await (await createTestFrame(data)).stop()
  })

  test('error: a process with other keys does not start on the same database', async () => {
    const dataDir = join(folder, 'shared')
    const frame = await createTestFrame({ dataDir })
    await frame.stop()
    const text = readFileSync(join(dataDir, 'frame.keys'), 'utf8')
    rmSync(join(dataDir, 'frame.keys'))
    await expect(createTestFrame({ dataDir })).rejects.toThrow('lack the key')
    writeFileSync(join(dataDir, 'frame.keys'), text)
    await (await createTestFrame({ dataDir })).stop()
  })
})
