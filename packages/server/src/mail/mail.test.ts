import { directionOf, frameLanguages, type FrameLanguage } from '@gatefold/protocol/frame'
import { afterEach, describe, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { createLog } from '../log.ts'
import { startSmtp as startServer } from '../testing/startSmtp.ts'
import { createMailer } from './createMailer.ts'
import { mailTexts } from './mailTexts.ts'
import {
  codeMail,
  deviceLinkMail,
  deviceRemovedMail,
  emailChangedMail,
  exportedMail,
  linkedMail,
  methodsMail,
  newDeviceMail,
  recoveryMail,
  signedOutMail,
} from './templates.ts'

const device = 'Chrome on macOS'
const site = {
  to: 'ada@example.com',
  brand: 'Harbor',
  origin: 'https://harbor.example',
  language: 'en',
} as const
const loginCode = { ...site, action: 'login', code: '123456', device } as const
const at = 1_763_700_000_000

/** One mail of each type, by purpose. */
function allMails(language: FrameLanguage) {
  const link = 'https://wallet.example/device?token=x'
  const mailing = { ...site, language }
  return {
    'log in': codeMail({ ...mailing, action: 'login', code: '123456', device }),
    'change the address': codeMail({ ...mailing, action: 'email-primary', code: '123456', device }),
    'confirm the address': codeMail({
      ...mailing,
      action: 'email-secondary',
      code: '123456',
      device,
    }),
    export: codeMail({ ...mailing, action: 'export', code: '123456', device }),
    'confirm a device': deviceLinkMail({ ...mailing, device, link }),
    'new device': newDeviceMail({ ...mailing, device, at, link }),
    'linked account': linkedMail({ ...mailing, provider: 'GitHub', at }),
    recovery: recoveryMail({ ...mailing, device, at }),
    'recovery methods': methodsMail({
      ...mailing,
      methods: [
        { method: 'automatic' },
        { method: 'passkey', name: 'Mac' },
        { method: 'password' },
      ],
      at,
    }),
    'no recovery methods': methodsMail({ ...mailing, methods: [], at }),
    'removed device': deviceRemovedMail({ ...mailing, device, at }),
    'signed out': signedOutMail({ ...mailing, at }),
    phrase: exportedMail({ ...mailing, form: 'phrase', at }),
    backup: exportedMail({ ...mailing, form: 'backup', at }),
    'address changed': emailChangedMail({ ...mailing, newEmail: 'new@example.com', link }),
  }
}

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

/** Starts an SMTP server for the test. */
async function startSmtp(options?: Parameters<typeof startServer>[0]) {
  const smtp = await startServer(options)
  cleanups.push(smtp.stop)
  return smtp
}

function createTestMailer(config: Partial<Parameters<typeof createMailer>[0]>) {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => lines.push(line) })
  const mailer = createMailer(
    { ...readConfig(), mailFrom: 'Harbor <no-reply@harbor.example>', ...config },
    { log, now: () => at },
  )
  return { mailer, lines }
}

