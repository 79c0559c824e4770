import { limits } from '@gatefold/protocol'
import type { FrameUser, ShareResponse } from '@gatefold/protocol/frame'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { nextSet, testSet } from '../testing/createTestDevice.ts'
import { createClock, createTestFrame, frameUrl } from '../testing/createTestFrame.ts'
import { createDatabase, engines } from '../testing/databases.ts'
import { startSmtp } from '../testing/startSmtp.ts'

const email = 'ada@example.com'

describe.each(engines)('the link in the notice of a new device on %s', (engine) => {
  /** A user with a wallet on one device, and a login on another one. */
  async function start() {
    const database = await createDatabase(engine)
    const clock = createClock()
    const frame = await createTestFrame(database.config, { now: clock.now })
    const [owner, thief] = [await frame.device(), await frame.device()]
    const own = await owner.login(email)
    const set = testSet()
    await owner.createWallet(own.session, set)
    expect(frame.mails().map(({ subject }) => subject)).not.toContainEqual(
      expect.stringMatching('New device'),
    )
    const logIn = async () => {
      clock.advance(30)
      return thief.login(email)
    }
    let { session } = await logIn()
    const link = () => new URL(/https?:\S+\/device\/remove\S+/.exec(frame.lastMail(email).text)![0])
    return {
      ...frame,
      clock,
      owner,
      own: own.session,
      set,
      thief,
      link,
      async logInAgain() {
        ;({ session } = await logIn())
      },
      restore: async (change: Parameters<typeof nextSet>[1] = {}) =>
        thief.createWallet(session, nextSet(set, change)),
      user: async () => thief.post<FrameUser>('/api/user', {}, session),
      share: async () => thief.post<ShareResponse>('/api/wallet/share', {}, session),
      /** How often the audit list has an event, and how many mails say that a device was removed. */
      async effects(event: string) {
        const { body } = await owner.post<{ entries: { event: string }[] }>(
          '/api/audit',
          {},
          own.session,
        )
        return {
          entries: body.entries.filter((entry) => entry.event === event).length,
          mails: frame.mails().filter(({ subject }) => subject.includes('A device was removed'))
            .length,
        }
      },
      page: async (url: URL) => frame.send(url.pathname + url.search),
      remove: async (url: URL, headers: Record<string, string> = { origin: frameUrl }) =>
        frame.send('/device/remove', {
          method: 'POST',
          headers,
          body: new URLSearchParams({ token: url.searchParams.get('token')! }).toString(),
        }),
      async [Symbol.asyncDispose]() {
        await frame.stop()
        await database.remove()
      },
    }
  }

  test('attack: removes the device of a stranger, once; the other device is not affected', async () => {
    await using test = await start()
    const link = test.link()
    await test.restore()
    expect((await test.share()).status).toBe(200)
    const page = await (await test.page(link)).text()
    for (const text of ['Remove this device?', email, 'Chrome on macOS', 'http://localhost:3000'])
      expect(page).toContain(text)

    const removed = await test.remove(link)
    expect([removed.status, await removed.text()]).toEqual([
      200,
      expect.stringContaining('Device removed'),
    ])
    expect((await test.user()).status).toBe(401)
    expect(test.lastMail(email).subject).toContain('A device was removed')
    expect((await test.owner.post('/api/wallet/share', {}, test.own)).status).toBe(200)
    // The response may have been lost, so another try says the same. It has no other effect.
    for (const again of [await test.remove(link), await test.page(link)])
      expect([again.status, await again.text()]).toEqual([
        200,
        expect.stringContaining('Device removed'),
      ])
    expect(await test.effects('device_removed')).toEqual({ entries: 1, mails: 1 })

    // If the device logs in again, there is another link, and the previous one does not remove it.
    await test.logInAgain()
    expect((await test.remove(link)).status).toBe(410)
    expect((await test.user()).status).toBe(200)
    expect((await test.remove(test.link())).status).toBe(200)
    expect((await test.user()).status).toBe(401)
  })

  test('attack: a program that opens the link, or a page of another site, removes nothing', async () => {
    await using test = await start()
    const link = test.link()
    for (let opened = 0; opened < 3; opened += 1) expect((await test.page(link)).status).toBe(200)
    expect((await test.remove(link, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await test.user()).status).toBe(200)
    expect((await test.remove(link)).status).toBe(200)
  })

  test('attack: removes nothing after seven days, or with another token', async () => {
    await using test = await start()
    const link = test.link()
    const forged = new URL(link)
    forged.searchParams.set('token', 'A'.repeat(43))
    expect((await test.remove(forged)).status).toBe(410)
    test.clock.advance(limits.deviceRemovalSeconds)
    expect((await test.remove(link)).status).toBe(410)
    expect((await test.page(link)).status).toBe(410)
    const { db } = test.context.storage
    expect(await db.selectFrom('frame_devices').select('id').execute()).toHaveLength(2)
  })

  test('is void once the device was removed in the settings', async () => {
    await using test = await start()
    const link = test.link()
    const deviceId = test.thief.id
    expect((await test.owner.post('/api/devices/revoke', { deviceId }, test.own)).status).toBe(200)
    await test.logInAgain()
    expect((await test.remove(link)).status).toBe(410)
  })

  test('attack: signs out a device that has replaced the recovery methods, although it is the only one that restores the wallet', async () => {
    await using test = await start()
    const link = test.link()
    const methods = { recoveryId: undefined, version: 1, wraps: [] }
    await test.restore({ ...testSet(), ...methods })
    expect((await test.share()).status).toBe(200)
    const removed = await test.remove(link)
    expect([removed.status, await removed.text()]).toEqual([
      200,
      expect.stringContaining('Device logged out'),
    ])
    expect((await test.share()).status).toBe(401)
    expect(await (await test.remove(link)).text()).toContain('Device logged out')
    expect(await test.effects('logout')).toEqual({ entries: 1, mails: 0 })
    await test.logInAgain()
    expect((await test.remove(link)).status).toBe(410)
    expect((await test.user()).status).toBe(200)
  })

  test.each([
    ['removed', 'Device removed', { entries: 1, mails: 1 }],
    ['logged out', 'Device logged out', { entries: 1, mails: 0 }],
  ])('two clicks at once: the device is %s once', async (_, title, effects) => {
    await using test = await start()
    const link = test.link()
    const isOnly = title === 'Device logged out'
    await test.restore(isOnly ? { ...testSet(), recoveryId: undefined, version: 1, wraps: [] } : {})
    const responses = await Promise.all([test.remove(link), test.remove(link)])
    for (const response of responses)
      expect([response.status, await response.text()]).toEqual([
        200,
        expect.stringContaining(title),
      ])
    expect(await test.effects(isOnly ? 'logout' : 'device_removed')).toEqual(effects)
  })

  test('shows a page while the database is unavailable', async () => {
    await using test = await start()
    const link = test.link()
    await sql`drop table frame_removals`.execute(test.context.storage.db)
    for (const response of [await test.page(link), await test.remove(link)]) {
      expect(response.status).toBe(503)
      expect(response.headers.get('content-type')).toMatch(/^text\/html/)
      expect(await response.text()).toContain('Reload this page in a moment')
    }
  })
})

test('the notice is sent over SMTP, and its link as text and in the HTML opens the page', async () => {
  const smtp = await startSmtp()
  const clock = createClock()
  const frame = await createTestFrame(
    { smtpUrl: smtp.url, mailFrom: 'Harbor <no-reply@harbor.example>' },
    { now: clock.now },
  )
  try {
    for (const count of [1, 2]) {
      const device = await frame.device()
      clock.advance(30)
      const { loginId } = (await device.requestCode(email)).body
      const codes = () =>
        smtp.received.flatMap(({ text }) => /^\d{6}$/m.exec(text ?? '')?.[0] ?? [])
      await expect.poll(codes).toHaveLength(count)
      const code = codes().at(-1)
      expect((await device.post('/api/login/verify', { loginId, code })).status).toBe(200)
    }
    const notice = () => smtp.received.find(({ subject }) => subject?.startsWith('New device'))
    await expect.poll(notice).toBeDefined()
    const { text = '', html } = notice()!
    const link = new URL(/Remove the device: (\S+)/.exec(text)![1]!)
    expect(html).toContain(`href="${link.href}"`)
    expect(link.origin).toBe(frameUrl)
    const page = await frame.send(link.pathname + link.search)
    expect(await page.text()).toContain('Remove this device?')
  } finally {
    await frame.stop()
    await smtp.stop()
  }
})
