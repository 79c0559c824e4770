import type { AddressInfo } from 'node:net'
import { simpleParser, type ParsedMail } from 'mailparser'
import { SMTPServer } from 'smtp-server'
import { afterEach, describe, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { createLog } from '../log.ts'
import { createMailer } from './createMailer.ts'
import {
  codeMail,
  deviceLinkMail,
  emailChangedMail,
  newDeviceMail,
  recoveryMail,
} from './templates.ts'

const site = { to: 'ada@example.com', brand: 'Harbor', origin: 'https://harbor.example' }
const device = 'Chrome on macOS'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

/** Starts an SMTP server that keeps what it receives. */
async function startSmtp(options: { refuse?: number; recipients?: string } = {}) {
  let toRefuse = options.refuse ?? 0
  const received: ParsedMail[] = []
  const recipients: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo(address, _session, done) {
      if (options.recipients === 'none')
        done(Object.assign(new Error(`no ${address.address} here`), { responseCode: 550 }))
      else {
        recipients.push(address.address)
        done()
      }
    },
    onData(stream, _session, done) {
      void simpleParser(stream).then((mail) => {
        toRefuse -= 1
        if (toRefuse >= 0) return done(Object.assign(new Error('later'), { responseCode: 451 }))
        received.push(mail)
        return done()
      }, done)
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(async () => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.server.address() as AddressInfo
  return { received, recipients, url: `smtp://127.0.0.1:${port}` }
}

function createTestMailer(config: Partial<Parameters<typeof createMailer>[0]>) {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => lines.push(line) })
  const mailer = createMailer(
    { ...readConfig(), mailFrom: 'Harbor <no-reply@harbor.example>', ...config },
    { log, now: () => 1_763_700_000_000 },
  )
  return { mailer, lines }
}

test('a mail is sent over SMTP as text and HTML', async () => {
  const smtp = await startSmtp()
  const { mailer } = createTestMailer({ smtpUrl: smtp.url })
  mailer.send(codeMail({ ...site, action: 'login', code: '123456' }))
  expect(mailer.sink).toBe(undefined)
  await mailer.close(5_000)
  expect(smtp.received).toHaveLength(1)
  const [mail] = smtp.received
  expect([mail?.from?.text, mail?.subject, mail?.headers.get('auto-submitted')]).toEqual([
    '"Harbor" <no-reply@harbor.example>',
    'Your code to log in – Harbor',
    'auto-generated',
  ])
  expect(mail?.text?.trim()).toMatchInlineSnapshot(`
    "Enter this code at https://harbor.example to log in:

    123456

    This code is valid for 5 minutes.

    Enter it only at https://harbor.example, and give it to nobody. If you did not request it, ignore this mail.

    Harbor, https://harbor.example"
  `)
  expect(mail?.html).toContain('>123456</p>')
})

test('mails that wait are sent before a stop', async () => {
  const smtp = await startSmtp()
  const { mailer } = createTestMailer({ smtpUrl: smtp.url })
  for (let index = 0; index < 20; index += 1)
    mailer.send(codeMail({ ...site, to: `user${index}@example.com`, action: 'login', code: '1' }))
  expect(smtp.received).toHaveLength(0)
  await mailer.close(10_000)
  expect(smtp.received).toHaveLength(20)
})

test('a mail that a server refuses for now is sent again', async () => {
  const smtp = await startSmtp({ refuse: 1 })
  const { mailer, lines } = createTestMailer({ smtpUrl: smtp.url })
  mailer.send(codeMail({ ...site, action: 'login', code: '123456' }))
  await expect.poll(() => smtp.received.length, { timeout: 8_000 }).toBe(1)
  await mailer.close(5_000)
  expect(lines).toHaveLength(1)
})

test('an address that the SMTP server refuses is not logged', async () => {
  const smtp = await startSmtp({ recipients: 'none' })
  const { mailer, lines } = createTestMailer({ smtpUrl: smtp.url })
  mailer.send(codeMail({ ...site, action: 'login', code: '123456' }))
  await mailer.close(5_000)
  expect(lines.join('')).toContain('"responseCode":550')
  expect(lines.join('')).not.toMatch(/ada@example|123456/)
})

test('attack: text with several addresses is not sent to each of them', async () => {
  const smtp = await startSmtp()
  const { mailer } = createTestMailer({ smtpUrl: smtp.url })
  mailer.send({
    ...codeMail({ ...site, action: 'login', code: '1' }),
    to: 'a@example.com,b@example.com',
  })
  await mailer.close(5_000)
  expect(smtp.recipients).toEqual([])
})

test.each<[string, object, boolean, boolean]>([
  ['only this machine can reach it', {}, true, true],
  ['others can reach it', { host: '0.0.0.0' }, false, false],
  ['it is behind a proxy', { trustedProxies: 1 }, false, false],
  ['the frame is public', { frameUrl: 'https://wallet.example' }, false, false],
  ['it has an SMTP server', { smtpUrl: 'smtp://127.0.0.1:1' }, true, false],
])('whether a server keeps mails in the local sink if %s', (_, config, isAvailable, hasSink) => {
  const { mailer } = createTestMailer(config)
  expect([mailer.isAvailable, mailer.sink !== undefined]).toEqual([isAvailable, hasSink])
})

test('the sink keeps the last 100 mails', () => {
  const { mailer } = createTestMailer({})
  for (let index = 0; index < 101; index += 1)
    mailer.send({ to: 'a@example.com', subject: `${index}`, text: '', html: '' })
  const subjects = mailer.sink!.list().map(({ subject }) => subject)
  expect([subjects.length, subjects[0], subjects.at(-1)]).toEqual([100, '100', '1'])
})

describe('every mail names the brand, the origin and the action', () => {
  const link = 'https://wallet.example/device?token=x'
  const at = 1_763_700_000_000
  const mails = {
    'change the address': codeMail({ ...site, action: 'email-primary', code: '123456' }),
    'confirm the address': codeMail({ ...site, action: 'email-secondary', code: '123456' }),
    'confirm a device': deviceLinkMail({ ...site, device, link }),
    'new device': newDeviceMail({ ...site, device, at }),
    recovery: recoveryMail({ ...site, device, at }),
    'address changed': emailChangedMail({ ...site, newEmail: 'new@example.com', link }),
  }

  test.each(Object.entries(mails))('%s', (_, { subject, text, html }) => {
    expect(subject).toContain('Harbor')
    expect(text).toContain('https://harbor.example')
    expect(html).toContain('https://harbor.example')
  })

  test('as plain text', () => {
    expect(Object.values(mails).map(({ subject, text }) => `${subject}\n\n${text}`))
      .toMatchInlineSnapshot(`
      [
        "Your code to change your e-mail address – Harbor

      Enter this code at https://harbor.example to change your e-mail address:

      123456

      This code is valid for 5 minutes.

      Enter it only at https://harbor.example, and give it to nobody. If you did not request it, ignore this mail.

      Harbor, https://harbor.example",
        "Your code to confirm your new e-mail address – Harbor

      Enter this code at https://harbor.example to confirm your new e-mail address:

      123456

      This code is valid for 5 minutes.

      Enter it only at https://harbor.example, and give it to nobody. If you did not request it, ignore this mail.

      Harbor, https://harbor.example",
        "Is this you? – Harbor

      Somebody wants to log in at https://harbor.example on a device that is new to us: Chrome on macOS.

      Check the device: https://wallet.example/device?token=x

      This link is valid for 10 minutes.

      If this is not you, ignore this mail: nobody can log in without the link.

      Harbor, https://harbor.example",
        "New device – Harbor

      You logged in at https://harbor.example on a new device: Chrome on macOS, 2025-11-21 04:40 UTC.

      If this was not you, log in, remove the device, and sign out everywhere. Then secure your e-mail account.

      Harbor, https://harbor.example",
        "Your wallet was restored – Harbor

      Your wallet was restored at https://harbor.example on another device: Chrome on macOS, 2025-11-21 04:40 UTC.

      If this was not you, somebody else has your keys: move everything you own to another wallet now.

      Harbor, https://harbor.example",
        "Your e-mail address was changed – Harbor

      The e-mail address of your wallet was changed to new@example.com at https://harbor.example.

      Undo the change: https://wallet.example/device?token=x

      If this was not you, undo the change within 24 hours. All devices are then signed out.

      Harbor, https://harbor.example",
      ]
    `)
  })

  test('attack: a name is text in the HTML', () => {
    const { html } = codeMail({ ...site, brand: '<img src=x>', action: 'login', code: '1' })
    expect(html).toContain('&lt;img src=x&gt;')
    expect(html).not.toContain('<img')
  })
})