test('a mail is sent over SMTP as text and HTML', async () => {
  const smtp = await startSmtp()
  const { mailer } = createTestMailer({ smtpUrl: smtp.url })
  mailer.send(codeMail(loginCode))
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

    Website: https://harbor.example
    Device: Chrome on macOS

    This code is valid for 5 minutes.

    First check that the address bar shows https://harbor.example. Enter the code only there, and give it to nobody: anyone who has it can use your wallet.

    If you did not request it, ignore this email.

    Harbor"
  `)
  expect(mail?.html).toContain('>123456</span>')
})

test('mails that wait are sent before a stop', async () => {
  const smtp = await startSmtp()
  const { mailer } = createTestMailer({ smtpUrl: smtp.url })
  for (let index = 0; index < 20; index += 1)
    mailer.send(codeMail({ ...loginCode, to: `user${index}@example.com` }))
  expect(smtp.received).toHaveLength(0)
  await mailer.close(10_000)
  expect(smtp.received).toHaveLength(20)
})

test('a mail that a server refuses for now is sent again', async () => {
  const smtp = await startSmtp({ refuse: 1 })
  const { mailer, lines } = createTestMailer({ smtpUrl: smtp.url })
  mailer.send(codeMail(loginCode))
  await expect.poll(() => smtp.received.length).toBe(1)
  await mailer.close(5_000)
  expect(lines).toHaveLength(1)
})

test('an address that the SMTP server refuses is not logged', async () => {
  const smtp = await startSmtp({ recipients: 'none' })
  const { mailer, lines } = createTestMailer({ smtpUrl: smtp.url })
  mailer.send(codeMail(loginCode))
  await mailer.close(5_000)
  expect(lines.join('')).toContain('"responseCode":550')
  expect(lines.join('')).not.toMatch(/ada@example|123456/)
})

test('attack: text with several addresses is not sent to each of them', async () => {
  const smtp = await startSmtp()
  const { mailer } = createTestMailer({ smtpUrl: smtp.url })
  mailer.send({
    ...codeMail(loginCode),
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
    mailer.send({ ...codeMail(loginCode), subject: `${index}` })
  const subjects = mailer.sink!.list().map(({ subject }) => subject)
  expect([subjects.length, subjects[0], subjects.at(-1)]).toEqual([100, '100', '1'])
})

const numbered = Object.keys(allMails('en')).map((name) => [name as MailName] as const)
type MailName = keyof ReturnType<typeof allMails>

test.each(numbered)('%s: names the brand, the origin and the action', (name) => {
  const { subject, text, html } = allMails('en')[name]
  expect(subject).toMatch(/^[A-Z].+ – Harbor$/)
  expect(text).toContain('https://harbor.example')
  expect(html).toContain('https://harbor.example')
})

describe.each(frameLanguages)('in the language %s', (language) => {
  test('every mail is sent as text and HTML in it, with its direction', async () => {
    const smtp = await startSmtp()
    const { mailer } = createTestMailer({ smtpUrl: smtp.url })
    const sent = Object.values(allMails(language))
    for (const mail of sent) mailer.send(mail)
    await mailer.close(5_000)
    expect(new Set(smtp.received.map(({ subject }) => subject))).toEqual(
      new Set(sent.map(({ subject }) => subject)),
    )
    expect(smtp.received).toHaveLength(sent.length)
    for (const mail of smtp.received) {
      expect(mail.headers.get('content-language')).toBe(language)
      const root = `lang="${language}" dir="${directionOf(language)}"`
      expect(mail.html).toContain(`<html ${root}>`)
      expect(mail.html).toContain(
        `text-align:${directionOf(language) === 'rtl' ? 'right' : 'left'}"`,
      )
      expect(mail.text).toContain('https://harbor.example')
      expect(mail.text).not.toMatch(/[{}]/)
    }
  })

  test('no mail has a text of another language', () => {
    const foreign = frameLanguages
      .filter((other) => other !== language)
      .flatMap((other) => Object.values(mailTexts[other]))
      .filter((text) => text.includes(' ') && !Object.values(mailTexts[language]).includes(text))
      .map((text) => text.split(/\{\w+\}/).toSorted((a, b) => b.length - a.length)[0]!)
      .filter((text) => text.length > 8)
    for (const { subject, text, html } of Object.values(allMails(language)))
      for (const other of foreign) expect(`${subject} ${text} ${html}`).not.toContain(other)
  })

  test('its strings have the placeholders of the English ones', () => {
    const placeholders = (text: string) => [...new Set(text.match(/\{\w+\}/g))].toSorted()
    for (const [key, text] of Object.entries(mailTexts.en))
      expect(placeholders(mailTexts[language][key as keyof typeof mailTexts.en]), key).toEqual(
        placeholders(text),
      )
  })
})

test.each(numbered)('%s: as plain text', (name) => {
  const { subject, text } = allMails('en')[name]
  expect(`${subject}\n\n${text}`).toMatchSnapshot()
})

test('in Arabic, the code and the link keep their direction', () => {
  const { 'log in': code, 'confirm a device': link } = allMails('ar')
  expect(code.html).toMatch(/<span dir="ltr"[^>]*>123456<\/span>/)
  expect(link.html).toContain('<bdi dir="ltr">https://wallet.example/device?token=x</bdi>')
  expect(code.text).toMatch(/^123456$/m)
})

test('attack: a name is text in the HTML', () => {
  const { html } = codeMail({ ...loginCode, brand: '<img src=x>' })
  expect(html).toContain('&lt;img src=x&gt;')
  expect(html).not.toContain('<img')
})

test('attack: names add no header, no line and no other direction to a mail', async () => {
  const smtp = await startSmtp()
  const { mailer } = createTestMailer({ smtpUrl: smtp.url })
  mailer.send(
    methodsMail({
      ...site,
      brand: 'Harbor\r\nBcc: eve@example.com\u202e',
      methods: [{ method: 'passkey', name: 'Mac\n654321\n{origin}\u2066' }],
      at,
    }),
  )
  await mailer.close(5_000)
  const [mail] = smtp.received
  expect(smtp.recipients).toEqual(['ada@example.com'])
  expect(mail?.headers.has('bcc')).toBe(false)
  expect(mail?.subject).toBe('Your recovery methods were changed – HarborBcc: eve@example.com')
  expect(mail?.text).toContain('Recovery: passkey “Mac654321{origin}”\n')
  expect(mail?.text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
})
