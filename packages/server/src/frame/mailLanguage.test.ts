import type { FrameUser } from '@gatefold/protocol/frame'
import { describe, expect, test } from 'vitest'
import { testSet } from '../testing/createTestDevice.ts'
import { createClock, createTestFrame } from '../testing/createTestFrame.ts'
import { createDatabase, engines } from '../testing/databases.ts'

const ada = 'ada@example.com'
const speaks = (language: string) => ({ headers: { 'accept-language': language } })

describe.each(engines)('the language of mails on %s', (engine) => {
  async function useFrame() {
    const clock = createClock()
    const database = await createDatabase(engine)
    const frame = await createTestFrame(database.config, { now: clock.now })
    const last = () => {
      const { language, subject, html } = frame.lastMail(ada)
      return { language, subject, html }
    }
    async function dispose() {
      await frame.stop()
      await database.remove()
    }
    return { ...frame, clock, last, [Symbol.asyncDispose]: dispose }
  }

  test.each([
    ['de', 'Dein Code zum Anmelden – Gatefold'],
    ['ar', 'رمز تسجيل الدخول – Gatefold'],
    ['en', 'Your code to log in – Gatefold'],
    ['fr-FR', 'Your code to log in – Gatefold'],
    ['"><img src=x>', 'Your code to log in – Gatefold'],
  ])('is that of the frame: %s', async (language, subject) => {
    await using frame = await useFrame()
    const device = await frame.device()
    await device.requestCode(ada, {}, speaks(language))
    expect(frame.last().subject).toBe(subject)
    expect(frame.last().html).not.toContain('<img')
  })

  /** A user with a wallet on a device that speaks German. */
  async function withGerman(frame: Awaited<ReturnType<typeof useFrame>>) {
    const device = await frame.device()
    const { session } = await device.login(ada, {}, speaks('de'))
    await device.createWallet(session, testSet())
    const read = async (language: string) =>
      device.post<FrameUser>('/api/user', {}, { ...session, ...speaks(language) })
    await read('de')
    frame.clock.advance(60)
    return { device, session, read }
  }

  test('a notice is in the language that the frame last had on a device with the wallet', async () => {
    await using frame = await useFrame()
    const { device, session, read } = await withGerman(frame)
    await device.post('/api/session/end', { everywhere: true }, session)
    expect(frame.last().subject).toBe('Alle Geräte wurden abgemeldet – Gatefold')

    frame.clock.advance(60)
    const again = await device.login(ada, {}, speaks('en'))
    expect(frame.last()).toMatchObject({ language: 'en' })
    expect((await read('ar')).status).toBe(401)
    await device.post('/api/session/end', { everywhere: true }, again.session)
    expect(frame.last()).toMatchObject({ language: 'de' })
  })

  test('a code for a device of the user is in the language of the frame there', async () => {
    await using frame = await useFrame()
    const { device } = await withGerman(frame)
    await device.requestCode(ada, {}, speaks('ar'))
    expect(frame.last().language).toBe('ar')
  })

  test('attack: a new device cannot choose a language that the user does not read', async () => {
    await using frame = await useFrame()
    await withGerman(frame)
    const stranger = await frame.device()
    const before = frame.mails().length
    const { session } = await stranger.login(ada, {}, speaks('ar'))
    const options = { accessToken: session.accessToken, ...speaks('ar') }
    await stranger.post('/api/user', {}, options)
    await stranger.post('/api/wallet/recovery', {}, options)
    const change = { origin: 'http://localhost:3000', email: 'eve@example.com' }
    frame.clock.advance(60)
    await stranger.post('/api/email/change', change, options)
    frame.clock.advance(60)
    await stranger.post('/api/export/code', {}, options)
    const sent = frame.mails().slice(0, -before)
    expect(sent.map(({ subject }) => subject).toReversed()).toEqual([
      'Dein Code zum Anmelden – Gatefold',
      'Neues Gerät – Gatefold',
      'Deine Wallet wurde wiederhergestellt – Gatefold',
      'Dein Code zum Ändern deiner E-Mail-Adresse – Gatefold',
      'Dein Code zum Exportieren deiner Wallet – Gatefold',
    ])
  })
})
