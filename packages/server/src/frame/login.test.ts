import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { limits } from '@gatefold/protocol'
import { describe, expect, test } from 'vitest'
import { saveProject } from '../storage/projects.ts'
import { pageOrigin } from '../testing/createTestDevice.ts'
import { ensureUser } from '../storage/frame/users.ts'
import { createClock, createTestFrame, type TestFrame } from '../testing/createTestFrame.ts'
import { createDatabase, engines } from '../testing/databases.ts'
import { testProject } from '../testing/testProject.ts'

/** Creates codes that differ from a code and from each other. */
function wrongCodes(code: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    String((Number(code) + index + 1) % 1_000_000).padStart(6, '0'),
  )
}

async function useFrame(...args: Parameters<typeof createTestFrame>) {
  const frame = await createTestFrame(...args)
  return { ...frame, [Symbol.asyncDispose]: () => frame.stop() }
}

async function guessAll(
  device: Awaited<ReturnType<TestFrame['device']>>,
  loginId: string,
  codes: string[],
) {
  const answers = await Promise.all(
    codes.map(async (code) => device.post('/api/login/verify', { loginId, code })),
  )
  return answers.map(({ status, reason }) => reason?.code ?? status)
}

describe.each(engines)('login by email on %s', (engine) => {
  test('§4.12 a code that was mailed to the address creates a session', async () => {
    await using frame = await useFrame(await database(engine))
    const device = await frame.device()
    const requested = await device.requestCode(' Ada@Example.com ')
    expect(requested.status).toBe(200)
    expect(requested.body).toEqual({
      action: 'VERIFY_OTP',
      loginId: expect.stringMatching(/^[\w-]{22}$/) as string,
      codeSeconds: 300,
      resendSeconds: 30,
    })
    const { loginId } = requested.body
    const code = frame.lastCode('ada@example.com')
    const { body } = await device.post('/api/login/verify', { loginId, code })
    expect(body).toMatchObject({ user: { email: 'ada@example.com', wallet: null, epoch: 1 } })
  })

  test('attack: 50 parallel guesses evaluate at most three, even across a restart', async () => {
    const config = await database(engine)
    const first = await useFrame(config)
    const device = await first.device()
    const { loginId } = (await device.requestCode('ada@example.com')).body
    const code = first.lastCode('ada@example.com')
    const codes = wrongCodes(code, 50)
    const one = await guessAll(device, loginId, codes.slice(0, 1))
    expect(one).toEqual(['code_wrong'])
    await first.stop()

    await using second = await useFrame(config)
    const proofs = await Promise.all(codes.map(async () => device.prove('/api/login/verify')))
    const answers = await Promise.all(
      codes.map(async (guess, index) =>
        second.send('/api/login/verify', {
          method: 'POST',
          headers: { dpop: proofs[index]! },
          body: JSON.stringify({ loginId, code: guess }),
        }),
      ),
    )
    const reasons = await Promise.all(answers.map(async (answer) => answer.text()))
    expect(reasons.filter((text) => text.includes('code_wrong'))).toHaveLength(2)
    expect(reasons.filter((text) => text.includes('code_expired'))).toHaveLength(48)
    const late = await second.send('/api/login/verify', {
      method: 'POST',
      headers: { dpop: await device.prove('/api/login/verify') },
      body: JSON.stringify({ loginId, code }),
    })
    expect(await late.text()).toContain('code_expired')
  })

  test('attack: of parallel uses of the right code, one succeeds', async () => {
    await using frame = await useFrame(await database(engine))
    const device = await frame.device()
    const { loginId } = (await device.requestCode('ada@example.com')).body
    const code = frame.lastCode('ada@example.com')
    const answers = await guessAll(device, loginId, [code, code, code, code])
    expect(answers.filter((answer) => answer === 200)).toHaveLength(1)
  })

  test('§5.11.1 attack: parallel requests for a code mail one in 30 s and five in an hour, even across a restart', async () => {
    const config = await database(engine)
    const clock = createClock()
    const first = await useFrame(config, { now: clock.now })
    const device = await first.device()
    const many = await Promise.all(
      Array.from({ length: 5 }, async () => device.requestCode('ada@example.com')),
    )
    expect(many.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(first.mails()).toHaveLength(1)
    const refused = many.find(({ status }) => status !== 200)!
    expect([refused.status, refused.reason?.code, refused.headers.get('retry-after')]).toEqual([
      429,
      'too_soon',
      '30',
    ])
    clock.advance(30)
    const again = await Promise.all(
      Array.from({ length: 5 }, async () => device.requestCode('ada@example.com')),
    )
    expect(again.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(first.mails()).toHaveLength(2)
    await first.stop()

    await using second = await useFrame(config, { now: clock.now })
    const other = await second.device()
    expect((await other.requestCode('ada@example.com')).reason?.code).toBe('too_soon')
    for (let code = 0; code < 3; code += 1) {
      clock.advance(30)
      expect((await other.requestCode('ada@example.com')).status).toBe(200)
    }
    clock.advance(30)
    const sixth = await other.requestCode('ada@example.com')
    expect([sixth.status, sixth.reason?.code]).toEqual([429, 'too_many_codes'])
    expect((await other.requestCode('bob@example.com')).status).toBe(200)
    clock.advance(3600)
    expect((await other.requestCode('ada@example.com')).status).toBe(200)
  })
})

async function database(engine: (typeof engines)[number]) {
  const created = await createDatabase(engine)
  return created.config
}

test('attack: one client address gets 20 codes in an hour, over all email addresses', async () => {
  await using frame = await useFrame()
  const device = await frame.device()
  const statuses: number[] = []
  for (let index = 0; index < 22; index += 1)
    statuses.push((await device.requestCode(`user${index}@example.com`)).status)
  expect(statuses).toEqual([...Array<number>(20).fill(200), 429, 429])
  const elsewhere = await device.requestCode('user99@example.com', {}, { address: '192.0.2.7' })
  expect(elsewhere.status).toBe(200)
})

describe('a code', () => {
  test('attack: is useless for another address, device or project', async () => {
    await using frame = await useFrame()
    const clientOf = { address: '192.0.2.50' }
    await saveProject(
      frame.context.storage.db,
      testProject({ id: 'harbor', allowedOrigins: ['https://harbor.example'] }),
      1,
    )
    const [ada, eve] = [await frame.device(), await frame.device()]
    const { body } = await ada.requestCode('ada@example.com')
    const code = frame.lastCode('ada@example.com')
    const wrong = async (loginId: string, device = eve) => {
      const answer = await device.post('/api/login/verify', { loginId, code })
      return answer.reason?.code
    }

    expect(await wrong(body.loginId)).toBe('code_expired') // another device
    const other = await eve.requestCode('eve@example.com', {}, clientOf)
    expect(await wrong(other.body.loginId)).toBe('code_wrong')
    const project = { projectId: 'harbor', origin: 'https://harbor.example' }
    const elsewhere = await eve.requestCode('ivy@example.com', project, clientOf)
    expect(await wrong(elsewhere.body.loginId)).toBe('code_wrong')
    // The right code on the right device still works: none of these attempts
    // was counted.
    expect((await ada.post('/api/login/verify', { loginId: body.loginId, code })).status).toBe(200)
  })

  test.each(['id', 'email', 'project_id', 'device_id'] as const)(
    'attack: is wrong if its row in the database is attached to another %s',
    async (column) => {
      await using frame = await useFrame()
      const { db } = frame.context.storage
      const device = await frame.device()
      const other = await frame.device()
      const { body } = await device.requestCode('ada@example.com')
      const code = frame.lastCode('ada@example.com')
      const values = {
        id: 'x'.repeat(22),
        email: 'eve@example.com',
        project_id: 'harbor',
        device_id: other.id,
      }
      await db
        .updateTable('frame_logins')
        .set({ [column]: values[column] })
        .execute()
      if (column === 'id' || column === 'device_id')
        await db
          .updateTable('frame_codes')
          .set({ [column]: values[column] })
          .execute()
      const client = column === 'device_id' ? other : device
      const loginId = column === 'id' ? values.id : body.loginId
      const answer = await client.post('/api/login/verify', { loginId, code })
      expect(answer.reason?.code).toBe('code_wrong')
    },
  )

  test('attack: is useless after five minutes, and once it was replaced', async () => {
    const clock = createClock()
    await using frame = await useFrame({}, { now: clock.now })
    const device = await frame.device()
    const first = await device.requestCode('ada@example.com')
    const firstCode = frame.lastCode('ada@example.com')
    clock.advance(30)
    const second = await device.requestCode('ada@example.com')
    const replaced = { loginId: first.body.loginId, code: firstCode }
    expect((await device.post('/api/login/verify', replaced)).reason?.code).toBe('code_expired')
    clock.advance(limits.codeSeconds)
    const late = { loginId: second.body.loginId, code: frame.lastCode('ada@example.com') }
    expect((await device.post('/api/login/verify', late)).reason?.code).toBe('code_expired')
  })
})

describe('attack: whether an address is known is not revealed', () => {
  test('by the response, or by the mail', async () => {
    await using frame = await useFrame()
    await (await frame.device()).login('known@example.com')
    await frame.context.storage.db.deleteFrom('frame_limits').execute()
    const request = async (email: string) => {
      const { status, body, headers } = await (await frame.device()).requestCode(email)
      const mail = frame.lastMail(email)
      return {
        status,
        body: { ...body, loginId: body.loginId.length },
        // Random in every response.
        headers: {
          ...Object.fromEntries(headers),
          'dpop-nonce': headers.get('dpop-nonce')?.length,
        },
        mail: mail.text.replace(/^\d{6}$/m, 'code'),
        again: (await (await frame.device()).requestCode(email)).body,
      }
    }
    expect(await request('known@example.com')).toEqual(await request('unknown@example.com'))
  })

  test('by the queries that the server runs before the response', async () => {
    await using frame = await useFrame()
    await (await frame.device()).login('known@example.com')
    const { db } = frame.context.storage
    const executor = db.getExecutor()
    const queries: string[] = []
    const compile = executor.compileQuery.bind(executor)
    executor.compileQuery = (...args) => {
      const query = compile(...args)
      queries.push(query.sql)
      return query
    }
    const request = async (email: string) => {
      await db.deleteFrom('frame_limits').execute()
      queries.length = 0
      await (await frame.device()).requestCode(email)
      return [...queries]
    }
    const known = await request('known@example.com')
    expect(known.length).toBeGreaterThan(5)
    expect(await request('unknown@example.com')).toEqual(known)
  })

  test('by the time and the bytes of 1,000 responses each', async () => {
    const samples = 1_000
    await using frame = await useFrame()
    const emails = Array.from({ length: samples }, (_, index) => [
      `known-${index}@example.com`,
      `other-${index}@example.com`,
    ]).map((pair) => (randomInt(2) === 0 ? pair : pair.toReversed()))
    const { db } = frame.context.storage
    for (const email of emails.flat()) if (email.startsWith('known')) await ensureUser(db, email, 1)
    const times = { known: [] as number[], other: [] as number[] }
    const sizes = { known: new Set<number>(), other: new Set<number>() }
    const device = await frame.device()
    // In pairs of random order, so that other load on the machine slows both
    // down equally.
    for (const [index, email] of emails.flat().entries()) {
      const kind = email.startsWith('known') ? 'known' : 'other'
      const address = `10.0.${index >> 8}.${index & 255}`
      const begin = performance.now()
      const { status, body, headers } = await device.requestCode(email, {}, { address })
      times[kind].push(performance.now() - begin)
      expect(status).toBe(200)
      sizes[kind].add(JSON.stringify([body, [...headers]]).length)
    }
    expect(sizes.known).toEqual(sizes.other)
    // The share of pairs in which the response for the known address takes
    // longer: 1/2 if the time reveals nothing, with a standard error of 0.013.
    // The tolerance is five standard errors.
    const all = [...times.known, ...times.other].toSorted((a, b) => a - b)
    const ranks = times.known.map((time) => all.indexOf(time) + 1)
    const sum = ranks.reduce((total, rank) => total + rank, 0)
    const share = (sum - (samples * (samples + 1)) / 2) / samples ** 2
    expect(Math.abs(share - 0.5)).toBeLessThan(0.065)
  })

  test('by the time that sending takes: the mail is sent after the response', async () => {
    // An SMTP server that never sends its greeting.
    const smtp = createServer()
    await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
    const { port } = smtp.address() as AddressInfo
    const config = { smtpUrl: `smtp://127.0.0.1:${port}`, mailFrom: 'no-reply@example.com' }
    const frame = await useFrame(config)
    const connected = once(smtp, 'connection')
    const { status } = await (await frame.device()).requestCode('ada@example.com')
    expect(status).toBe(200)
    const [socket] = (await connected) as [Socket]
    socket.destroy()
    await frame.stop()
    smtp.close()
  })
})

test.each(['', ' ', 'ada', 'ada@', '@example.com', 'ada@example', 'a b@example.com', 7, null])(
  '§5.10.1 error: %j is not an email address',
  async (email) => {
    await using frame = await useFrame()
    const { status, reason } = await (await frame.device()).requestCode('', { email })
    expect([status, reason?.field]).toEqual([400, 'email'])
    expect(reason?.description).toMatch(/^email (?:Invalid email|Required)$/)
    expect(frame.mails()).toEqual([])
  },
)

test('attack: strangers who use up the codes of an address do not lock out its devices', async () => {
  const clock = createClock()
  await using frame = await useFrame({}, { now: clock.now })
  const own = await frame.device()
  await own.login('ada@example.com')
  const stranger = await frame.device()
  let last: string | undefined
  for (let attempt = 0; attempt < 5; attempt += 1) {
    clock.advance(30)
    last = (await stranger.requestCode('ada@example.com')).reason?.code
  }
  expect(last).toBe('too_many_codes')
  expect((await own.requestCode('ada@example.com')).status).toBe(200)
  // Both have the same limit.
  for (let attempt = 0; attempt < 5; attempt += 1) {
    clock.advance(30)
    last = (await own.requestCode('ada@example.com')).reason?.code
  }
  expect(last).toBe('too_many_codes')
})

test('error: an unusable origin and an unusable project', async () => {
  await using frame = await useFrame()
  const device = await frame.device()
  const request = async (body: Record<string, unknown>) => {
    const { status, reason } = await device.requestCode('ada@example.com', body)
    return [status, reason?.field]
  }
  expect(await request({ origin: 'https://evil.example' })).toEqual([403, 'origin'])
  expect(await request({ origin: `${pageOrigin}/path` })).toEqual([400, 'origin'])
  expect(await request({ projectId: 'unknown' })).toEqual([401, 'projectId'])
  const closed = testProject({ id: 'closed', active: false, allowedOrigins: [pageOrigin] })
  await saveProject(frame.context.storage.db, closed, 1)
  expect(await request({ projectId: 'closed' })).toEqual([401, 'projectId'])
  expect(frame.mails()).toEqual([])
})

test('attack: a code can start with any digit, so that there are a million', async () => {
  await using frame = await useFrame()
  const device = await frame.device()
  const first = new Set<string>()
  for (let count = 0; count < 30; count += 1) {
    const email = `user${count}@example.com`
    await device.requestCode(email, {}, { address: `192.0.2.${count}` })
    first.add(frame.lastCode(email)[0]!)
  }
  expect(first.size).toBeGreaterThan(3)
})

test('attack: each request costs five tokens of the address', async () => {
  await using frame = await useFrame({ ipBurst: 10, ipRate: 0.001 })
  const device = await frame.device()
  const statusOf = async (address: string) => {
    const body = { refreshToken: 'x'.repeat(43) }
    return (await device.post('/api/session/refresh', body, { address })).status
  }
  const statuses = []
  for (let count = 0; count < 3; count += 1) statuses.push(await statusOf('192.0.2.7'))
  expect(statuses).toEqual([401, 401, 429])
  expect(await statusOf('192.0.2.8')).toBe(401)
})

test.each([
  'https://Your-wallet-is-locked:call',
  'https://your,wallet,is,locked',
  'https://evil.example"><b>locked',
  'https://evil.example\\',
  'https://\u202eelpmaxe.live',
])('attack: text that is not an origin is not mailed: %s', async (origin) => {
  await using frame = await useFrame()
  const { db } = frame.context.storage
  await saveProject(db, testProject({ id: 'open', allowedOrigins: ['*'] }), 1)
  const device = await frame.device()
  const answer = await device.requestCode('ada@example.com', { projectId: 'open', origin })
  expect([answer.status, answer.reason?.field]).toEqual([400, 'origin'])
  expect(frame.mails()).toEqual([])
})

test('error: a server that cannot send mail refuses a login by email', async () => {
  await using frame = await useFrame({ host: '0.0.0.0' })
  const { status, reason } = await (await frame.device()).requestCode('ada@example.com')
  expect([status, reason?.code]).toEqual([503, 'mail_unavailable'])
})
