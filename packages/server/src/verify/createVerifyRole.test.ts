import { expect, onTestFinished, test, vi } from 'vitest'
import { readConfig } from '../config.ts'
import { createContext } from '../context.ts'
import { saveAttestation } from '../storage/verify.ts'
import { hashOf } from '../testing/createTestVerify.ts'
import { local, noon, startVerify } from '../testing/verifyFixture.ts'
import { createVerifyRole } from './createVerifyRole.ts'

async function startRole() {
  const warnings: unknown[] = []
  const config = { ...readConfig(), logLevel: 'silent' as const, dataDir: ':memory:', rpcUrls: {} }
  const context = await createContext(config, { now: () => noon })
  const { db } = context.storage
  const role = createVerifyRole({
    ...context,
    log: { ...context.log, warn: (fields: unknown) => void warnings.push(fields) },
  })
  /** Stores an attestation that has expired. */
  const expire = (id: string) =>
    saveAttestation(db, { id: hashOf(id), origin: local, isScam: false, expiresAt: noon - 1 })
  const stored = () => db.selectFrom('verify_attestations').select('id').execute()
  return { role, expire, stored, warnings, close: () => context.storage.close() }
}

test('expired attestations are deleted on start and every five minutes until the role is closed', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { role, expire, stored, close } = await startRole()
  await expire('a')
  role.onListening!('http://localhost')
  await vi.waitFor(async () => expect(await stored()).toEqual([]))
  await expire('b')
  vi.advanceTimersByTime(299_000)
  expect(await stored()).toHaveLength(1)
  vi.advanceTimersByTime(1_000)
  await vi.waitFor(async () => expect(await stored()).toEqual([]))
  await expire('c')
  await role.close(0)
  vi.advanceTimersByTime(600_000)
  expect(await stored()).toHaveLength(1)
  await close()
})

test('error: logs that expired attestations could not be deleted', async () => {
  const { role, warnings, close } = await startRole()
  await close()
  role.onListening!('http://localhost')
  await vi.waitFor(() => expect(warnings).toEqual([{ err: expect.any(Error) as Error }]))
  await role.close(0)
})

test('a role that never listened can be closed', async () => {
  const { role, close } = await startRole()
  await role.close(0)
  await close()
})

test('error: without the database, requests get a 503', async () => {
  const verify = await startVerify()
  await verify.context.storage.close()
  expect((await verify.send(`/attestation/${hashOf('a')}`)).status).toBe(503)
  expect((await verify.send('/v3/public-key')).status).toBe(503)
})
