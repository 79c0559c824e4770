import { expect, onTestFinished, test } from 'vitest'
import { createDatabase, engines } from '../testing/databases.ts'
import { local, startVerify } from '../testing/verifyFixture.ts'

test.each(engines)('of two requests with one ticket, only one is accepted (%s)', async (engine) => {
  const database = await createDatabase(engine)
  onTestFinished(() => database.remove())
  const verify = await startVerify(database.config)
  const body = JSON.stringify({
    ticket: await verify.ticketFor({ claimed: local }),
    origin: local,
  })
  const post = () => verify.send('/v3/attestation', { method: 'POST', body })
  const responses = await Promise.all([post(), post()])
  expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401])
  expect((await post()).status).toBe(401)
})
