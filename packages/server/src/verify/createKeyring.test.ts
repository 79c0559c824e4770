import { describe, expect, onTestFinished, test } from 'vitest'
import { addScamDomains, deleteAttestationsBefore, listKeys } from '../storage/verify.ts'
import { hashOf } from '../testing/createTestVerify.ts'
import { createDatabase, engines } from '../testing/databases.ts'
import { startTcpProxy } from '../testing/startTcpProxy.ts'
import {
  addProject,
  harbor,
  local,
  noon,
  publicKeys,
  readClaims,
  startVerify,
} from '../testing/verifyFixture.ts'
import { rotateKeys } from './createKeyring.ts'

describe.each(engines)('%s', (engine) => {
  async function database() {
    const created = await createDatabase(engine)
    onTestFinished(() => created.remove())
    return created.config
  }

  test('all processes on a database sign with one key, even if they start at the same time', async () => {
    const config = await database()
    const processes = await Promise.all([
      startVerify(config),
      startVerify(config),
      startVerify(config),
    ])
    const all = await Promise.all(processes.map(publicKeys))
    expect(new Set(all.map(({ publicKey }) => publicKey.x)).size).toBe(1)
    const ticket = await processes[0].ticketFor({ claimed: local })
    const answer = await processes[1].send('/v3/attestation', {
      method: 'POST',
      body: JSON.stringify({ ticket, origin: local }),
    })
    expect(answer.status).toBe(200)
    const again = await startVerify(config)
    expect(await publicKeys(again)).toEqual(all[0])
  })

  test('an attestation is delivered to one of many concurrent lookups, and expires after five minutes', async () => {
    const config = await database()
    let now = noon
    const verify = await startVerify(config, { now: () => now })
    const lookUp = () => verify.send(`/attestation/${hashOf('open')}`)
    await verify.attest({ claimed: local, framedBy: local })
    const answers = await Promise.all(Array.from({ length: 20 }, lookUp))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)

    await verify.attest({ claimed: local, framedBy: local })
    now += 301_000
    expect((await lookUp()).status).toBe(404)
    const { db } = verify.context.storage
    await deleteAttestationsBefore(db, now)
    expect(await db.selectFrom('verify_attestations').selectAll().execute()).toEqual([])
  })

  test('an attestation with the same hash from another origin does not replace the first one', async () => {
    const verify = await startVerify(await database())
    await addProject(verify, harbor)
    await addScamDomains(verify.context.storage.db, ['a.harbor.example'], noon)
    for (const origin of ['https://harbor.example', 'https://a.harbor.example'])
      await verify.attest({ projectId: 'harbor', claimed: origin, framedBy: origin })
    const answer = await verify.send(`/attestation/${hashOf('open')}`)
    expect(await answer.json()).toMatchObject({ origin: 'https://harbor.example', isScam: false })
  })

  test('a new key signs once every process has loaded it, and the old one stays published', async () => {
    let now = noon
    const clock = { now: () => now }
    const config = await database()
    const [first, second] = [await startVerify(config, clock), await startVerify(config, clock)]
    const before = await first.attest({ claimed: local, framedBy: local })
    const old = await publicKeys(second)
    const { db } = first.context.storage
    expect(await rotateKeys(db, now, { atOnce: false })).toBe(now + 10_000)

    now += 5_000
    const announced = await publicKeys(first)
    expect(announced.publicKey).toEqual(old.publicKey)
    expect(announced.keys).toHaveLength(2)

    now += 5_000
    for (const process of [first, second]) {
      const { publicKey, keys } = await publicKeys(process)
      expect(publicKey).toEqual(announced.keys[1])
      expect(keys[1]).toEqual(old.publicKey)
      const jwt = await process.attest({ claimed: local, framedBy: local })
      expect(await readClaims(jwt, publicKey, now)).toMatchObject({ isVerified: true })
    }
    expect(await readClaims(before, old.publicKey, now)).toMatchObject({ isVerified: true })

    now += 600_000
    expect((await publicKeys(first)).keys).toHaveLength(1)
    await rotateKeys(db, now, { atOnce: true })
    now += 5_000
    const { keys } = await publicKeys(second)
    expect(keys).toHaveLength(1)
    expect(keys[0]).not.toEqual(announced.keys[1])
  })

  test('two rotations in a row do not shorten the time for which an old key stays published', async () => {
    let now = noon
    const verify = await startVerify(await database(), { now: () => now })
    const { db } = verify.context.storage
    const old = await publicKeys(verify)
    await rotateKeys(db, now, { atOnce: false })
    now += 5_000
    await rotateKeys(db, now, { atOnce: false })
    now += 4_000
    // Neither new key signs yet, because other processes may not have loaded it.
    const jwt = await verify.attest({ claimed: local, framedBy: local })
    expect(await readClaims(jwt, old.publicKey, now)).toMatchObject({ isVerified: true })
    now += 299_000
    const { publicKey, keys } = await publicKeys(verify)
    expect(keys).toHaveLength(3)
    expect(keys).toContainEqual(old.publicKey)
    const before = await verify.attest({ claimed: local, framedBy: local })
    expect(await readClaims(before, publicKey, now)).toMatchObject({ isVerified: true })

    now += 310_000
    await rotateKeys(db, now, { atOnce: false })
    now += 5_000
    expect((await publicKeys(verify)).keys).not.toContainEqual(old.publicKey)
    const signing = (await listKeys(db)).filter(({ alg }) => alg === 'ES256')
    expect(signing.map(({ serial }) => serial)).toEqual([3, 4])
  })

  test('a key that an interrupted process did not store is created by the next process', async () => {
    const config = await database()
    const old = await publicKeys(await startVerify(config))
    const verify = await startVerify(config)
    const { db } = verify.context.storage
    await db.deleteFrom('verify_keys').where('alg', '=', 'HS256').execute()
    await verify.attest({ claimed: local, framedBy: local })
    expect(await publicKeys(verify)).toEqual(old)
  })
})

test('without the database, the cached key still signs, and routes that need the database fail with 503', async () => {
  const created = await createDatabase('postgres')
  onTestFinished(() => created.remove())
  const url = new URL(created.config.databaseUrl!)
  const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) })
  onTestFinished(() => proxy.stop())
  url.port = String(proxy.port)
  let now = noon
  const verify = await startVerify({ databaseUrl: url.href }, { now: () => now })
  const unused = await startVerify({ databaseUrl: url.href })
  await verify.attest({ claimed: local, framedBy: local })
  const { publicKey } = await publicKeys(verify)
  proxy.cut()
  expect((await unused.send('/v3/public-key')).status).toBe(503)
  now += 60_000
  expect((await publicKeys(verify)).publicKey).toEqual(publicKey)
  const ticket = await verify.ticketFor({ claimed: local })
  const body = JSON.stringify({ ticket, origin: local })
  const posted = await verify.send('/v3/attestation', { method: 'POST', body })
  expect([posted.status, posted.headers.get('retry-after')]).toEqual([503, '5'])
  expect((await verify.send(`/attestation/${hashOf('open')}`)).status).toBe(503)
  expect((await verify.send('/never-read')).status).toBe(503)
  proxy.mend()
  await expect
    .poll(async () => (await verify.send(`/attestation/${hashOf('open')}`)).status)
    .toBe(200)
})
