import { limits, toLabel } from '@gatefold/protocol'
import type { FrameLanguage } from '@gatefold/protocol/frame'
import { formatMail, type Content } from './formatMail.ts'
import { formatTime } from './formatTime.ts'
import type { Mail } from './Mail.ts'
import { mailTexts, type MailTexts } from './mailTexts.ts'

/** The site that a mail is about, and who gets it. */
export type Mailing = {
  to: string
  /** Name of the project. */
  brand: string
  /** Origin of the page. */
  origin: string
  language: FrameLanguage
}

/** What a code is for. */
export const codeActions = ['login', 'email-primary', 'email-secondary', 'export'] as const

export type CodeAction = (typeof codeActions)[number]

/** A recovery method in a mail. */
export type MailedMethod =
  | { method: 'automatic' | 'password' }
  | { method: 'passkey'; name: string }

/** Maximum length of a name that a user or operator has chosen, in UTF-16 code units. */
const maxNameLength = 100

/** A one-time code. The subject does not contain it, because screens show subjects while they are locked. */
export function codeMail({
  action,
  code,
  device,
  ...mailing
}: Mailing & { action: CodeAction; code: string; device: string }) {
  return toMail(mailing, (t) => ({
    subject: t(`code.${action}`),
    lead: `code.${action}.lead`,
    code,
    lines: ['code.valid', 'code.secret', 'code.ignore'],
    values: { minutes: limits.codeSeconds / 60 },
    facts: [deviceFact(t, device)],
  }))
}

/** The link that confirms a new device. */
export function deviceLinkMail({
  device,
  link,
  ...mailing
}: Mailing & { device: string; link: string }) {
  return toMail(mailing, (t) => ({
    subject: t('link.subject'),
    lead: 'link.lead',
    link: { label: t('link.button'), url: link },
    lines: ['link.valid', 'link.ignore'],
    values: { minutes: limits.deviceLinkSeconds / 60 },
    facts: [deviceFact(t, device)],
  }))
}

/** A notice of a login on a new device, with the link that removes it. */
export function newDeviceMail({
  device,
  at,
  link,
  ...mailing
}: Mailing & { device: string; at: number; link: string }) {
  return toMail(mailing, (t) => ({
    subject: t('newDevice.subject'),
    lead: 'newDevice.lead',
    link: { label: t('newDevice.button'), url: link },
    lines: ['newDevice.otherwise'],
    values: { days: limits.deviceRemovalSeconds / 86_400 },
    facts: [deviceFact(t, device), timeFact(t, mailing, at)],
  }))
}

/** A notice that an account at a social provider can log in from now on. */
export function linkedMail({
  provider,
  at,
  ...mailing
}: Mailing & { provider: string; at: number }) {
  return toMail(mailing, (t) => ({
    subject: t('linked.subject', { provider }),
    lead: 'linked.lead',
    lines: ['linked.otherwise'],
    values: { provider },
    facts: [timeFact(t, mailing, at)],
  }))
}

/** A notice that the wallet was restored on another device. */
export function recoveryMail({ device, at, ...mailing }: Mailing & { device: string; at: number }) {
  return toMail(mailing, (t) => ({
    subject: t('restored.subject'),
    lead: 'restored.lead',
    lines: ['keys.otherwise'],
    facts: [deviceFact(t, device), timeFact(t, mailing, at)],
  }))
}

/** A notice that the recovery methods were changed. */
export function methodsMail({
  methods,
  at,
  ...mailing
}: Mailing & { methods: readonly MailedMethod[]; at: number }) {
  return toMail(mailing, (t) => {
    const names = methods.map((one) =>
      one.method === 'passkey'
        ? t('methods.passkey', { name: toLabel(one.name, maxNameLength) })
        : t(`methods.${one.method}`),
    )
    const list = new Intl.ListFormat(mailing.language).format(names)
    return {
      subject: t('methods.subject'),
      lead: 'methods.lead',
      lines: ['keys.otherwise'],
      facts: [[t('methods.now'), list || t('methods.none')], timeFact(t, mailing, at)],
    }
  })
}

/** A notice that a device was removed from the account. */
export function deviceRemovedMail({
  device,
  at,
  ...mailing
}: Mailing & { device: string; at: number }) {
  return toMail(mailing, (t) => ({
    subject: t('removed.subject'),
    lead: 'removed.lead',
    lines: ['removed.otherwise'],
    facts: [deviceFact(t, device), timeFact(t, mailing, at)],
  }))
}

/** A notice that all devices were signed out. */
export function signedOutMail({ at, ...mailing }: Mailing & { at: number }) {
  return toMail(mailing, (t) => ({
    subject: t('signedOut.subject'),
    lead: 'signedOut.lead',
    lines: ['signedOut.otherwise'],
    facts: [timeFact(t, mailing, at)],
  }))
}

/** A notice that the key left the secure frame. */
export function exportedMail({
  form,
  at,
  ...mailing
}: Mailing & { form: 'phrase' | 'backup'; at: number }) {
  return toMail(mailing, (t) => ({
    subject: t(`${form}.subject`),
    lead: `${form}.lead`,
    lines: ['keys.otherwise'],
    facts: [timeFact(t, mailing, at)],
  }))
}

/** A notice to the old address, with the link that undoes the change. */
export function emailChangedMail({
  newEmail,
  link,
  ...mailing
}: Mailing & { newEmail: string; link: string }) {
  return toMail(mailing, (t) => ({
    subject: t('changed.subject'),
    lead: 'changed.lead',
    link: { label: t('changed.button'), url: link },
    lines: ['changed.otherwise'],
    values: { hours: limits.emailUndoSeconds / 3600 },
    facts: [[t('changed.new'), newEmail]],
  }))
}

type Key = keyof MailTexts
type Translate = (key: Key, values?: Record<string, string>) => string

/** The content of a mail, with keys of `MailTexts` instead of sentences. */
type Keys = Pick<Content, 'subject' | 'code' | 'link' | 'facts'> & {
  lead: Key
  lines: Key[]
  /** The values of placeholders other than the origin. */
  values?: Record<string, string | number>
}

function toMail(mailing: Mailing, describe: (t: Translate) => Keys): Mail {
  const { to, origin, language } = mailing
  const texts = mailTexts[language]
  const t: Translate = (key, values = {}) =>
    texts[key].replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
  const { lead, lines, values, facts, ...content } = describe(t)
  return formatMail({
    ...content,
    to,
    language,
    brand: toLabel(mailing.brand, maxNameLength),
    lead: texts[lead],
    lines: lines.map((key) => texts[key]),
    values: { ...values, origin },
    facts: [[t('fact.site'), origin], ...facts],
  })
}

function deviceFact(t: Translate, device: string): [string, string] {
  const [browser, system] = device.split(' on ')
  const name = browser === 'Browser' ? t('device.browser') : (browser ?? '')
  return [t('fact.device'), system ? t('device.name', { browser: name, system }) : name]
}

function timeFact(t: Translate, { language }: Mailing, at: number): [string, string] {
  return [t('fact.time'), formatTime(at, language)]
}
