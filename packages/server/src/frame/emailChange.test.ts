import { limits } from '@gatefold/protocol'
import type { EmailChangeResponse, FrameUser } from '@gatefold/protocol/frame'
import { describe, expect, test } from 'vitest'
import { pageOrigin } from '../testing/createTestDevice.ts'
import { createClock, createTestFrame, frameUrl } from '../testing/createTestFrame.ts'
import { createDatabase, engines } from '../testing/databases.ts'

describe.each(engines)('the change of an email address on %s', (engine) => {
  async function start() {
    const database = await createDatabase(engine)
    const clock = createClock()
    const frame = await createTestFrame(database.config, { now: clock.now })
    const device = await frame.device()
    let { session } = await device.login('old@example.com')
    clock.advance(30)

    const change = async (email = 'new@example.com') =>
      device.post<EmailChangeResponse>('/api/email/change', { email, origin: pageOrigin }, session)
    const verify = async (step: 'primary' | 'secondary', changeId: string, code: string) =>
      device.post<FrameUser>(`/api/email/verify-${step}`, { changeId, code }, session)
    return {
      ...frame,
      clock,
      owner: device,
      change,
      verify,
      session: () => session,
      /** Changes the address with both codes. */
      async complete(email = 'new@example.com', old = 'old@example.com') {
        const { changeId } = (await change(email)).body
        await verify('primary', changeId, frame.lastCode(old))
        return verify('secondary', changeId, frame.lastCode(email))
      },
      async login(email: string) {
        const verified = await device.login(email)
        session = verified.session
        return verified
      },
      link: (email: string) =>
        new URL(/https?:\S+\/email\/undo\S+/.exec(frame.lastMail(email).text)![0]),
      async undo(link: URL) {
        return frame.send('/email/undo', {
          method: 'POST',
          headers: { origin: frameUrl },
          body: new URLSearchParams({ token: link.searchParams.get('token')! }).toString(),
        })
      },
      async [Symbol.asyncDispose]() {
        await frame.stop()
        await database.remove()
      },
    }
  }

  test('§4.12 needs the code of the old address, then the code of the new one', async () => {
    await using test = await start()
    const { body } = await test.change('New@example.com')
    expect(body.action).toBe('VERIFY_PRIMARY_OTP')
    const next = await test.verify('primary', body.changeId, test.lastCode('old@example.com'))
    expect(next.body).toEqual({ action: 'VERIFY_SECONDARY_OTP', changeId: body.changeId })
    const done = await test.verify('secondary', body.changeId, test.lastCode('new@example.com'))
    expect(done.body.email).toBe('new@example.com')
    const user = await test.owner.post<FrameUser>('/api/user', {}, test.session())
    expect(user.body.email).toBe('new@example.com')
    expect(test.lastMail('old@example.com').subject).toContain('Your email address was changed')
  })

  test('attack: one of the two codes is not enough to change the address', async () => {
    await using test = await start()
    const { changeId } = (await test.change()).body
    const first = test.lastCode('old@example.com')
    expect((await test.verify('secondary', changeId, first)).reason?.code).toBe('code_expired')
    expect(() => test.lastCode('new@example.com')).toThrow('no code')
    await test.verify('primary', changeId, first)
    expect((await test.verify('secondary', changeId, first)).reason?.code).toBe('code_wrong')
    expect((await test.verify('primary', changeId, first)).reason?.code).toBe('code_expired')
    const user = await test.owner.post<FrameUser>('/api/user', {}, test.session())
    expect(user.body.email).toBe('old@example.com')
  })

  test('attack: a code to log in does not change the address, and another device cannot continue', async () => {
    await using test = await start()
    const thief = await test.device()
    const { loginId } = (await thief.requestCode('eve@example.com')).body
    const loginCode = test.lastCode('eve@example.com')
    const { changeId } = (await test.change()).body
    expect((await test.verify('primary', changeId, loginCode)).reason?.code).toBe('code_wrong')
    const eve = await thief.post<{ session: { accessToken: string } }>('/api/login/verify', {
      loginId,
      code: loginCode,
    })
    const code = test.lastCode('old@example.com')
    const stolen = await thief.post(
      '/api/email/verify-primary',
      { changeId, code },
      eve.body.session,
    )
    expect(stolen.reason?.code).toBe('code_expired')
    expect((await test.verify('primary', changeId, code)).status).toBe(200)
  })

  test('error: an address of another user is refused, once both codes were entered', async () => {
    await using test = await start()
    await (await test.device()).login('taken@example.com')
    test.clock.advance(30)
    const done = await test.complete('taken@example.com')
    expect([done.status, done.reason?.code]).toEqual([409, 'email_taken'])
  })

  test('attack: the codes to a new address are limited for all users together', async () => {
    await using test = await start()
    const outcomes: (string | number)[] = []
    for (let count = 0; count <= limits.codesPerHour; count += 1) {
      const device = await test.device()
      const address = `192.0.2.${count + 10}`
      const { session } = await device.login(`eve${count}@example.com`, {}, { address })
      test.clock.advance(limits.codeResendSeconds)
      const body = { email: 'new@example.com', origin: pageOrigin }
      const { status, reason } = await device.post('/api/email/change', body, {
        ...session,
        address,
      })
      outcomes.push(reason?.code ?? status)
    }
    expect(outcomes.slice(-2)).toEqual([200, 'too_many_codes'])
  })

  test('attack: is undone by the form of the mailed page, which signs the attacker out', async () => {
    await using test = await start()
    await test.complete()
    const link = test.link('old@example.com')
    // The old address belongs to the user while the change can be undone.
    test.clock.advance(30)
    await expect(test.login('old@example.com')).rejects.toThrow('email_moved')
    const page = await test.send(link.pathname + link.search)
    expect(await page.text()).toContain('Undo the change?')
    const before = await test.owner.post<FrameUser>('/api/user', {}, test.session())
    expect(before.body.email).toBe('new@example.com')
    expect((await test.undo(link)).status).toBe(200)
    expect((await test.owner.post('/api/user', {}, test.session())).status).toBe(401)
    expect((await test.undo(link)).status).toBe(410)
    test.clock.advance(30)
    const { user } = await test.login('old@example.com')
    expect([user.id, user.epoch]).toEqual([before.body.id, 2])
  })

  test('attack: a second change does not prevent the undo of the first, and its own link is void', async () => {
    await using test = await start()
    await test.complete('new@example.com')
    const link = test.link('old@example.com')
    test.clock.advance(30)
    expect((await test.complete('third@example.com', 'new@example.com')).status).toBe(200)
    const later = test.link('new@example.com')
    expect((await test.undo(link)).status).toBe(200)
    expect((await test.undo(later)).status).toBe(410)
    test.clock.advance(30)
    expect((await test.login('old@example.com')).user.email).toBe('old@example.com')
  })

  test('attack: cannot be undone after 24 hours', async () => {
    await using test = await start()
    await test.complete()
    test.clock.advance(limits.emailUndoSeconds)
    const link = test.link('old@example.com')
    expect((await test.undo(link)).status).toBe(410)
    const { user } = await test.login('old@example.com')
    expect(user.epoch).toBe(1)
  })
})
